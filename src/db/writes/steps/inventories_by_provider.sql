-- The inventories of providers by uuid, each by class name, in the form stored in events.
create or replace function inventories_by_provider(ids bigint[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(p.uuid, (
    select coalesce(jsonb_object_agg(rc.name, inventory_record(i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio)), '{}')
    from inventories i join resource_classes rc on rc.id = i.resource_class_id where i.resource_provider_id = p.id
  )), '{}')
  from resource_providers p where p.id = any(ids)
$$;
