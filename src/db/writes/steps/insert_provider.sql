-- Adds a provider under a parent (null: a root). Step of create_resource_provider; insert_providers adds many.
-- Returns the new row, or a row of nulls when the uuid or the name is taken.
create or replace function insert_provider(new_uuid uuid, new_name text, parent resource_providers, new_generation bigint default 0)
returns resource_providers language plpgsql as $$
declare
  added resource_providers;
begin
  -- A root refers to itself, so its id is drawn first, and only if there is no conflict, so that no id is wasted.
  if exists (select from resource_providers p where p.uuid = new_uuid or p.name = new_name) then
    return null;
  end if;
  added.id := nextval(pg_get_serial_sequence('resource_providers', 'id'));
  insert into resource_providers (id, uuid, name, generation, parent_provider_id, root_provider_id) overriding system value
  values (added.id, new_uuid, new_name, new_generation, parent.id, coalesce(parent.root_provider_id, added.id))
  on conflict do nothing
  returning * into added;
  if added.id is not null then
    perform mark_changed(array[added.id]);
  end if;
  return added;
end $$;
