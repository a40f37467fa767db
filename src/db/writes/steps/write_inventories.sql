-- Sets inventories of a locked provider: step of replace_inventories, reshape and apply_provider_tree. Bumps nothing.
-- desired: `[{resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio}]`, checked by the caller.
-- keep_others: inventories of other classes are kept; otherwise they are deleted, refused with IN_USE if they have allocations.
-- Refuses NOT_FOUND (class), INVALID_INPUT (ranges, for callers that do not check). Returns `before` and `after` by class, and in
-- `warnings` those whose capacity is now below their usage.
create or replace function write_inventories(provider resource_providers, desired jsonb, keep_others boolean) returns jsonb language plpgsql as $$
declare
  before jsonb := inventory_states(provider.id);
  unknown text;
  in_use record;
begin
  -- Locked against deletion before anything is read: a write that waits here for a deletion finds the class gone.
  perform from resource_classes rc where rc.name in (select d ->> 'resourceClass' from jsonb_array_elements(desired) d) order by rc.id for key share;
  select d ->> 'resourceClass' into unknown from jsonb_array_elements(desired) d
  where not exists (select from resource_classes rc where rc.name = d ->> 'resourceClass') limit 1;
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', unknown));
  end if;
  if exists (
    select from jsonb_to_recordset(desired) as d(total bigint, reserved bigint, "minUnit" bigint, "maxUnit" bigint, "stepSize" bigint,
      "allocationRatio" double precision)
    where not (least(d.total, d."minUnit", d."maxUnit", d."stepSize") >= 1 and d.reserved >= 0
      and greatest(d.total, d.reserved, d."minUnit", d."maxUnit", d."stepSize") <= 2147483647 and abs(d."allocationRatio") <= 3.40282e38)
  ) then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', 'an inventory is out of range'));
  end if;
  if not keep_others then
    select rc.id, rc.name, count(*) as holders, (array_agg(c.uuid order by c.id))[:10] as uuids, array_agg(rc.name) over (order by rc.id rows
             between unbounded preceding and unbounded following) as classes into in_use
    from allocations a
    join resource_classes rc on rc.id = a.resource_class_id
    join consumers c on c.id = a.consumer_id
    where a.resource_provider_id = provider.id and not exists (select from jsonb_array_elements(desired) d where d ->> 'resourceClass' = rc.name)
    group by rc.id, rc.name order by rc.id limit 1;
    if found then
      perform refuse('IN_USE', jsonb_build_object(
        'noun', 'inventory', 'key', in_use.name, 'provider', provider.uuid, 'by', in_use.uuids, 'count', in_use.holders)
        || case when cardinality(in_use.classes) > 1 then jsonb_build_object('classes', in_use.classes) else '{}' end);
    end if;
    delete from inventories i using resource_classes rc
    where i.resource_provider_id = provider.id and rc.id = i.resource_class_id
      and not exists (select from jsonb_array_elements(desired) d where d ->> 'resourceClass' = rc.name);
  end if;
  insert into inventories as i
    (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
  select provider.id, rc.id, d.total, d.reserved, d."minUnit", d."maxUnit", d."stepSize", d."allocationRatio"
  from jsonb_to_recordset(desired) as d("resourceClass" text, total int, reserved int, "minUnit" int, "maxUnit" int, "stepSize" int,
    "allocationRatio" double precision)
  join resource_classes rc on rc.name = d."resourceClass"
  order by rc.id
  on conflict on constraint inventories_pkey do update set
    total = excluded.total, reserved = excluded.reserved, min_unit = excluded.min_unit, max_unit = excluded.max_unit,
    step_size = excluded.step_size, allocation_ratio = excluded.allocation_ratio, updated_at = now()
  where (i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio)
    is distinct from (excluded.total, excluded.reserved, excluded.min_unit, excluded.max_unit, excluded.step_size, excluded.allocation_ratio);
  return jsonb_build_object(
    'before', before, 'after', inventory_states(provider.id),
    'warnings', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', provider.uuid, 'resourceClass', rc.name, 'used', i.used, 'capacity', i.capacity)
        order by rc.id), '[]')
      from inventories i join resource_classes rc on rc.id = i.resource_class_id
      where i.resource_provider_id = provider.id and i.used > i.capacity
        and exists (select from jsonb_array_elements(desired) d where d ->> 'resourceClass' = rc.name)
    )
  );
end $$;
