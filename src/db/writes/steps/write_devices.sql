-- Replaces all devices of a root provider: step of apply_report. Returns the changes by address, in the form of an event's changes.
-- desired: `[{address, …}]`, addresses unique; all other keys are stored as given.
create or replace function write_devices(provider_id bigint, desired jsonb) returns jsonb language plpgsql as $$
declare
  changes jsonb;
begin
  -- Serializes reports: of two concurrent ones each would delete what the other has just written.
  perform from resource_providers p where p.id = provider_id for no key update;
  select jsonb_object_agg(address, changed_keys(had.body, wanted.body)) into changes
  from (select d.address, d.body from devices d where d.resource_provider_id = provider_id) had
  full join (select d ->> 'address' as address, d - 'address' as body from jsonb_array_elements(desired) d) wanted using (address)
  where had.body is distinct from wanted.body;
  if changes is null then
    return '{}';
  end if;
  delete from devices d where d.resource_provider_id = provider_id and changes -> d.address -> 'after' = 'null';
  insert into devices as known (resource_provider_id, address, body)
  select provider_id, d ->> 'address', d - 'address' from jsonb_array_elements(desired) d where changes ? (d ->> 'address')
  on conflict on constraint devices_pkey do update set body = excluded.body, updated_at = now();
  return jsonb_build_object('devices', changes);
end $$;
