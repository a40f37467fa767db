-- Renames a class (`from`) to `name`, as Placement allowed before 1.7. Its inventories and allocations appear under the new name from now
-- on, so the event lists them as changed, and reservations that keep some of it, and quotas that name it. Refuses NOT_FOUND, DUPLICATE. Returns `eventId`.
-- Its consumers are not locked: a write that changes one of their allocations has locked the provider, and one class is renamed after the other.
create or replace function rename_resource_class(request jsonb) returns jsonb language plpgsql as $$
declare
  old_name text := request ->> 'from';
  new_name text := request ->> 'name';
  renamed int;
  reservation_ids bigint[];
  provider_ids bigint[];
  consumers jsonb;
  records jsonb;
  reserving text[];
  changes jsonb;
begin
  perform pg_advisory_xact_lock(8778009, hashtext('resource_classes'::regclass::oid::text));
  select rc.id into renamed from resource_classes rc where rc.name = old_name for update;
  if not found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', old_name));
  end if;
  -- Checked first: two writes that exchange names would wait for each other in the update.
  if exists (select from resource_classes rc where rc.name = new_name) then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceClass', 'field', 'name', 'key', new_name, 'existing', null));
  end if;
  begin
    update resource_classes rc set name = new_name, updated_at = now(), changed_xid = pg_current_xact_id() where rc.id = renamed;
  exception when unique_violation then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceClass', 'field', 'name', 'key', new_name, 'existing', null));
  end;
  -- Locked, unlike consumers: one that loses what it keeps elsewhere (drop_reserved_amounts) is changed without the lock of these providers.
  reservation_ids := array(
    select r.id from reservations r where r.id in (select a.reservation_id from reservation_amounts a where a.resource_class_id = renamed)
    order by r.id for no key update);
  perform lock_providers(array(select i.resource_provider_id from inventories i where i.resource_class_id = renamed));
  -- Read again: an inventory may have been deleted meanwhile. None was added, because that needs the lock of the class.
  provider_ids := array(select i.resource_provider_id from inventories i where i.resource_class_id = renamed);
  if exists (select from reservation_amounts a where a.resource_class_id = renamed and a.reservation_id <> all(reservation_ids)) then
    perform try_again('a reservation of the class was made meanwhile');
  end if;
  perform mark_changed(provider_ids);
  select coalesce(jsonb_object_agg(uuid, state - '{id,uuid,createdAt,updatedAt}'::text[]), '{}') into consumers
  from jsonb_each(consumer_states(array(select distinct a.consumer_id from allocations a where a.resource_class_id = renamed))) as known(uuid, state);
  select jsonb_build_object(
    'resourceClasses', jsonb_build_object(
      old_name, jsonb_build_object('before', '{}'::jsonb, 'after', null),
      new_name, jsonb_build_object('before', null, 'after', '{}'::jsonb)),
    'providers', (
      select coalesce(jsonb_object_agg(p.uuid, jsonb_build_object(
        'before', jsonb_build_object('inventories', states - new_name || jsonb_build_object(old_name, states -> new_name)),
        'after', jsonb_build_object('inventories', states))), '{}')
      from resource_providers p cross join lateral inventory_states(p.id) as states where p.id = any(provider_ids)),
    'consumers', (
      select coalesce(jsonb_object_agg(uuid, jsonb_build_object('before', state || jsonb_build_object('allocations', had.allocations), 'after', state)), '{}')
      from jsonb_each(consumers) as known(uuid, state)
      cross join lateral (
        select jsonb_agg(held || jsonb_build_object('resourceClass', class) order by held ->> 'provider' collate "C", class collate "C") as allocations
        from jsonb_array_elements(state -> 'allocations') held
        cross join lateral (select case held ->> 'resourceClass' when new_name then old_name else held ->> 'resourceClass' end as class) _
      ) had))
  into changes;
  select jsonb_object_agg('reservation ' || r.uuid, reservation_change(state || jsonb_build_object('amounts', had.amounts), state)), array_agg(state ->> 'project')
  into records, reserving
  from reservations r
  cross join lateral reservation_state(r.id) as state
  cross join lateral (
    select jsonb_object_agg(provider, case when kept ? new_name then kept - new_name || jsonb_build_object(old_name, kept -> new_name) else kept end) as amounts
    from jsonb_each(state -> 'amounts') as of_provider(provider, kept)
  ) had
  where r.id = any(reservation_ids) and state -> 'amounts' <> had.amounts;
  changes := changes || change_class_of_quotas(old_name, new_name);
  if records is not null then
    changes := changes || jsonb_build_object('records', records || coalesce(changes -> 'records', '{}'));
  end if;
  return jsonb_build_object('eventId', record_event(
    request ->> 'kind', request -> 'by', changes,
    array(select state ->> 'project' from jsonb_each(consumers) as known(uuid, state) union select unnest(reserving))));
end $$;
