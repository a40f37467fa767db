-- The inventories of providers in the form of write answers: by provider id, the rows that the service would read now.
create or replace function inventory_rows(provider_ids bigint[]) returns json language sql stable as $$
  select coalesce(json_object_agg(wanted.id, (
    select coalesce(json_agg(json_build_object(
      'providerId', i.resource_provider_id, 'classId', i.resource_class_id, 'className', rc.name, 'total', i.total, 'reserved', i.reserved,
      'minUnit', i.min_unit, 'maxUnit', i.max_unit, 'stepSize', i.step_size, 'allocationRatio', i.allocation_ratio, 'capacity', i.capacity,
      'used', i.used, 'promised', i.promised, 'updatedAt', i.updated_at) order by i.resource_class_id), '[]')
    from inventories i join resource_classes rc on rc.id = i.resource_class_id where i.resource_provider_id = wanted.id
  )), '{}') from unnest(provider_ids) as wanted(id)
$$;
