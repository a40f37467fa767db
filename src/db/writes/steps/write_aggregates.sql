-- Replaces all aggregates of a locked provider, creating new ones. Bumps nothing. Returns `before` and `after`.
create or replace function write_aggregates(provider resource_providers, uuids jsonb) returns jsonb language plpgsql as $$
declare
  before jsonb := aggregate_uuids(provider.id);
begin
  delete from resource_provider_aggregates pa using placement_aggregates a
  where pa.resource_provider_id = provider.id and a.id = pa.aggregate_id and not uuids ? a.uuid::text;
  insert into resource_provider_aggregates (resource_provider_id, aggregate_id)
  select provider.id, a.id from (select distinct jsonb_array_elements_text(uuids)::uuid) as wanted(uuid) join placement_aggregates a using (uuid)
  order by a.id
  on conflict do nothing;
  return jsonb_build_object('before', before, 'after', aggregate_uuids(provider.id));
end $$;
