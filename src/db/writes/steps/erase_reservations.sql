-- Deletes locked reservations, whose providers are locked, too, from which nothing is claimed. Returns the event.
-- request: `kind` of the event, `by`.
create or replace function erase_reservations(ids bigint[], request jsonb) returns bigint language plpgsql as $$
declare
  changes jsonb := '{}';
  projects text[];
  provider_ids bigint[];
begin
  select jsonb_object_agg('reservation ' || r.uuid, reservation_change(reservation_state(r.id), null)), array_agg(distinct p.external_id) into changes, projects
  from reservations r join projects p on p.id = r.project_id where r.id = any(ids);
  -- One by one, as in lock_consumers.
  provider_ids := array(
    select distinct a.resource_provider_id from unnest(ids) as gone(id)
    cross join lateral (select * from reservation_amounts a where a.reservation_id = gone.id offset 0) a);
  delete from reservation_amounts a where a.reservation_id = any(ids);
  delete from reservations r where r.id = any(ids);
  perform count_promises(provider_ids);
  perform mark_changed(provider_ids);
  return append_event(
    request ->> 'kind', request -> 'by', jsonb_build_object('records', changes), '{}', array(select p.uuid from resource_providers p where p.id = any(provider_ids)), projects);
end $$;
