-- The parent and the root of a provider in the form of write answers; none for a root.
create or replace function rows_above(provider resource_providers) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(provider_row(p) order by p.id), '[]') from resource_providers p
  where p.id in (provider.parent_provider_id, provider.root_provider_id) and p.id <> provider.id
$$;
