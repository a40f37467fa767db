-- The aggregates of a provider in the form of write answers, by uuid.
create or replace function aggregate_rows(provider_id bigint) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'uuid', a.uuid, 'name', a.name) order by a.uuid), '[]')
  from resource_provider_aggregates pa join placement_aggregates a on a.id = pa.aggregate_id where pa.resource_provider_id = provider_id
$$;
