-- The names of the traits of a provider, sorted, as jsonb.
create or replace function trait_names(provider_id bigint) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(t.name order by t.name), '[]')
  from resource_provider_traits pt join traits t on t.id = pt.trait_id
  where pt.resource_provider_id = provider_id
$$;
