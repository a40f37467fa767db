-- The first half of every allocation write: asks for names that are unknown, locks the consumers that exist, checks the caller's expectations, and
-- creates the others. Refuses CONSUMER_CONFLICT, INVALID_INPUT (a new consumer without project or user, an expiry in the past), each in the order of the input,
-- then NOT_FOUND (a consumer to take from), then what lock_reservations refuses.
--
-- consumers: `[{uuid, expect: {generation} | {generation, id} | {isNew} | {}, project, user, type, keepType, expiresIn, expiresAt, reservation, takeFrom, takesExpiry, allocations}]`. With
-- `expiresIn` seconds from now, or at `expiresAt`, the consumer expires; null: it lasts; without both its expiry stays as it is. `takesExpiry`: it expires when the one from
-- which it takes would, or later if it does so itself. `reservation`: see lock_reservations.
-- Returns, in the order of the input: the ids (null for a consumer that neither exists nor gets allocations); the ids of those that existed (`previous`); the
-- new projects, users and types, and the old ones (`old_…`); when they expire (`expiries`), from which reservations they claim (`reservations`), and the old ones of both; the places of the consumers from which they take (`sources`; null if none takes).
-- A consumer created here already has generation 1, and is rolled back if the write is refused.
-- only_checked: nothing is locked or created; the ids of consumers that would be created are negative.
-- imported: one created here has the `generation` of another service and, if they are given, `createdAt` and `updatedAt`.
--
-- First the existing consumers are locked, then the others are created, each time by uuid: a write that has created a consumer no longer waits for an
-- existing one. So a write that finds a consumer just created by another starts again, instead of locking it now.
create or replace function lock_consumers(
  consumers jsonb, only_checked boolean default false, imported boolean default false, out ids bigint[], out previous bigint[],
  out projects bigint[], out users bigint[], out types bigint[], out old_projects bigint[], out old_users bigint[], out old_types bigint[], out expiries timestamptz[],
  out old_expiries timestamptz[], out reservations bigint[], out old_reservations bigint[], out sources int[]
) language plpgsql as $$
declare
  owners record;
  uuids uuid[]; owner_of int[]; project_names text[]; user_names text[]; type_names text[]; generations bigint[];
  places jsonb; -- by uuid, if some take from others
  created int := 0;
  locked record;
  wanted jsonb;
  reasons jsonb := '[]';
