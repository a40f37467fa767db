-- All providers of the tree of a root, parents before children, each as provider_state with its `uuid` and its usage by class (`used`).
create or replace function tree_states(root_id bigint) returns jsonb language sql stable as $$
  with recursive below as (
    select p.id, p.uuid, 0 as depth from resource_providers p where p.id = root_id
    union all
    select child.id, child.uuid, below.depth + 1 from below join resource_providers child on child.parent_provider_id = below.id
  ) cycle id set is_loop using line
  select coalesce(jsonb_agg(provider_state(below.id) || jsonb_build_object('uuid', below.uuid, 'used', (
      select coalesce(jsonb_object_agg(rc.name, i.used), '{}') from inventories i join resource_classes rc on rc.id = i.resource_class_id
      where i.resource_provider_id = below.id
    )) order by below.depth, below.id), '[]')
  from below where not is_loop
$$;
