-- The first half of every allocation write: asks for names that are unknown, locks or creates the consumers one by one in the order of their
-- uuids, and checks the caller's expectations. Refuses CONSUMER_CONFLICT, INVALID_INPUT (a new consumer without project or user), each in the
-- order of the input.
--
-- consumers: `[{uuid, expect: {generation} | {isNew} | {}, project, user, type, keepType, takeFrom, allocations}]`.
-- Returns, in the order of the input, the ids (null for one that neither exists nor gets allocations) and whether it was created here.
-- A consumer created here already has generation 1, and is rolled back if the write is refused.
create or replace function lock_consumers(consumers jsonb, out ids bigint[], out created boolean[]) language plpgsql as $$
declare
  wanted record;
  named record;
  locked record;
  reasons jsonb := '[]';
begin
  select coalesce(bool_or(e ->> 'project' is not null and p.id is null or e ->> 'user' is not null and u.id is null
           or e ->> 'type' is not null and t.id is null), false) as missing,
         array_agg(p.id order by place) as project_ids, array_agg(u.id order by place) as user_ids, array_agg(t.id order by place) as type_ids
  into named
  from jsonb_array_elements(consumers) with ordinality as _(e, place)
  left join projects p on p.external_id = e ->> 'project'
  left join users u on u.external_id = e ->> 'user'
  left join consumer_types t on t.name = e ->> 'type';
  if named.missing then
    perform ask_for_names(consumers);
  end if;
  ids := array_fill(null::bigint, array[jsonb_array_length(consumers)]);
  created := array_fill(false, array[jsonb_array_length(consumers)]);
  for wanted in
    select (e ->> 'uuid')::uuid as uuid, e -> 'expect' as expect, e ? 'takeFrom' as takes,
           e ? 'takeFrom' or jsonb_array_length(e -> 'allocations') > 0 as holds, place::int as place
    from jsonb_array_elements(consumers) with ordinality as _(e, place)
    order by 1
  loop
    loop
      select c.id, c.generation into locked from consumers c where c.uuid = wanted.uuid for no key update;
      exit when found;
      if wanted.expect ? 'generation' then
        reasons := reasons || jsonb_build_object('place', wanted.place, 'code', 'CONSUMER_CONFLICT', 'details', jsonb_build_object(
          'consumer', wanted.uuid, 'expected', wanted.expect -> 'generation', 'actual', null));
        exit;
      end if;
      exit when not wanted.holds;
      if (named.project_ids[wanted.place] is null or named.user_ids[wanted.place] is null) and not wanted.takes then
        reasons := reasons || jsonb_build_object('place', wanted.place, 'code', 'INVALID_INPUT', 'details', jsonb_build_object(
          'consumer', wanted.uuid, 'message', 'project and user are required for a new consumer'));
        exit;
      end if;
      -- One that takes from another gets that one's project and user in write_allocations; 0 is only a placeholder.
      insert into consumers (uuid, project_id, user_id, consumer_type_id)
      values (wanted.uuid, coalesce(named.project_ids[wanted.place], 0), coalesce(named.user_ids[wanted.place], 0), named.type_ids[wanted.place])
      on conflict do nothing
      returning id into locked.id;
      if found then
        created[wanted.place] := true;
        exit;
      end if;
    end loop;
    ids[wanted.place] := locked.id;
    if locked.id is not null and not created[wanted.place] then
      if wanted.expect ? 'isNew' or (wanted.expect ->> 'generation')::bigint <> locked.generation then
        reasons := reasons || jsonb_build_object('place', wanted.place, 'code', 'CONSUMER_CONFLICT', 'details', jsonb_build_object(
          'consumer', wanted.uuid, 'expected', wanted.expect -> 'generation', 'actual', locked.generation));
      end if;
    end if;
  end loop;
  if jsonb_array_length(reasons) > 0 then
    perform refuse_all((select jsonb_agg(r - 'place' order by (r ->> 'place')::int) from jsonb_array_elements(reasons) r));
  end if;
end $$;
