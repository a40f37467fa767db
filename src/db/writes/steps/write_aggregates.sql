-- Replaces all aggregates of locked providers. uuids: an array for each provider, all existing (ensure_aggregates). Bumps nothing.
create or replace function write_aggregates(provider_ids bigint[], uuids jsonb) returns void language sql as $$
  with wanted as materialized (
    select distinct provider_ids[place] as provider_id, a.id as aggregate_id
    from jsonb_array_elements(uuids) with ordinality as _(list, place) cross join jsonb_array_elements_text(list) wanted
    join placement_aggregates a on a.uuid = wanted::uuid
  ),
  gone as (
    delete from resource_provider_aggregates pa using (
      select had.resource_provider_id as provider_id, had.aggregate_id from resource_provider_aggregates had where had.resource_provider_id = any(provider_ids)
      except select provider_id, aggregate_id from wanted
    ) unwanted
    where pa.resource_provider_id = unwanted.provider_id and pa.aggregate_id = unwanted.aggregate_id
  )
  insert into resource_provider_aggregates (resource_provider_id, aggregate_id)
  select provider_id, aggregate_id from wanted order by provider_id, aggregate_id
  on conflict do nothing
$$;
