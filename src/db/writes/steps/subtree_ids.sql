-- The ids of a provider and its descendants. Stable only while the forest is locked.
create or replace function subtree_ids(top bigint) returns bigint[] language sql stable as $$
  with recursive below as (
    select id from resource_providers where id = top
    union
    -- One by one, as in lock_consumers.
    select child.id from below cross join lateral (select p.id from resource_providers p where p.parent_provider_id = below.id offset 0) child
  )
  select coalesce(array_agg(id), '{}') from below
$$;
