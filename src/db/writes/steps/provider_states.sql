-- Providers with their inventories, traits and aggregates, by uuid, in the form stored in events. Lists are sorted.
create or replace function provider_states(ids bigint[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(p.uuid, jsonb_build_object(
    'name', p.name, 'generation', p.generation, 'parent', parent.uuid, 'inventories', coalesce(held.inventories, '{}'),
    'traits', coalesce(characterized.traits, '[]'), 'aggregates', coalesce(joined.aggregates, '[]'))), '{}')
  from resource_providers p
  left join resource_providers parent on parent.id = p.parent_provider_id
  left join (
    select i.resource_provider_id, jsonb_object_agg(rc.name, inventory_record(
      i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio)) as inventories
    from inventories i join resource_classes rc on rc.id = i.resource_class_id
    where i.resource_provider_id = any(ids) group by i.resource_provider_id
  ) held on held.resource_provider_id = p.id
  left join (
    select pt.resource_provider_id, jsonb_agg(t.name order by t.name collate "C") as traits
    from resource_provider_traits pt join traits t on t.id = pt.trait_id
    where pt.resource_provider_id = any(ids) group by pt.resource_provider_id
  ) characterized on characterized.resource_provider_id = p.id
  left join (
    select pa.resource_provider_id, jsonb_agg(a.uuid order by a.uuid) as aggregates
    from resource_provider_aggregates pa join placement_aggregates a on a.id = pa.aggregate_id
    where pa.resource_provider_id = any(ids) group by pa.resource_provider_id
  ) joined on joined.resource_provider_id = p.id
  where p.id = any(ids)
$$;
