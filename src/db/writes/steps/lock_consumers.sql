-- The first half of every allocation write: asks for names that are unknown, locks the consumers that exist, checks the caller's expectations, and
-- creates the others. Refuses CONSUMER_CONFLICT, INVALID_INPUT (a new consumer without project or user), each in the order of the input.
--
-- consumers: `[{uuid, expect: {generation} | {generation, id} | {isNew} | {}, project, user, type, keepType, takeFrom, allocations}]`.
-- Returns, in the order of the input, the ids (null for one that neither exists nor gets allocations) and whether it was created here.
-- A consumer created here already has generation 1, and is rolled back if the write is refused.
-- only_checked: nothing is locked or created; the ids of consumers that would be created are negative.
-- imported: one created here has the `generation` of another service and, if they are given, `createdAt` and `updatedAt`.
--
-- First the existing consumers are locked, then the others are created, each time by uuid: a write that has created a consumer no longer waits for an
-- existing one. So a write that finds a consumer just created by another starts again, instead of locking it now.
create or replace function lock_consumers(
  consumers jsonb, only_checked boolean default false, imported boolean default false, out ids bigint[], out created boolean[]
) language plpgsql as $$
declare
  names_missing boolean;
  -- One element each, in the order of the input.
  uuids uuid[]; project_ids bigint[]; user_ids bigint[]; type_ids bigint[]; generations bigint[];
  -- Those that exist; `held_at` are their places.
  held_ids bigint[]; held_generations bigint[]; held_at int[];
  new_at int[] := '{}';
  added bigint;
  wanted jsonb;
  reasons jsonb := '[]';
begin
  select coalesce(bool_or(e ->> 'project' is not null and p.id is null or e ->> 'user' is not null and u.id is null
           or e ->> 'type' is not null and t.id is null), false), array_agg((e ->> 'uuid')::uuid order by place),
         array_agg(p.id order by place), array_agg(u.id order by place), array_agg(t.id order by place)
  into names_missing, uuids, project_ids, user_ids, type_ids
  from jsonb_array_elements(consumers) with ordinality as _(e, place)
  left join projects p on p.external_id = e ->> 'project'
  left join users u on u.external_id = e ->> 'user'
  left join consumer_types t on t.name = e ->> 'type';
  if names_missing then
    perform ask_for_names(consumers);
  end if;
  if only_checked then
    select array_agg(c.id), array_agg(c.generation), array_agg(named.place) into held_ids, held_generations, held_at
    from unnest(uuids) with ordinality as named(uuid, place)
    cross join lateral (select c.id, c.generation from consumers c where c.uuid = named.uuid offset 0) c;
  else
    select array_agg(held.id), array_agg(held.generation), array_agg(held.place) into held_ids, held_generations, held_at
    from (
      -- One by one: a join that was planned while there were few consumers would scan all of them.
      select c.id, c.generation, named.place
      from (select * from unnest(uuids) with ordinality as _(uuid, place) order by uuid) named
      cross join lateral (select c.id, c.generation from consumers c where c.uuid = named.uuid for no key update) c
    ) held;
  end if;

  -- Not a statement for each consumer: there may be 10,000.
  ids := array_fill(null::bigint, array[jsonb_array_length(consumers)]);
  generations := ids;
  created := array_fill(false, array[cardinality(ids)]);
  for n in 1..coalesce(cardinality(held_at), 0) loop
    ids[held_at[n]] := held_ids[n];
    generations[held_at[n]] := held_generations[n];
  end loop;
  for n in 1..cardinality(ids) loop
    wanted := consumers -> (n - 1);
    if wanted -> 'expect' ? 'generation' and (wanted #>> '{expect,generation}')::bigint is distinct from generations[n]
       or wanted -> 'expect' ? 'id' and (wanted #>> '{expect,id}')::bigint is distinct from ids[n]
       or wanted -> 'expect' ? 'isNew' and ids[n] is not null then
      reasons := reasons || jsonb_build_object('code', 'CONSUMER_CONFLICT', 'details', jsonb_build_object(
        'consumer', uuids[n], 'expected', wanted #> '{expect,generation}', 'actual', generations[n]));
    elsif ids[n] is null and (wanted ? 'takeFrom' or jsonb_array_length(wanted -> 'allocations') > 0) then
      if (project_ids[n] is null or user_ids[n] is null) and not wanted ? 'takeFrom' then
        reasons := reasons || jsonb_build_object('code', 'INVALID_INPUT', 'details', jsonb_build_object(
          'consumer', uuids[n], 'message', 'project and user are required for a new consumer'));
      end if;
      new_at := new_at || n;
    end if;
    -- As many as refuse_all looks at.
    exit when jsonb_array_length(reasons) > 100;
  end loop;
  if reasons <> '[]' then
    perform refuse_all(reasons);
  end if;

  if cardinality(new_at) > 0 then
    for n in 1..cardinality(new_at) loop
      ids[new_at[n]] := case when only_checked then -n else nextval('consumers_id_seq') end;
      created[new_at[n]] := true;
    end loop;
  end if;
  if cardinality(new_at) > 0 and not only_checked then
    -- A consumer that takes over from another gets its project and user in write_allocations; 0 is a placeholder.
    insert into consumers (id, uuid, project_id, user_id, consumer_type_id, generation, created_at, updated_at) overriding system value
    select ids[place], uuids[place], coalesce(project_ids[place], 0), coalesce(user_ids[place], 0), type_ids[place],
           case when imported then (consumers -> (place - 1) ->> 'generation')::bigint else 1 end,
           coalesce(case when imported then (consumers -> (place - 1) ->> 'createdAt')::timestamptz end, now()),
           coalesce(case when imported then (consumers -> (place - 1) ->> 'updatedAt')::timestamptz end, now())
    from unnest(new_at) place order by uuids[place]
    on conflict do nothing;
    get diagnostics added = row_count;
    if added < cardinality(new_at) then
      perform try_again('a consumer was created meanwhile');
    end if;
  end if;
end $$;
