-- The traits of a provider in the form of write answers, by name.
create or replace function trait_rows(provider_id bigint) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.name collate "C"), '[]')
  from resource_provider_traits pt join traits t on t.id = pt.trait_id where pt.resource_provider_id = provider_id
$$;