begin
  select array_agg((e ->> 'uuid')::uuid order by place), array_agg(place order by place), array_agg(e ->> 'project' order by place),
         array_agg(e ->> 'user' order by place), array_agg(e ->> 'type' order by place)
  into uuids, owner_of, project_names, user_names, type_names
  from jsonb_array_elements(consumers) with ordinality as _(e, place);
  owners := owner_ids(project_names, user_names, type_names);
  if owners.unknown is not null then
    perform ask_for_names(owners.unknown);
  end if;
  projects := owners.project_ids; users := owners.user_ids; types := owners.type_ids;
  -- One by one: a join that was planned while there were few consumers would scan all of them.
  if only_checked then
    select array_agg(c.id order by place), array_agg(c.generation order by place), array_agg(c.project_id order by place),
           array_agg(c.user_id order by place), array_agg(c.consumer_type_id order by place), array_agg(c.expires_at order by place),
           array_agg(c.reservation_id order by place)
    into previous, generations, old_projects, old_users, old_types, old_expiries, old_reservations
    from unnest(uuids) with ordinality as named(uuid, place)
    left join lateral (select * from consumers c where c.uuid = named.uuid offset 0) c on true;
  else
    select array_agg(c.id order by place), array_agg(c.generation order by place), array_agg(c.project_id order by place),
           array_agg(c.user_id order by place), array_agg(c.consumer_type_id order by place), array_agg(c.expires_at order by place),
           array_agg(c.reservation_id order by place)
    into previous, generations, old_projects, old_users, old_types, old_expiries, old_reservations
    from (select * from unnest(uuids) with ordinality as _(uuid, place) order by uuid) named
    left join lateral (select * from consumers c where c.uuid = named.uuid for no key update) c on true;
  end if;

  -- Not a statement for each consumer: there may be 10,000.
  ids := previous;
  expiries := old_expiries; reservations := old_reservations;
  for n in 1..coalesce(cardinality(ids), 0) loop
    wanted := consumers -> (n - 1);
    if wanted -> 'expect' ? 'generation' and (wanted #>> '{expect,generation}')::bigint is distinct from generations[n]
       or wanted -> 'expect' ? 'id' and (wanted #>> '{expect,id}')::bigint is distinct from ids[n]
       or wanted -> 'expect' ? 'isNew' and ids[n] is not null then
      reasons := reasons || jsonb_build_object('code', 'CONSUMER_CONFLICT', 'details', jsonb_build_object(
        'consumer', uuids[n], 'expected', wanted #> '{expect,generation}', 'actual', generations[n]));
    elsif ids[n] is not null then
      projects[n] := coalesce(projects[n], old_projects[n]);
      users[n] := coalesce(users[n], old_users[n]);
      if (wanted ->> 'keepType')::boolean then
        types[n] := old_types[n];
      end if;
    elsif wanted ? 'takeFrom' or jsonb_array_length(wanted -> 'allocations') > 0 then
      if (projects[n] is null or users[n] is null) and not wanted ? 'takeFrom' then
        reasons := reasons || jsonb_build_object('code', 'INVALID_INPUT', 'details', jsonb_build_object(
          'consumer', uuids[n], 'message', 'project and user are required for a new consumer'));
      end if;
      ids[n] := case when only_checked then -n else nextval('consumers_id_seq') end;
      created := created + 1;
    end if;
    if wanted ? 'expiresIn' or wanted ? 'expiresAt' then
      expiries[n] := coalesce(now() + make_interval(secs => (wanted ->> 'expiresIn')::float8), (wanted ->> 'expiresAt')::timestamptz);
      if expiries[n] <= now() and not imported then
        reasons := reasons || jsonb_build_object('code', 'INVALID_INPUT', 'details', jsonb_build_object(
          'consumer', uuids[n], 'message', format('expiry must be in the future; the time of the database is %s', to_json(now()) #>> '{}')));
      end if;
    end if;
    -- As many as refuse_all looks at.
    exit when jsonb_array_length(reasons) > 100;
  end loop;
  if reasons <> '[]' then
    perform refuse_all(reasons);
  end if;

  if jsonb_path_exists(consumers, '$[*].takeFrom') then
    places := (select jsonb_object_agg(uuid, place) from unnest(uuids) with ordinality as _(uuid, place));
    for n in 1..cardinality(ids) loop
      sources[n] := (places ->> (consumers #>> array[(n - 1)::text, 'takeFrom']))::int;
      if sources[n] is not null then
        if previous[sources[n]] is null then
          perform refuse('NOT_FOUND', jsonb_build_object('noun', 'consumer', 'key', uuids[sources[n]]));
        end if;
        projects[n] := coalesce(projects[n], old_projects[sources[n]]);
        users[n] := coalesce(users[n], old_users[sources[n]]);
        if (consumers #>> array[(n - 1)::text, 'takesExpiry'])::boolean then
          expiries[n] := case
            when previous[n] is null or old_expiries[sources[n]] is null then old_expiries[sources[n]]
            when expiries[n] is not null then greatest(expiries[n], old_expiries[sources[n]]) end;
        end if;
      end if;
    end loop;
  end if;
  if consumers @? '$[*].reservation' or cardinality(array_remove(old_reservations, null)) > 0 then
    locked := lock_reservations(consumers, ids, projects, expiries, old_reservations, sources, only_checked, imported);
    expiries := locked.expiries; reservations := locked.reservations;
  end if;
  if created > 0 and not only_checked and create_consumers(
       ids, uuids, owner_of, projects, users, types, previous, case when imported then consumers end, expiries, reservations) < created then
    perform try_again('a consumer was created meanwhile');
  end if;
end $$;
