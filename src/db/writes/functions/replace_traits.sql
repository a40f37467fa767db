-- Replaces all traits of a provider. Refuses NOT_FOUND, PROVIDER_CONFLICT. An unchanged set writes nothing, as upstream.
-- Returns `providers` (one row), `traits`, `eventId`.
create or replace function replace_traits(request jsonb) returns jsonb language plpgsql as $$
declare
  provider resource_providers := require_provider((request ->> 'provider')::uuid, request -> 'expect');
  written jsonb := write_traits(provider, request -> 'traits');
  bumped jsonb;
  changes jsonb;
begin
  if written -> 'before' = written -> 'after' then
    return jsonb_build_object('providers', jsonb_build_array(provider_row(provider)), 'traits', trait_rows(provider.id), 'eventId', null);
  end if;
  bumped := bump_providers(array[provider.id]);
  changes := merge_changes(jsonb_build_object('providers', bumped -> 'changes'), changed_part(provider.uuid, 'traits', written));
  return jsonb_build_object('providers', bumped -> 'rows', 'traits', trait_rows(provider.id), 'eventId', record_event(request ->> 'kind', request -> 'by', changes));
end $$;
