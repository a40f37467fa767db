-- The uuids of the aggregates of a provider, sorted, as jsonb.
create or replace function aggregate_uuids(provider_id bigint) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(a.uuid order by a.uuid), '[]')
  from resource_provider_aggregates pa join placement_aggregates a on a.id = pa.aggregate_id
  where pa.resource_provider_id = provider_id
$$;
