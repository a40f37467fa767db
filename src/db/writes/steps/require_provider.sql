-- Locks one provider, as lock_providers does, and checks the caller's expectation. Refuses NOT_FOUND, PROVIDER_CONFLICT.
-- expect: as for check_generation.
create or replace function require_provider(provider uuid, expect jsonb) returns resource_providers language plpgsql as $$
declare
  found_provider resource_providers;
begin
  if current_setting('placement.owned', true) <> '' then
    perform lock_providers(array(select p.id from resource_providers p where p.uuid = provider));
  end if;
  if current_setting('placement.awaited', true) = provider::text then
    perform set_config('lock_timeout', current_setting('placement.awaited_for'), true);
    select * into found_provider from resource_providers p where p.uuid = provider for no key update;
  elsif current_setting('placement.skip_locked', true) = 'on' then
    select * into found_provider from resource_providers p where p.uuid = provider for no key update skip locked;
    if not found then
      perform blocked_by(array(select p.uuid from resource_providers p where p.uuid = provider));
    end if;
  else
    select * into found_provider from resource_providers p where p.uuid = provider for no key update;
  end if;
  if found_provider.id is null then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', provider));
  end if;
  perform check_generation(found_provider, expect);
  return found_provider;
end $$;
