-- Replaces all traits of a provider. Refuses NOT_FOUND, PROVIDER_CONFLICT. An unchanged set writes nothing, as upstream.
-- Returns `providers` (one row), `traits`, `eventId`.
create or replace function replace_traits(request jsonb) returns jsonb language plpgsql as $$
declare
  provider resource_providers;
  before jsonb;
  bumped jsonb;
begin
  perform lock_names('{}', array(select jsonb_array_elements_text(request -> 'traits')));
  provider := require_provider((request ->> 'provider')::uuid, request -> 'expect');
  before := provider_states(array[provider.id]);
  perform write_traits(array[provider.id], jsonb_build_array(request -> 'traits'));
  if before = provider_states(array[provider.id]) then
    return jsonb_build_object('providers', jsonb_build_array(provider_row(provider)), 'traits', trait_rows(provider.id), 'eventId', null);
  end if;
  bumped := bump_providers(array[provider.id]);
  return jsonb_build_object(
    'providers', bumped -> 'rows', 'traits', trait_rows(provider.id),
    'eventId', record_event(request ->> 'kind', request -> 'by', changes_since(before, array[provider.id])));
end $$;
