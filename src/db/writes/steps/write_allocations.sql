-- The second half of every allocation write: sets the allocations of the given consumers, which lock_consumers has locked.
-- Locks the providers allocated from and released, and only then, in later statements, reads and checks. Refuses NOT_FOUND, NO_INVENTORY,
-- UNIT_VIOLATION, CAPACITY_EXCEEDED (in this order; within one code in the order of the input; one reason per consumer).
--
-- consumers, ids, created: as for and from lock_consumers.
-- imported: the allocations were decided by another service: capacity and units are not checked, and `generation` of each consumer is kept, as are
-- `createdAt` and `updatedAt` if they are given. Rows of the consumers are not returned.
-- only_checked: for what lock_consumers has only checked. Refuses without having locked or written anything, and returns nothing.
-- raised: the generations of the providers are increased; otherwise the caller does that, and gets neither their rows nor their changes.
-- is_room_given: what is allocated is there already, so capacity and units are not checked.
-- Returns rows of the consumers (in the order of the input, null for those without allocations) and of the providers, the changes of both in the
-- form of an event (event_changes), the subjects of the event, and the classes that are held now (by name) and that were held before or are now.
create or replace function write_allocations(
  consumers jsonb, ids bigint[], created boolean[], imported boolean default false, only_checked boolean default false, raised boolean default true,
  is_room_given boolean default false,
  out consumers_after json, out providers_after jsonb, out consumer_changes json, out provider_changes jsonb, out consumer_uuids uuid[],
  out provider_ids bigint[], out provider_uuids uuid[], out project_names text[], out class_ids jsonb, out class_names text[]
) language plpgsql as $$
declare
  -- The consumers that existed, each at its place.
  previous bigint[] := array(select case when not is_new then c end from unnest(ids, created) with ordinality as _(c, is_new, place) order by place);
  existing bigint[] := array_remove(previous, null);
  released project_usages[];
  old_states json[]; old_generations bigint[]; old_projects text[]; created_ats timestamptz[];
  -- The previous allocations, one element each.
  held_consumers bigint[] := '{}'; held_providers bigint[] := '{}'; held_classes int[] := '{}'; held_amounts bigint[] := '{}';
  -- The new allocations, one element each, in the order of the input; then those that are taken over. `asked_`: as they are named there.
  asked_providers uuid[]; asked_classes text[];
  new_consumers bigint[]; new_providers bigint[]; new_classes int[]; new_amounts bigint[];
  -- The inventories of all these, and by how much their usage changes.
  used_providers bigint[]; used_classes int[]; used_changes numeric[];
  is_doubtful boolean;
  takes boolean := jsonb_path_exists(consumers, '$[*].takeFrom');
  places jsonb; -- of consumers, by uuid
  missing record;
  reasons jsonb;
  bumped jsonb;
