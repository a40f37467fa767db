-- Renames a class (`from`) to `name`, as Placement allowed before 1.7. Its inventories and allocations appear under the new name from now
-- on, so the event lists them as changed. Refuses NOT_FOUND, DUPLICATE. Returns `eventId`.
create or replace function rename_resource_class(request jsonb) returns jsonb language plpgsql as $$
declare
  renamed int;
  consumer_ids bigint[];
  provider_ids bigint[];
  consumers_before jsonb;
  providers_before jsonb;
  changes jsonb;
  -- Keys of consumer_states that events do not store.
  row_parts constant text[] := '{id,uuid,createdAt,updatedAt}';
begin
  select rc.id into renamed from resource_classes rc where rc.name = request ->> 'from' for update;
  if not found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', request ->> 'from'));
  end if;
  consumer_ids := array(
    select c.id from consumers c where c.id in (select a.consumer_id from allocations a where a.resource_class_id = renamed)
    order by c.uuid for no key update);
  provider_ids := array(select i.resource_provider_id from inventories i where i.resource_class_id = renamed);
  perform lock_providers(provider_ids);
  consumers_before := consumer_states(consumer_ids);
  select coalesce(jsonb_object_agg(p.uuid, inventory_states(p.id)), '{}') into providers_before
  from resource_providers p where p.id = any(provider_ids);
  begin
    update resource_classes rc set name = request ->> 'name', updated_at = now(), changed_xid = pg_current_xact_id() where rc.id = renamed;
  exception when unique_violation then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceClass', 'field', 'name', 'key', request ->> 'name', 'existing', null));
  end;
  perform mark_changed(provider_ids);
  select jsonb_build_object(
    'resourceClasses', jsonb_build_object(
      request ->> 'from', jsonb_build_object('before', '{}'::jsonb, 'after', null),
      request ->> 'name', jsonb_build_object('before', null, 'after', '{}'::jsonb)),
    'providers', (
      select coalesce(jsonb_object_agg(p.uuid, jsonb_build_object(
        'before', jsonb_build_object('inventories', providers_before -> p.uuid::text),
        'after', jsonb_build_object('inventories', inventory_states(p.id)))), '{}')
      from resource_providers p where p.id = any(provider_ids)),
    'consumers', (
      select coalesce(jsonb_object_agg(uuid, jsonb_build_object(
        'before', (consumers_before -> uuid) - row_parts, 'after', state - row_parts)), '{}')
      from jsonb_each(consumer_states(consumer_ids)) as known(uuid, state)))
  into changes;
  return jsonb_build_object('eventId', record_event(
    request ->> 'kind', request -> 'by', changes,
    array(select distinct state ->> 'project' from jsonb_each(consumers_before) as known(uuid, state))));
end $$;
