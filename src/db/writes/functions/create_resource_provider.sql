-- Creates a provider; with `ensure` an existing one with the same uuid, name and parent will do.
-- Refuses NOT_FOUND (parent), DUPLICATE. Returns `providers` (one row), `above` (its parent and root), `created`, `eventId`.
create or replace function create_resource_provider(request jsonb) returns jsonb language plpgsql as $$
declare
  parent resource_providers;
  added resource_providers;
  existing resource_providers;
begin
  if request ->> 'parent' is not null then
    perform lock_forest();
    select * into parent from resource_providers p where p.uuid = (request ->> 'parent')::uuid;
    if not found then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'parent', 'key', request ->> 'parent'));
    end if;
  end if;
  -- A root refers to itself, so its id is drawn first, and only if there is no conflict, so that no id is wasted.
  if not exists (select from resource_providers p where p.uuid = (request ->> 'uuid')::uuid or p.name = request ->> 'name') then
    added.id := nextval(pg_get_serial_sequence('resource_providers', 'id'));
    insert into resource_providers (id, uuid, parent_provider_id, root_provider_id, <<givenColumns>>) overriding system value
    values (added.id, (request ->> 'uuid')::uuid, parent.id, coalesce(parent.root_provider_id, added.id), <<givenValues>>)
    on conflict do nothing
    returning * into added;
  end if;
  if added.id is not null then
    perform mark_changed(array[added.id]);
    return jsonb_build_object('providers', jsonb_build_array(provider_row(added)), 'above', rows_above(added), 'created', true, 'eventId', record_event(
      request ->> 'kind', request -> 'by',
      jsonb_build_object('providers', jsonb_build_object(added.uuid, jsonb_build_object('before', null, 'after', provider_state(added.id))))));
  end if;
  select * into existing from resource_providers p where p.uuid = (request ->> 'uuid')::uuid;
  if found and (request ->> 'ensure')::boolean and existing.name = request ->> 'name'
     and existing.parent_provider_id is not distinct from parent.id then
    return jsonb_build_object('providers', jsonb_build_array(provider_row(existing)), 'above', rows_above(existing), 'created', false, 'eventId', null);
  end if;
  perform refuse_duplicate_provider((request ->> 'uuid')::uuid, request ->> 'name');
end $$;
