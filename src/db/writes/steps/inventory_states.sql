-- The inventories of a provider by class name, without their use: the form that events keep.
create or replace function inventory_states(provider_id bigint) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(rc.name, jsonb_build_object(
    'total', i.total, 'reserved', i.reserved, 'minUnit', i.min_unit, 'maxUnit', i.max_unit, 'stepSize', i.step_size,
    'allocationRatio', i.allocation_ratio
  )), '{}')
  from inventories i join resource_classes rc on rc.id = i.resource_class_id
  where i.resource_provider_id = provider_id
$$;