begin
  if cardinality(existing) > 0 then
    select coalesce(array_agg(a.consumer_id), '{}'), coalesce(array_agg(a.resource_provider_id), '{}'),
           coalesce(array_agg(a.resource_class_id), '{}'), coalesce(array_agg(a.used), '{}')
    into held_consumers, held_providers, held_classes, held_amounts
    from allocations a where a.consumer_id = any(existing);
  end if;
  select coalesce(array_agg(ids[asked.place]), '{}'), coalesce(array_agg(asked.provider), '{}'), coalesce(array_agg(asked.provider_id), '{}'),
         coalesce(array_agg(asked.class), '{}'), coalesce(array_agg(asked.amount), '{}')
  into new_consumers, asked_providers, new_providers, asked_classes, new_amounts
  from (
    select place, (r ->> 'provider')::uuid as provider, p.id as provider_id, r ->> 'resourceClass' as class, (r ->> 'amount')::bigint as amount
    from jsonb_array_elements(consumers) with ordinality as _(c, place)
    cross join jsonb_array_elements(c -> 'allocations') with ordinality as __(r, row)
    left join resource_providers p on p.uuid = (r ->> 'provider')::uuid
    order by place, row
  ) asked;
  if not only_checked then
    provider_ids := array(select id from unnest(new_providers) id where id is not null union select unnest(held_providers));
    perform lock_providers(provider_ids);
    if exists (select from unnest(provider_ids) as given(id) where not exists (select from resource_providers p where p.id = given.id)) then
      -- Providers deleted before the lock was granted count as unknown.
      new_providers := array(
        select (select p.id from resource_providers p where p.id = _.id) from unnest(new_providers) with ordinality as _(id, n) order by n);
    end if;
  end if;

  -- Names of classes are read only now: no class that these providers have can be renamed any more.
  new_classes := array(select rc.id from unnest(asked_classes) with ordinality as asked(class, n) left join resource_classes rc on rc.name = asked.class order by n);
  if cardinality(existing) > 0 then
    select array_agg(c.state order by c.place), array_agg(c.generation order by c.place), array_agg(c.project order by c.place),
           array_agg(c.created_at order by c.place)
    into old_states, old_generations, old_projects, created_ats
    from consumer_rows(previous) c;
  end if;
  if takes then
    places := (select jsonb_object_agg(e ->> 'uuid', place) from jsonb_array_elements(consumers) with ordinality as _(e, place));
    for missing in
      select c ->> 'takeFrom' as source from jsonb_array_elements(consumers) c
      where c ? 'takeFrom' and coalesce(json_array_length(old_states[(places ->> (c ->> 'takeFrom'))::int] -> 'allocations'), 0) = 0
    loop
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'consumer', 'key', missing.source));
    end loop;
    select new_consumers || array_agg(taken.taker), new_providers || array_agg(taken.provider), new_classes || array_agg(taken.class),
           new_amounts || array_agg(taken.amount)
    into new_consumers, new_providers, new_classes, new_amounts
    from (
      select ids[place] as taker, held.provider, held.class, held.amount
      from jsonb_array_elements(consumers) with ordinality as _(c, place)
      join unnest(held_consumers, held_providers, held_classes, held_amounts) as held(consumer, provider, class, amount)
        on held.consumer = previous[(places ->> (c ->> 'takeFrom'))::int]
      where c ? 'takeFrom'
    ) taken;
  end if;

  if array_position(new_providers, null) is not null or array_position(new_classes, null) is not null then
    select asked.provider, asked.class, asked.id is null as provider_missing into missing
    from unnest(asked_providers, new_providers, asked_classes) with ordinality as asked(provider, id, class, n)
    where n <= cardinality(asked_classes) and (asked.id is null or not exists (select from resource_classes rc where rc.name = asked.class))
    order by n limit 1;
    if not found then
      perform try_again('a resource class was created meanwhile');
    end if;
    perform refuse('NOT_FOUND', case when missing.provider_missing
      then jsonb_build_object('noun', 'resourceProvider', 'key', missing.provider)
      else jsonb_build_object('noun', 'resourceClass', 'key', missing.class) end);
  end if;

  -- The capacity rule (domain/inventory.ts): the request's total for an inventory plus the usage by other consumers must not exceed the
  -- capacity, unless that total is no more than the request's consumers held there before.
  if not only_checked then
    select coalesce(array_agg(asked.provider), '{}'), coalesce(array_agg(asked.class), '{}'), coalesce(array_agg(asked.requested - asked.released), '{}'),
           coalesce(bool_or(asked.least is not null and (i.resource_provider_id is null or not (imported or is_room_given) and (
             asked.least < i.min_unit or asked.most > i.max_unit or i.step_size > 1
             or (i.used - asked.released + asked.requested > i.capacity and asked.requested > asked.released)))), false)
    into used_providers, used_classes, used_changes, is_doubtful
    from (
      select provider, class, coalesce(sum(wanted), 0) as requested, coalesce(sum(held), 0) as released, min(wanted) as least, max(wanted) as most
      from (
        select provider, class, amount as wanted, null::bigint as held from unnest(new_providers, new_classes, new_amounts) as _(provider, class, amount)
        union all
        select provider, class, null, amount from unnest(held_providers, held_classes, held_amounts) as _(provider, class, amount)
      ) rows
      group by provider, class
    ) asked
    left join inventories i on i.resource_provider_id = asked.provider and i.resource_class_id = asked.class;
  end if;
  -- Only if some inventory may be overdrawn: which consumers violate which rule.
  if only_checked or is_doubtful then
    select jsonb_agg(reason order by rank, place) into reasons
    from (
      -- For each consumer the first row that violates a rule, by rank of the rule.
      select distinct on (asked.consumer) asked.place, kind.rank, refused_allocation(
               -- If a class was deleted while this write waited for its provider, its name is in the request only.
               consumers #>> array[(array_position(ids, asked.consumer) - 1)::text, 'uuid'], asked.provider, asked.class, coalesce(rc.name, asked_classes[asked.place]),
               rc.id is null, kind.rank, asked.amount, i, asked.requested, greatest(i.capacity - (i.used - asked.released), asked.released, 0)) as reason
      from (
        select consumer, provider, class, amount, place,
               sum(case when place is null then 0 else amount end) over same_inventory as requested,
               sum(case when place is null then amount else 0 end) over same_inventory as released
        from (
          select * from unnest(new_consumers, new_providers, new_classes, new_amounts) with ordinality as _(consumer, provider, class, amount, place)
          union all
          select held.*, null from unnest(held_consumers, held_providers, held_classes, held_amounts) as held
        ) rows
        window same_inventory as (partition by provider, class)
      ) asked
      left join inventories i on i.resource_provider_id = asked.provider and i.resource_class_id = asked.class
      left join resource_classes rc on rc.id = asked.class
      cross join lateral (select case
        when i.resource_provider_id is null then 1
        when not obeys_units(asked.amount, i.min_unit, i.max_unit, i.step_size) then 2
        else 3 end as rank) kind
      where asked.place is not null and (
        i.resource_provider_id is null
        or not (imported or is_room_given) and (
          not obeys_units(asked.amount, i.min_unit, i.max_unit, i.step_size)
          or (i.used - asked.released + asked.requested > i.capacity and asked.requested > asked.released)
        )
      )
      order by asked.consumer, kind.rank, asked.place
    ) refused;
    if reasons is not null then
      perform refuse_all(reasons);
    end if;
  end if;
  if only_checked then
    return;
  end if;

  if cardinality(existing) > 0 then
    released := array(select u from usages_of(existing, held_consumers, held_classes, held_amounts) u);
  end if;
  if cardinality(held_consumers) > 0 then
    delete from allocations a using (
      select * from unnest(held_consumers, held_providers, held_classes)
      except select * from unnest(new_consumers, new_providers, new_classes)
    ) as gone(consumer, provider, class)
    -- Found by consumer, whatever the statistics say: an inventory may have 10,000 allocations.
    where a.consumer_id = gone.consumer and a.resource_provider_id + 0 = gone.provider and a.resource_class_id + 0 = gone.class;
  end if;
  insert into allocations as a (consumer_id, resource_provider_id, resource_class_id, used)
  select * from unnest(new_consumers, new_providers, new_classes, new_amounts)
  on conflict on constraint allocations_pkey do update set used = excluded.used where a.used <> excluded.used;

  update inventories i set used = i.used + change.delta
  from unnest(used_providers, used_classes, used_changes) as change(provider, class, delta)
  where change.delta <> 0 and i.resource_provider_id = change.provider and i.resource_class_id = change.class;

  if cardinality(existing) > 0 or takes then
    update consumers c set
      generation = case when imported then wanted.generation when wanted.created then c.generation else c.generation + 1 end,
      created_at = coalesce(wanted.created_at, c.created_at),
      updated_at = coalesce(wanted.updated_at, now()),
      project_id = coalesce(wanted.project_id, nullif(c.project_id, 0), source.project_id),
      user_id = coalesce(wanted.user_id, nullif(c.user_id, 0), source.user_id),
      consumer_type_id = case when wanted.keep_type then c.consumer_type_id else wanted.type_id end
    from (
      select ids[place] as id, write_allocations.created[place] as created, (e ->> 'generation')::bigint as generation, p.id as project_id,
             u.id as user_id, t.id as type_id, coalesce((e ->> 'keepType')::boolean, false) as keep_type, (e ->> 'takeFrom')::uuid as take_from,
             case when imported then (e ->> 'createdAt')::timestamptz end as created_at, case when imported then (e ->> 'updatedAt')::timestamptz end as updated_at
      from jsonb_array_elements(consumers) with ordinality as _(e, place)
      left join projects p on p.external_id = e ->> 'project'
      left join users u on u.external_id = e ->> 'user'
      left join consumer_types t on t.name = e ->> 'type'
      where e ? 'takeFrom' or jsonb_array_length(e -> 'allocations') > 0
    ) wanted
    left join consumers source on source.uuid = wanted.take_from
    where c.id = wanted.id and (not wanted.created or wanted.take_from is not null);
    delete from consumers c where c.id = any(array(
      select ids[place] from jsonb_array_elements(consumers) with ordinality as _(e, place)
      where not e ? 'takeFrom' and jsonb_array_length(e -> 'allocations') = 0));
  end if;

  insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount)
  select project_id, user_id, consumer_type_id, resource_class_id, sum(sign * amount)
  from (
    select 1 as sign, u.* from usages_of(ids, new_consumers, new_classes, new_amounts) u union all select -1, u.* from unnest(released) u
  ) changed
  group by 1, 2, 3, 4 having sum(sign * amount) <> 0;
  perform mark_used(provider_ids);
  if raised then
    bumped := case when imported then '{"rows": [], "changes": {}}' else raise_generations(provider_ids) end;
    providers_after := bumped -> 'rows';
    provider_changes := bumped -> 'changes';
    provider_uuids := array(select jsonb_object_keys(provider_changes)::uuid);
  end if;
  select coalesce(jsonb_object_agg(rc.name, rc.id) filter (where rc.id = any(new_classes)), '{}'), coalesce(array_agg(rc.name), '{}') into class_ids, class_names
  from resource_classes rc where rc.id = any(array(select unnest(new_classes) union select unnest(held_classes)));
  -- The new states come from the request and the previous states: nothing is read again. Fenced by offsets, because expressions would otherwise be computed
  -- again for each use.
  with wanted as (
    select place, e, old_states[place] as old, case when takes then old_states[(places ->> (e ->> 'takeFrom'))::int] end as source
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
           case when (e ->> 'keepType')::boolean and old is not null then old ->> 'type' else e ->> 'type' end as type
    from holding
    order by place
  )
  select coalesce(json_agg(case when held is not null and not imported then json_build_object(
           'id', ids[place], 'uuid', uuid, 'createdAt', coalesce(created_ats[place], now()), 'updatedAt', now(), 'generation', generation,
           'project', project, 'user', owner, 'type', type, 'allocations', held) end order by place), '[]'),
         coalesce(json_object_agg(uuid, json_build_object('before', old, 'after', case when held is not null then json_build_object(
           'generation', generation, 'project', project, 'user', owner, 'type', type, 'allocations', held) end)) filter (where touched), '{}'),
         coalesce(array_agg(uuid::uuid) filter (where touched), '{}'), array_agg(distinct project) filter (where held is not null)
  into consumers_after, consumer_changes, consumer_uuids, project_names
  from shown;
  project_names := array(select unnest(project_names) union select unnest(old_projects));
end $$;
