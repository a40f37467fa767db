-- The second half of every allocation write: sets the allocations of the given consumers, which lock_consumers has locked.
-- Locks the providers allocated from and released, and only then, in later statements, reads and checks. Refuses NOT_FOUND, NO_INVENTORY,
-- UNIT_VIOLATION, CAPACITY_EXCEEDED (in this order; within one code in the order of the input; one reason per consumer).
--
-- consumers, ids, created: as for and from lock_consumers.
-- imported: the allocations were decided by another service: capacity and units are not checked, and `generation` of each consumer is kept.
-- only_checked: for what lock_consumers has only checked. Refuses without having locked or written anything, and returns nothing.
-- Returns rows of the consumers (in the order of the input, null for those without allocations) and of the providers, the changes in the
-- form of an event, and the subjects of the event.
create or replace function write_allocations(
  consumers jsonb, ids bigint[], created boolean[], imported boolean default false, only_checked boolean default false,
  out consumers_after jsonb, out providers_after jsonb, out changes jsonb, out consumer_uuids uuid[], out provider_uuids uuid[], out project_ids text[]
) language plpgsql as $$
declare
  -- The previous allocations, one element each.
  held_consumers bigint[] := '{}'; held_providers bigint[] := '{}'; held_classes int[] := '{}'; held_amounts bigint[] := '{}';
  -- The new allocations, one element each, in the order of the input.
  new_consumers bigint[]; new_providers bigint[]; new_classes int[]; new_amounts bigint[];
  existing bigint[] := array(select c from unnest(ids, created) as _(c, is_new) where not is_new and c is not null);
  takes boolean := jsonb_path_exists(consumers, '$[*].takeFrom');
  missing record;
  reasons jsonb;
  provider_ids bigint[];
  before jsonb := '{}';
  bumped jsonb;
  -- Keys of consumer_states that events do not store.
  row_parts constant text[] := '{id,uuid,createdAt,updatedAt}';
