-- Sets inventories of locked providers, of classes that are locked (lock_names) or that the providers have: step of replace_inventories, reshape, apply_provider_tree and import_resource_providers. Bumps nothing.
-- desired: for each provider `[{resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio}]`, checked by the caller.
-- keep_others: inventories of other classes are kept; otherwise they are deleted, refused with IN_USE if they have allocations or
-- reservations.
-- Refuses NOT_FOUND (class), INVALID_INPUT (ranges, for callers that do not check). Returns, as warnings, those whose capacity is now below
-- their usage.
create or replace function write_inventories(provider_ids bigint[], desired jsonb, keep_others boolean) returns jsonb language plpgsql as $$
declare
  names constant text[] := array(select distinct i ->> 'resourceClass' from jsonb_array_elements(desired) list cross join jsonb_array_elements(list) i);
  -- Classes whose names stay: those that the providers have, because a write that renames a class locks these providers, and those that are locked.
  settled int[];
  wanted_providers bigint[]; wanted_classes int[];
  unknown text;
  in_use record;
begin
  settled := array(
    select rc.id from resource_classes rc
    where rc.name = any(names) and exists (select from inventories i where i.resource_provider_id = any(provider_ids) and i.resource_class_id = rc.id));
  settled := settled || array(select rc.id from resource_classes rc where rc.name = any(names) and rc.id <> all(settled) order by rc.id for key share skip locked);
  if exists (select from resource_classes rc where rc.name = any(names) and rc.id <> all(settled)) then
    perform try_again('a resource class got its name meanwhile');
  end if;
  select i ->> 'resourceClass' into unknown from jsonb_array_elements(desired) list cross join jsonb_array_elements(list) i
  where not exists (select from resource_classes rc where rc.name = i ->> 'resourceClass') limit 1;
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', unknown));
  end if;
  if exists (
    select from jsonb_array_elements(desired) list
    cross join jsonb_to_recordset(list) as i(total bigint, reserved bigint, "minUnit" bigint, "maxUnit" bigint, "stepSize" bigint, "allocationRatio" double precision)
    where not (least(i.total, i."minUnit", i."maxUnit", i."stepSize") >= 1 and i.reserved >= 0
      and greatest(i.total, i.reserved, i."minUnit", i."maxUnit", i."stepSize") <= 2147483647 and abs(i."allocationRatio") <= 3.40282e38)
  ) then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', 'an inventory is out of range'));
  end if;

  select coalesce(array_agg(provider_ids[place]), '{}'), coalesce(array_agg(rc.id), '{}') into wanted_providers, wanted_classes
  from jsonb_array_elements(desired) with ordinality as _(list, place) cross join jsonb_array_elements(list) i
  join resource_classes rc on rc.name = i ->> 'resourceClass';
  if not keep_others then
    -- The first class of the first provider with such an inventory, and the names of all its classes.
    -- An allocation of a consumer that does not exist (findWrongAllocations) counts, too.
    select gone.provider_id, rc.name, count(*) as holders, coalesce((array_agg(c.uuid order by c.id) filter (where c.id is not null))[:10], '{}') as uuids, array_agg(rc.name) over (
             partition by gone.provider_id order by rc.id rows between unbounded preceding and unbounded following) as classes into in_use
    from (
      select i.resource_provider_id as provider_id, i.resource_class_id as class_id from inventories i where i.resource_provider_id = any(provider_ids)
      except select * from unnest(wanted_providers, wanted_classes)
    ) gone
    -- One by one, as in lock_consumers.
    cross join lateral (select * from allocations a where a.resource_provider_id = gone.provider_id and a.resource_class_id = gone.class_id offset 0) a
    join resource_classes rc on rc.id = gone.class_id
    left join lateral (select * from consumers c where c.id = a.consumer_id offset 0) c on true
    group by gone.provider_id, rc.id, rc.name order by array_position(provider_ids, gone.provider_id), rc.id limit 1;
    if found then
      perform refuse('IN_USE', jsonb_build_object(
        'noun', 'inventory', 'key', in_use.name, 'provider', (select p.uuid from resource_providers p where p.id = in_use.provider_id),
        'by', in_use.uuids, 'count', in_use.holders)
        || case when cardinality(in_use.classes) > 1 then jsonb_build_object('classes', in_use.classes) else '{}' end);
    end if;
    select gone.provider_id, rc.name, count(*) as keepers, (array_agg(r.uuid order by r.id))[:10] as uuids into in_use
    from (
      select i.resource_provider_id as provider_id, i.resource_class_id as class_id from inventories i where i.resource_provider_id = any(provider_ids)
      except select * from unnest(wanted_providers, wanted_classes)
    ) gone
    cross join lateral (select * from reservation_amounts a where a.resource_provider_id = gone.provider_id and a.resource_class_id = gone.class_id offset 0) a
    join resource_classes rc on rc.id = gone.class_id
    cross join lateral (select * from reservations r where r.id = a.reservation_id offset 0) r
    group by gone.provider_id, rc.id, rc.name order by array_position(provider_ids, gone.provider_id), rc.id limit 1;
    if found then
      perform refuse('IN_USE', jsonb_build_object(
        'noun', 'inventory', 'key', in_use.name, 'provider', (select p.uuid from resource_providers p where p.id = in_use.provider_id),
        'by', in_use.uuids, 'count', in_use.keepers, 'isReserved', true));
    end if;
    delete from inventories i using (
      select i.resource_provider_id as provider_id, i.resource_class_id as class_id from inventories i where i.resource_provider_id = any(provider_ids)
      except select * from unnest(wanted_providers, wanted_classes)
    ) gone
    where i.resource_provider_id = gone.provider_id and i.resource_class_id = gone.class_id;
  end if;
  insert into inventories as i
    (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
  select provider_ids[place], rc.id, d.total, d.reserved, d."minUnit", d."maxUnit", d."stepSize", d."allocationRatio"
  from jsonb_array_elements(desired) with ordinality as _(list, place)
  cross join jsonb_to_recordset(list) as d("resourceClass" text, total int, reserved int, "minUnit" int, "maxUnit" int, "stepSize" int,
    "allocationRatio" double precision)
  join resource_classes rc on rc.name = d."resourceClass"
  order by provider_ids[place], rc.id
  on conflict on constraint inventories_pkey do update set
    total = excluded.total, reserved = excluded.reserved, min_unit = excluded.min_unit, max_unit = excluded.max_unit,
    step_size = excluded.step_size, allocation_ratio = excluded.allocation_ratio, updated_at = now()
  where (i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio)
    is distinct from (excluded.total, excluded.reserved, excluded.min_unit, excluded.max_unit, excluded.step_size, excluded.allocation_ratio);
  -- Fenced, so that each is found by its whole key: the index of the class alone, which seems as good while tables are small, finds the inventories of all
  -- providers.
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'provider', (select p.uuid from resource_providers p where p.id = wanted.provider_id),
      'resourceClass', (select rc.name from resource_classes rc where rc.id = wanted.class_id), 'used', i.used, 'capacity', i.capacity)
      order by array_position(provider_ids, wanted.provider_id), wanted.class_id), '[]')
    from unnest(wanted_providers, wanted_classes) as wanted(provider_id, class_id)
    cross join lateral (
      select i.used, i.capacity from inventories i where i.resource_provider_id = wanted.provider_id and i.resource_class_id = wanted.class_id offset 0
    ) i
    where i.used > i.capacity
  );
end $$;
