-- Replaces all aggregates of locked providers. uuids: an array for each provider, all existing (ensure_aggregates), in any spelling that Postgres
-- reads; the first spelling of each is kept. Bumps nothing.
create or replace function write_aggregates(provider_ids bigint[], uuids jsonb) returns void language sql as $$
  with wanted as materialized (
    select distinct on (provider_id, a.id) provider_ids[place] as provider_id, a.id as aggregate_id, nullif(spelled, a.uuid::text) as spelling
    from jsonb_array_elements(uuids) with ordinality as _(list, place) cross join jsonb_array_elements_text(list) with ordinality as given(spelled, at)
    join placement_aggregates a on a.uuid = spelled::uuid
    order by provider_id, a.id, at
  ),
  gone as (
    delete from resource_provider_aggregates pa using (
      select had.resource_provider_id as provider_id, had.aggregate_id from resource_provider_aggregates had where had.resource_provider_id = any(provider_ids)
      except select provider_id, aggregate_id from wanted
    ) unwanted
    where pa.resource_provider_id = unwanted.provider_id and pa.aggregate_id = unwanted.aggregate_id
  )
  insert into resource_provider_aggregates (resource_provider_id, aggregate_id, spelling)
  select provider_id, aggregate_id, spelling from wanted
  where not exists (
    select from resource_provider_aggregates had
    where had.resource_provider_id = wanted.provider_id and had.aggregate_id = wanted.aggregate_id and had.spelling is not distinct from wanted.spelling)
  order by provider_id, aggregate_id
  on conflict (resource_provider_id, aggregate_id) do update set spelling = excluded.spelling
$$;
