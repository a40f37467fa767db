-- Refuses DUPLICATE, naming the provider that has the uuid or, failing that, the name.
create or replace function refuse_duplicate_provider(taken_uuid uuid, taken_name text) returns void language plpgsql as $$
declare
  existing resource_providers;
begin
  select * into existing from resource_providers p where p.uuid = taken_uuid;
  if found then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceProvider', 'key', taken_uuid, 'field', 'uuid', 'existing', existing.uuid));
  end if;
  select * into existing from resource_providers p where p.name = taken_name;
  if not found then
    perform try_again('a provider was deleted or renamed meanwhile');
  end if;
  perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceProvider', 'key', taken_name, 'field', 'name', 'existing', existing.uuid));
end $$;
