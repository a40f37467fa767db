-- Takes from reservations what they keep of a provider, or of one of its classes: another Placement has decided that it is gone. What is claimed from them stays.
-- Does nothing if they keep nothing of it.
-- request: `provider` (its uuid), `resourceClass` (null: all). Returns `eventId`.
create or replace function drop_reserved_amounts(request jsonb) returns jsonb language plpgsql as $$
declare
  gone constant bigint := (select p.id from resource_providers p where p.uuid = (request ->> 'provider')::uuid);
  gone_classes constant int[] := array(
    select rc.id from resource_classes rc where request ->> 'resourceClass' is null or rc.name = request ->> 'resourceClass');
  ids bigint[];
  projects text[];
  before jsonb;
  changes jsonb;
begin
  -- One by one, as in lock_consumers.
  ids := array(
    select r.id
    from (
      select distinct reservation_id
      from (select * from reservation_amounts a where a.resource_provider_id = gone and a.resource_class_id = any(gone_classes) offset 0) kept
      order by 1
    ) kept
    cross join lateral (select * from reservations r where r.id = kept.reservation_id for update) r);
  perform lock_providers(array[gone]);
  before := (select jsonb_object_agg(id, reservation_state(id)) from unnest(ids) id);
  with dropped as (
    delete from reservation_amounts a where a.reservation_id = any(ids) and a.resource_provider_id = gone and a.resource_class_id = any(gone_classes)
    returning a.reservation_id
  )
  -- Without those that had changed before they were locked.
  select coalesce(array_agg(distinct reservation_id), '{}') into ids from dropped;
  if ids = '{}' then
    return jsonb_build_object('eventId', null);
  end if;
  update reservations r set generation = r.generation + 1, updated_at = now() where r.id = any(ids);
  perform mark_changed(count_promises(array[gone]));
  select jsonb_object_agg('reservation ' || r.uuid, reservation_change(before -> r.id::text, reservation_state(r.id))), array_agg(distinct p.external_id) into changes, projects
  from reservations r join projects p on p.id = r.project_id where r.id = any(ids);
  return jsonb_build_object('eventId', append_event(
    request ->> 'kind', request -> 'by', jsonb_build_object('records', changes), '{}', array[(request ->> 'provider')::uuid], projects));
end $$;
