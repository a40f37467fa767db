-- Writes inventories of one provider: replaceInventories, setInventory (`keepOthers`), deleteInventory (`remove`: one class).
-- `exists`: whether the provider must already have the one given inventory (true) or must not have it (false).
-- Refuses NOT_FOUND, DUPLICATE, PROVIDER_CONFLICT, IN_USE. Bumps the provider always. Returns `providers` (one row), `inventories`, `warnings`,
-- `unkept` (unkept_promises), `eventId`.
create or replace function replace_inventories(request jsonb) returns jsonb language plpgsql as $$
declare
  desired jsonb := request -> 'inventories';
  provider resource_providers;
  before jsonb;
  held jsonb;
  warnings jsonb;
  bumped jsonb;
begin
  perform lock_names(array(select i ->> 'resourceClass' from jsonb_array_elements(desired) i), '{}');
  provider := require_provider((request ->> 'provider')::uuid, request -> 'expect');
  before := provider_states(array[provider.id]);
  held := before -> provider.uuid::text -> 'inventories';
  if request ? 'remove' then
    if not held ? (request ->> 'remove') then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'inventory', 'key', request ->> 'remove'));
    end if;
    select coalesce(jsonb_agg(value || jsonb_build_object('resourceClass', key)), '[]') into desired
    from jsonb_each(held) where key <> request ->> 'remove';
  end if;
  if request ? 'exists' and (request ->> 'exists')::boolean <> (held ? (desired -> 0 ->> 'resourceClass')) then
    perform refuse(case when (request ->> 'exists')::boolean then 'NOT_FOUND' else 'DUPLICATE' end, jsonb_build_object(
      'noun', 'inventory', 'key', desired -> 0 ->> 'resourceClass', 'field', 'name', 'existing', null));
  end if;
  warnings := write_inventories(array[provider.id], jsonb_build_array(desired), coalesce((request ->> 'keepOthers')::boolean, false));
  bumped := bump_providers(array[provider.id]);
  return jsonb_build_object(
    'providers', bumped -> 'rows', 'warnings', warnings, 'inventories', inventory_rows(array[provider.id]),
    'unkept', unkept_promises(array[provider.id], array(select i ->> 'resourceClass' from jsonb_array_elements(desired) i)),
    'eventId', record_event(request ->> 'kind', request -> 'by', changes_since(before, array[provider.id]))
  );
end $$;