begin
  if cardinality(existing) > 0 then
    select coalesce(array_agg(a.consumer_id), '{}'), coalesce(array_agg(a.resource_provider_id), '{}'),
           coalesce(array_agg(a.resource_class_id), '{}'), coalesce(array_agg(a.used), '{}')
    into held_consumers, held_providers, held_classes, held_amounts
    from allocations a where a.consumer_id = any(existing);
  end if;
  provider_ids := array(
    select p.id from jsonb_array_elements(consumers) c cross join jsonb_array_elements(c -> 'allocations') r
    join resource_providers p on p.uuid = (r ->> 'provider')::uuid
    union
    select unnest(held_providers));
  if not only_checked then
    perform lock_providers(provider_ids);
  end if;

  -- Names of classes are read only now: no class that these providers have can be renamed any more.
  select coalesce(array_agg(ids[place] order by place, row), '{}'), coalesce(array_agg(p.id order by place, row), '{}'),
         coalesce(array_agg(rc.id order by place, row), '{}'), coalesce(array_agg((r ->> 'amount')::bigint order by place, row), '{}')
  into new_consumers, new_providers, new_classes, new_amounts
  from jsonb_array_elements(consumers) with ordinality as _(c, place)
  cross join jsonb_array_elements(c -> 'allocations') with ordinality as __(r, row)
  left join resource_providers p on p.uuid = (r ->> 'provider')::uuid and p.id = any(provider_ids)
  left join resource_classes rc on rc.name = r ->> 'resourceClass';
  if cardinality(existing) > 0 then
    before := consumer_states(existing);
  end if;
  if takes then
    for missing in
      select c ->> 'takeFrom' as source from jsonb_array_elements(consumers) c
      where c ? 'takeFrom' and coalesce(jsonb_array_length(before #> array[c ->> 'takeFrom', 'allocations']), 0) = 0
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
        on held.consumer = (before #>> array[c ->> 'takeFrom', 'id'])::bigint
      where c ? 'takeFrom'
    ) taken;
  end if;

  if array_position(new_providers, null) is not null or array_position(new_classes, null) is not null then
    select r ->> 'provider' as provider, r ->> 'resourceClass' as class, p.id is null as provider_missing into missing
    from jsonb_array_elements(consumers) with ordinality as _(c, place)
    cross join jsonb_array_elements(c -> 'allocations') with ordinality as __(r, row)
    left join resource_providers p on p.uuid = (r ->> 'provider')::uuid and p.id = any(provider_ids)
    left join resource_classes rc on rc.name = r ->> 'resourceClass'
    where p.id is null or rc.id is null
    order by place, row limit 1;
    if not found then
      perform try_again('a resource class was created meanwhile');
    end if;
    perform refuse('NOT_FOUND', case when missing.provider_missing
      then jsonb_build_object('noun', 'resourceProvider', 'key', missing.provider)
      else jsonb_build_object('noun', 'resourceClass', 'key', missing.class) end);
  end if;

  -- The capacity rule (domain/inventory.ts): the request's total for an inventory plus the usage by other consumers must not exceed the
  -- capacity, unless that total is no more than the request's consumers held there before.
  select jsonb_agg(reason order by rank, place) into reasons
  from (
    -- For each consumer the first row that violates a rule, by rank of the rule.
    select distinct on (asked.consumer) asked.place, kind.rank, refused_allocation(
             -- A class deleted while this write waited for its provider has no name any more except in the request.
             consumers #>> array[(array_position(ids, asked.consumer) - 1)::text, 'uuid'], asked.provider, asked.class, coalesce(rc.name, (
               select r ->> 'resourceClass' from jsonb_array_elements(consumers) with ordinality as _(c, place)
               cross join jsonb_array_elements(c -> 'allocations') with ordinality as __(r, row)
               order by _.place, row offset asked.place - 1 limit 1)),
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
      or not imported and (
        not obeys_units(asked.amount, i.min_unit, i.max_unit, i.step_size)
        or (i.used - asked.released + asked.requested > i.capacity and asked.requested > asked.released)
      )
    )
    order by asked.consumer, kind.rank, asked.place
  ) refused;
  if reasons is not null then
    perform refuse_all(reasons);
  end if;
  if only_checked then
    return;
  end if;

  if cardinality(held_consumers) > 0 then
    delete from allocations a using (
      select * from unnest(held_consumers, held_providers, held_classes)
      except select * from unnest(new_consumers, new_providers, new_classes)
    ) as gone(consumer, provider, class)
    where a.consumer_id = gone.consumer and a.resource_provider_id = gone.provider and a.resource_class_id = gone.class;
  end if;
  insert into allocations as a (consumer_id, resource_provider_id, resource_class_id, used)
  select * from unnest(new_consumers, new_providers, new_classes, new_amounts)
  on conflict on constraint allocations_pkey do update set used = excluded.used where a.used <> excluded.used;

  update inventories i set used = i.used + change.delta
  from (
    select provider, class, sum(amount) as delta
    from (
      select * from unnest(new_providers, new_classes, new_amounts) as _(provider, class, amount)
      union all
      select held.provider, held.class, -held.amount from unnest(held_providers, held_classes, held_amounts) as held(provider, class, amount)
    ) rows
    group by provider, class having sum(amount) <> 0
  ) change
  where i.resource_provider_id = change.provider and i.resource_class_id = change.class;

  if cardinality(existing) > 0 or takes or imported then
    update consumers c set
      generation = case when imported then wanted.generation when wanted.created then c.generation else c.generation + 1 end,
      updated_at = now(),
      project_id = coalesce(wanted.project_id, nullif(c.project_id, 0), source.project_id),
      user_id = coalesce(wanted.user_id, nullif(c.user_id, 0), source.user_id),
      consumer_type_id = case when wanted.keep_type then c.consumer_type_id else wanted.type_id end
    from (
      select ids[place] as id, write_allocations.created[place] as created, (e ->> 'generation')::bigint as generation,
             (select p.id from projects p where p.external_id = e ->> 'project') as project_id,
             (select u.id from users u where u.external_id = e ->> 'user') as user_id,
             (select t.id from consumer_types t where t.name = e ->> 'type') as type_id,
             coalesce((e ->> 'keepType')::boolean, false) as keep_type,
             (e ->> 'takeFrom')::uuid as take_from
      from jsonb_array_elements(consumers) with ordinality as _(e, place)
      where e ? 'takeFrom' or jsonb_array_length(e -> 'allocations') > 0
    ) wanted
    left join consumers source on source.uuid = wanted.take_from
    where c.id = wanted.id and (imported or not wanted.created or wanted.take_from is not null);
    delete from consumers c where c.id = any(array(
      select ids[place] from jsonb_array_elements(consumers) with ordinality as _(e, place)
      where not e ? 'takeFrom' and jsonb_array_length(e -> 'allocations') = 0));
  end if;

  perform mark_used(provider_ids);
  bumped := case when imported then '{"rows": [], "changes": {}}' else raise_generations(provider_ids) end;
  providers_after := bumped -> 'rows';
  provider_uuids := array(select jsonb_object_keys(bumped -> 'changes')::uuid);
  -- The new states come from the request and the previous ones: nothing is read again. Fenced by offsets: otherwise expressions would be computed again
  -- for each use.
  with wanted as (
    select place, e, before -> (e ->> 'uuid') as old, before -> (e ->> 'takeFrom') as source
    from jsonb_array_elements(consumers) with ordinality as _(e, place)
    offset 0
  ), holding as (
    select *, coalesce(source -> 'allocations', (
             select jsonb_agg(r order by r ->> 'provider' collate "C", r ->> 'resourceClass' collate "C") from jsonb_array_elements(e -> 'allocations') r)) as held
    from wanted
    offset 0
  ), shown as materialized (
    select place, e ->> 'uuid' as uuid, old, old is not null or held is not null as touched, case when held is not null then jsonb_build_object(
      'generation', case when imported then (e ->> 'generation')::bigint else coalesce((old ->> 'generation')::bigint, 0) + 1 end,
      'project', coalesce(e ->> 'project', old ->> 'project', source ->> 'project'),
      'user', coalesce(e ->> 'user', old ->> 'user', source ->> 'user'),
      'type', case when (e ->> 'keepType')::boolean then old ->> 'type' else e ->> 'type' end,
      'allocations', held
    ) end as new
    from holding
  )
  select coalesce(jsonb_agg(consumer_row(ids[place], uuid::uuid, coalesce((old ->> 'createdAt')::timestamptz, now()), new) order by place), '[]'),
         jsonb_build_object('providers', bumped -> 'changes', 'consumers', coalesce(
           jsonb_object_agg(uuid, jsonb_build_object('before', old - row_parts, 'after', new)) filter (where touched), '{}')),
         coalesce(array_agg(uuid::uuid) filter (where touched), '{}'),
         array_agg(new ->> 'project') || array_agg(old ->> 'project')
  into consumers_after, changes, consumer_uuids, project_ids
  from shown;
end $$;
