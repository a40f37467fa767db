-- The second half of every allocation write: sets the allocations of the given consumers, which lock_consumers has locked.
-- Locks the providers allocated from and released, and only then, in later statements, reads and checks. Refuses NOT_FOUND, NO_INVENTORY,
-- UNIT_VIOLATION, CAPACITY_EXCEEDED (in this order, but first for what is claimed from reservations; within one code in the order of the input; one reason per consumer).
--
-- consumers, locked: as for and from lock_consumers.
-- imported: the allocations were decided by another service: capacity and units are not checked, and `generation` of each consumer is kept, as are
-- `createdAt` and `updatedAt` if they are given. Rows of the consumers are not returned.
-- only_checked: for what lock_consumers has only checked. Refuses without having locked or written anything, and returns nothing.
-- raised: the generations of the providers are increased; otherwise the caller does that, and gets neither their rows nor their changes.
-- is_room_given: what is allocated is there already, so capacity and units are not checked.
-- has_quotas: refuses QUOTA_EXCEEDED, after all others, if a quota of a project would be exceeded.
-- Returns rows of the consumers (in the order of the input, null for those without allocations) and of the providers, the changes of both in the
-- form of an event (event_changes), the subjects of the event, and the classes that are held now (by name) and that were held before or are now.
create or replace function write_allocations(
  consumers jsonb, locked record, imported boolean default false, only_checked boolean default false, raised boolean default true,
  is_room_given boolean default false, has_quotas boolean default false,
  out consumers_after json, out providers_after jsonb, out consumer_changes json, out provider_changes jsonb, out consumer_uuids uuid[],
  out provider_ids bigint[], out provider_uuids uuid[], out project_names text[], out class_ids jsonb, out class_names text[]
) language plpgsql as $$
declare
  ids constant bigint[] := locked.ids;
  count constant int := coalesce(cardinality(locked.ids), 0);
  is_given constant boolean := imported or is_room_given;
  -- The consumers that existed, each at its place, and what they were.
  previous constant bigint[] := locked.previous;
  has_previous constant boolean := cardinality(array_remove(previous, null)) > 0;
  old_states json[]; old_generations bigint[]; old_projects text[]; created_ats timestamptz[];
  sources constant int[] := locked.sources;
  takers int[]; -- by row_consumer of what they take over: no two take from one (allocation-writes.ts)
  projects constant bigint[] := locked.projects; users constant bigint[] := locked.users; types constant bigint[] := locked.types;
  expiries constant timestamptz[] := locked.expiries;
  claimed_from constant bigint[] := locked.reservations;
  -- The previous allocations, one element each, with negative amounts. Their row_consumers follow all consumers.
  held_consumers int[] := '{}'; held_providers bigint[] := '{}'; held_classes int[] := '{}'; held_amounts bigint[] := '{}';
  -- The new allocations, in the order of the input; then those that are taken over; then the previous ones. `asked_`: as they are named in the input. Of an amount that
  -- no inventory gives at once, the least such is summed up.
  asked_providers uuid[]; asked_classes text[]; asked_amounts bigint[];
  row_consumers int[]; providers bigint[]; classes int[]; amounts bigint[];
  nth int[]; -- 1, 2, …: each allocation has its own provider and class here, and each consumer its own owner
  added int;
  provider_locks bigint[];
  open_rows int[];
  -- The allocations whose room depends on time, because there are reservations, and the others; from which reservation each is claimed.
  timed int[] := '{}'; others int[];
  claims_from bigint[];
  missing record;
  reasons jsonb;
  bumped jsonb;
  is_within boolean;
