-- Replaces all aggregates of a provider. Refuses NOT_FOUND, PROVIDER_CONFLICT. Always bumps the provider, as upstream does since 1.19,
-- unless `keepGeneration` (before 1.19). Returns `providers` (one row), `aggregates`, `eventId`.
create or replace function replace_aggregates(request jsonb) returns jsonb language plpgsql as $$
declare
  has_zones constant boolean := has_zones();
  provider resource_providers;
  before jsonb;
  bumped jsonb;
begin
  if has_zones then
    perform lock_forest();
  end if;
  perform ensure_aggregates(request -> 'aggregates');
  if has_zones then
    -- What is held in the tree then counts against other quotas (note_zones).
    perform lock_providers(subtree_ids((select p.id from resource_providers p where p.uuid = (request ->> 'provider')::uuid)));
  end if;
  provider := require_provider((request ->> 'provider')::uuid, request -> 'expect');
  before := provider_states(array[provider.id]);
  perform write_aggregates(array[provider.id], jsonb_build_array(request -> 'aggregates'));
  if (request ->> 'keepGeneration')::boolean then
    update resource_providers p set updated_at = now() where p.id = provider.id returning * into provider;
    perform mark_changed(array[provider.id]);
    bumped := jsonb_build_object('rows', jsonb_build_array(provider_row(provider)), 'changes', '{}'::jsonb);
  else
    bumped := bump_providers(array[provider.id]);
  end if;
  return jsonb_build_object(
    'providers', bumped -> 'rows', 'aggregates', aggregate_rows(provider.id),
    'eventId', record_event(request ->> 'kind', request -> 'by', changes_since(before, array[provider.id])));
end $$;
