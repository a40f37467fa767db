-- Deletes a provider. Refuses NOT_FOUND, PROVIDER_CONFLICT, HAS_CHILDREN, IN_USE. Returns `eventId`.
create or replace function delete_resource_provider(request jsonb) returns jsonb language plpgsql as $$
declare
  provider resource_providers;
  state jsonb;
begin
  perform lock_forest();
  provider := require_provider((request ->> 'provider')::uuid, request -> 'expect');
  state := erase_provider(provider);
  return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by',
    jsonb_build_object('providers', jsonb_build_object(provider.uuid, jsonb_build_object('before', state, 'after', null)))));
end $$;
