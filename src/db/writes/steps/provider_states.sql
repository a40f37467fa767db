-- Providers with their columns (but for ids and times), inventories, traits and aggregates, by uuid, in the form stored in events. Lists are sorted.
-- Each part is found by its provider: joined as a whole, the parts of many providers would be compared each with each.
create or replace function provider_states(ids bigint[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(p.uuid, (provider_row(p) - '{id,uuid,parentId,rootId,createdAt,updatedAt}'::text[]) || jsonb_build_object(
    'parent', (select parent.uuid from resource_providers parent where parent.id = p.parent_provider_id),
    'inventories', (
      select coalesce(jsonb_object_agg(rc.name, inventory_record(
        i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio)), '{}')
      from inventories i join resource_classes rc on rc.id = i.resource_class_id where i.resource_provider_id = p.id
    ),
    'traits', (
      select coalesce(jsonb_agg(t.name order by t.name collate "C"), '[]')
      from resource_provider_traits pt join traits t on t.id = pt.trait_id where pt.resource_provider_id = p.id
    ),
    'aggregates', (
      select coalesce(jsonb_agg(a.uuid order by a.uuid), '[]')
      from resource_provider_aggregates pa join placement_aggregates a on a.id = pa.aggregate_id where pa.resource_provider_id = p.id
    )
  )), '{}')
  from resource_providers p where p.id = any(ids)
$$;
