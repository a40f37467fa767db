-- Replaces all aggregates of locked providers. uuids: an array for each provider, all existing (ensure_aggregates), in any spelling that Postgres
-- reads; the first spelling of each is kept. Bumps nothing. While quotas are for aggregates, the forest and whole trees of roots are locked, too (note_zones).
create or replace function write_aggregates(provider_ids bigint[], uuids jsonb) returns void language plpgsql as $$
begin
  if has_zones() then
    -- The trees of the roots whose aggregates change.
    perform note_zones(array(
      select p.id from unnest(provider_ids) with ordinality as given(id, place)
      join resource_providers p on p.root_provider_id = given.id
      where array(
        select a.uuid from resource_provider_aggregates m join placement_aggregates a on a.id = m.aggregate_id where m.resource_provider_id = given.id order by 1
      ) <> array(select distinct spelled::uuid from jsonb_array_elements_text(uuids -> (given.place - 1)::int) spelled order by 1)));
  end if;
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
  on conflict (resource_provider_id, aggregate_id) do update set spelling = excluded.spelling;
end $$;