begin
  if has_previous then
    select coalesce(array_agg(count + place), '{}'), coalesce(array_agg(resource_provider_id), '{}'),
           coalesce(array_agg(resource_class_id), '{}'), coalesce(array_agg(-used), '{}')
    into held_consumers, held_providers, held_classes, held_amounts
    -- One by one, as in lock_consumers.
    from (
      select held.place, a.* from unnest(previous) with ordinality as held(id, place)
      cross join lateral (select * from allocations a where a.consumer_id = held.id offset 0) a order by held.place
    ) held;
  end if;
  select coalesce(array_agg(asked.place), '{}'), coalesce(array_agg(asked.provider), '{}'), coalesce(array_agg(asked.provider_id), '{}'),
         coalesce(array_agg(asked.class), '{}'), coalesce(array_agg(asked.amount), '{}'), coalesce(array_agg(least(asked.amount, 2147483648)), '{}')
  into row_consumers, asked_providers, providers, asked_classes, asked_amounts, amounts
  from (
    select place, (r ->> 'provider')::uuid as provider, p.id as provider_id, r ->> 'resourceClass' as class, (r ->> 'amount')::bigint as amount
    from jsonb_array_elements(consumers) with ordinality as _(c, place)
    cross join jsonb_array_elements(c -> 'allocations') with ordinality as __(r, row)
    left join resource_providers p on p.uuid = (r ->> 'provider')::uuid
    order by place, row
  ) asked;
  nth := array(select generate_series(1, greatest(cardinality(amounts) + 2 * cardinality(held_amounts), 2 * count)));
  if only_checked and not (has_quotas and exists (select from quota_uses)) and fit_alone(providers, nth, asked_classes, nth, amounts) then
    return;
  end if;
  if not only_checked then
    provider_ids := array(select id from unnest(providers) id where id is not null union select unnest(held_providers));
    provider_locks := lock_providers(provider_ids);
    if cardinality(provider_locks) < cardinality(provider_ids) then
      providers := ids_among(providers, provider_locks);
    end if;
  end if;
  classes := class_ids_of(asked_classes);
  if has_previous then
    select array_agg(c.state order by c.place), array_agg(c.generation order by c.place), array_agg(c.project order by c.place),
           array_agg(c.created_at order by c.place)
    into old_states, old_generations, old_projects, created_ats
    from consumer_rows(previous) c;
  end if;
  if sources is not null then
    takers := array_fill(null::int, array[2 * count]);
    for taker in 1..count loop
      if sources[taker] is not null then
        takers[count + sources[taker]] := taker;
      end if;
    end loop;
    select row_consumers || array_agg(taker), providers || array_agg(provider), classes || array_agg(class), amounts || array_agg(-amount)
    into row_consumers, providers, classes, amounts
    from (
      select takers[held.consumer] as taker, held.provider, held.class, held.amount
      from unnest(held_consumers, held_providers, held_classes, held_amounts) as held(consumer, provider, class, amount)
      where takers[held.consumer] is not null order by taker
    ) taken;
  end if;

  if array_position(providers, null) is not null or array_position(classes, null) is not null then
    select asked.provider, asked.class, asked.id is null as provider_missing into missing
    from unnest(asked_providers, providers, asked_classes) with ordinality as asked(provider, id, class, n)
    where n <= cardinality(asked_classes) and (asked.id is null or not exists (select from resource_classes rc where rc.name = asked.class))
    order by n limit 1;
    if not found then
      perform try_again('a resource class was created meanwhile');
    end if;
    perform refuse('NOT_FOUND', case when missing.provider_missing
      then jsonb_build_object('noun', 'resourceProvider', 'key', missing.provider)
      else jsonb_build_object('noun', 'resourceClass', 'key', missing.class) end);
  end if;
  added := cardinality(amounts);
  row_consumers := row_consumers || held_consumers; providers := providers || held_providers; classes := classes || held_classes; amounts := amounts || held_amounts;
  others := nth[:cardinality(amounts)];
  if exists (select from reservations) then
    claims_from := array(select (claimed_from || locked.old_reservations)[consumer] from unnest(row_consumers) with ordinality as _(consumer, n) order by n);
    if not is_given then
      perform claim_from_reservations(consumers, row_consumers, providers, classes, amounts, claims_from);
    end if;
    timed := reserved_rows(providers, nth, classes, others);
    others := array(select unnest(others) except select unnest(timed) order by 1);
  end if;
  if only_checked then
    open_rows := others;
  elsif cardinality(timed) = 0 then
    open_rows := take_room(providers, nth, classes, nth, amounts, is_given);
  else
    open_rows := array(
      select others[n] from unnest(take_room(providers, others, classes, others, array(select amounts[n] from unnest(others) n), is_given)) n);
  end if;
  if cardinality(open_rows) > 0 or cardinality(timed) > 0 then
    select jsonb_agg(reason order by rank, place) into reasons
    from (
      -- For each consumer the first row that violates a rule, by rank of the rule.
      select distinct on (row_consumers[refused.place]) refused.place, refused.rank, refused_allocation(
               -- If a class was deleted while this write waited for its provider, its name is in the request only.
               consumers #>> array[(row_consumers[refused.place] - 1)::text, 'uuid'], providers[refused.place], coalesce(rc.name, asked_classes[refused.place]),
               rc.id is null, refused.rank, coalesce(asked_amounts[refused.place], amounts[refused.place]), refused.inventory, refused.requested, refused.available) as reason
      from (
        select * from refused_rows(providers, nth, classes, nth, amounts, open_rows, is_given)
        union all
        select * from refused_rows(providers, nth, classes, nth, amounts, timed, is_given) now where now.rank < 3
        union all
        select m.place, 3, null, m.requested, m.available
        from misfits_in_time(
          providers, nth, classes, nth, amounts, array[]::timestamptz[], array(
            select (expiries || locked.old_expiries)[consumer] from unnest(row_consumers) with ordinality as _(consumer, n) order by n),
          claims_from, timed, true) m
        where not is_given
      ) refused
      left join resource_classes rc on rc.id = classes[refused.place]
      order by row_consumers[refused.place], refused.rank, refused.place
    ) refused;
    if reasons is not null then
      perform refuse_all(reasons);
    end if;
    if cardinality(timed) > 0 and not only_checked then
      perform take_reserved_room(providers, classes, amounts, claims_from, timed);
    end if;
  end if;
  is_within := case when only_checked then not exists (select from quota_uses) else take_quotas(
    projects || locked.old_projects, users || locked.old_users, types || locked.old_types, nth, row_consumers, providers, nth, classes, nth, amounts) end;
  if has_quotas and not is_within then
    select jsonb_agg(beyond.reason order by beyond.consumer) into reasons
    from (
      select distinct on (o.consumer) o.consumer, jsonb_set(o.reason, '{details,consumer}', consumers #> array[(o.consumer - 1)::text, 'uuid']) as reason
      from over_quotas(
        projects || locked.old_projects, users || locked.old_users, types || locked.old_types, nth, row_consumers, providers, nth, classes, nth, amounts, count,
        not only_checked) o
      order by o.consumer, o.nth
    ) beyond;
    if reasons is not null then
      perform refuse_all(reasons);
    end if;
  end if;
  if only_checked then
    return;
  end if;

  perform hold_allocations(
    ids || ids, nth, projects || locked.old_projects, users || locked.old_users, types || locked.old_types,
    row_consumers, providers, nth, classes, nth, amounts);
  if has_previous then
    -- All exist. One by one, as in lock_consumers: an update may read all consumers to join them.
    insert into consumers as c (id, uuid, project_id, user_id, consumer_type_id, generation, created_at, updated_at, expires_at, reservation_id) overriding system value
    select previous[place], (e ->> 'uuid')::uuid, projects[place], users[place], types[place],
           case when imported then (e ->> 'generation')::bigint else old_generations[place] + 1 end,
           coalesce(case when imported then (e ->> 'createdAt')::timestamptz end, created_ats[place]),
           coalesce(case when imported then (e ->> 'updatedAt')::timestamptz end, now()), expiries[place], claimed_from[place]
    from jsonb_array_elements(consumers) with ordinality as _(e, place)
    where previous[place] is not null and (e ? 'takeFrom' or jsonb_array_length(e -> 'allocations') > 0)
    on conflict on constraint consumers_pkey do update set
      project_id = excluded.project_id, user_id = excluded.user_id, consumer_type_id = excluded.consumer_type_id, generation = excluded.generation,
      created_at = excluded.created_at, updated_at = excluded.updated_at, expires_at = excluded.expires_at, reservation_id = excluded.reservation_id;
    delete from consumers c where c.id = any(array(
      select previous[place] from jsonb_array_elements(consumers) with ordinality as _(e, place)
      where not e ? 'takeFrom' and jsonb_array_length(e -> 'allocations') = 0));
  end if;
  if cardinality(timed) > 0 then
    perform mark_changed(array(select distinct providers[n] from unnest(timed) n));
  end if;
  perform mark_used(provider_ids);
  if raised then
    bumped := case when imported then '{"rows": [], "changes": {}}' else raise_generations(provider_ids) end;
    providers_after := bumped -> 'rows';
    provider_changes := bumped -> 'changes';
    provider_uuids := array(select jsonb_object_keys(provider_changes)::uuid);
  end if;
  select coalesce(jsonb_object_agg(rc.name, rc.id) filter (where rc.id = any(classes[:added])), '{}'), coalesce(array_agg(rc.name), '{}') into class_ids, class_names
  from resource_classes rc where rc.id = any(array(select distinct unnest(classes)));
  -- The new states come from the request and the previous states: nothing is read again. Fenced by offsets, because expressions would otherwise be computed
  -- again for each use.
  with wanted as (
    select place, e, old_states[place] as old, old_states[sources[place]] as source
    from jsonb_array_elements(consumers) with ordinality as _(e, place)
    offset 0
  ), holding as (
    select *, coalesce(source -> 'allocations', case jsonb_array_length(e -> 'allocations')
             when 0 then null
             when 1 then (e -> 'allocations')::text::json
             else (select json_agg(r order by r ->> 'provider' collate "C", r ->> 'resourceClass' collate "C") from jsonb_array_elements(e -> 'allocations') r)
             end) as held
    from wanted
    offset 0
  ), shown as materialized (
    select place, e ->> 'uuid' as uuid, old, held, old is not null or held is not null as touched,
           case when imported then (e ->> 'generation')::bigint else coalesce(old_generations[place], 0) + 1 end as generation,
           coalesce(e ->> 'project', old_projects[place], source ->> 'project') as project,
           coalesce(e ->> 'user', old ->> 'user', source ->> 'user') as owner,
           case when (e ->> 'keepType')::boolean and old is not null then old ->> 'type' else e ->> 'type' end as type,
           expiries[place] as expires_at, expiries[place] is not null or old -> 'expiresAt' is not null as has_expiry,
           case when claimed_from[place] is not null then (select r.uuid from reservations r where r.id = claimed_from[place]) end as reservation
    from holding
    order by place
  )
  select coalesce(json_agg(case when held is not null and not imported then json_build_object(
           'id', ids[place], 'uuid', uuid, 'createdAt', coalesce(created_ats[place], now()), 'updatedAt', now(), 'generation', generation,
           'project', project, 'user', owner, 'type', type, 'expiresAt', expires_at,
           'reservation', reservation, 'allocations', held) end order by place), '[]'),
         coalesce(json_object_agg(uuid, json_build_object('before', old, 'after', case
           when held is null then null
           when reservation is null and old -> 'reservation' is not null then
             (consumer_state(generation, project, owner, type, has_expiry, expires_at, null, held)::jsonb || '{"reservation": null}')::json
           else consumer_state(generation, project, owner, type, has_expiry, expires_at, reservation, held) end)) filter (where touched), '{}'),
         coalesce(array_agg(uuid::uuid) filter (where touched), '{}'), array_agg(distinct project) filter (where held is not null)
  into consumers_after, consumer_changes, consumer_uuids, project_names
  from shown;
  project_names := array(select unnest(project_names) union select unnest(old_projects));
end $$;
