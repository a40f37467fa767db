-- The ids of a provider and its descendants. Stable only while the forest is locked.
create or replace function subtree_ids(top bigint) returns bigint[] language sql stable as $$
  with recursive below as (
    select id from resource_providers where id = top
    union
    select child.id from resource_providers child join below on child.parent_provider_id = below.id
  )
  select coalesce(array_agg(id), '{}') from below
$$;
