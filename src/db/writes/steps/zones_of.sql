-- The aggregates in which what is held on a provider counts: those of its root; with noted (noted_zones), those before the write.
create or replace function zones_of(provider_id bigint, noted jsonb) returns table (zone bigint) language sql stable as $$
  select m.aggregate_id from resource_providers p join resource_provider_aggregates m on m.resource_provider_id = p.root_provider_id
  where p.id = provider_id and (noted is null or not noted ? provider_id::text)
  union all
  select (value #>> '{}')::bigint from jsonb_array_elements(noted -> provider_id::text) value
$$;
