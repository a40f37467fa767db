-- A provider with its inventories, traits and aggregates, in the form stored in events.
create or replace function provider_state(provider_id bigint) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'name', p.name, 'generation', p.generation,
    'parent', (select parent.uuid from resource_providers parent where parent.id = p.parent_provider_id),
    'inventories', inventory_states(p.id), 'traits', trait_names(p.id), 'aggregates', aggregate_uuids(p.id)
  )
  from resource_providers p where p.id = provider_id
$$;
