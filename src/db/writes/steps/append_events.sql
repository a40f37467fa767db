-- append_event for several writes at once, each with its own event. Returns the ids of the events in the order of `events`.
-- events: `[{by, kind, consumers, providers, projects}]`, the lists as arrays of uuids and names; `kind`: if it is not the given one. `classes`: those in its changes, if the caller
-- knows them: extracting them takes as long as writing the event.
-- changes: one for each event; one whose changes are null is not appended. A separate parameter, because nesting them in `events` would cost another round of JSON encoding.
create or replace function append_events(kind text, events jsonb, changes jsonb[]) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
begin
  with given as materialized (
    select e.*, nextval('events_id_seq') as id
    from rows from (jsonb_to_recordset(events) as (by jsonb, kind text, consumers uuid[], providers uuid[], projects text[], classes text[]))
      with ordinality as e(by, kind, consumers, providers, projects, classes, place)
    where append_events.changes[place] is not null
  ),
  ledger as (
    insert into events
      (id, kind, user_external_id, project_external_id, roles, authentication_method, request_id, global_request_id, consumer_uuids, provider_uuids,
       changes)
    overriding system value
    select id, coalesce(given.kind, append_events.kind), by ->> 'user', by ->> 'project', array(select jsonb_array_elements_text(by -> 'roles')), by ->> 'method',
           by ->> 'requestId',
           by ->> 'globalRequestId', consumers, providers, append_events.changes[place]
    from given
  ),
  subjects as (
    insert into event_subjects (subject, event_id)
    -- A consumer may have the uuid of a provider.
    select distinct unnest(
      consumers || providers || array(select md5('project:' || project)::uuid from unnest(array_remove(projects, null)) project)
      || array_remove(array(select class_subject(class) from unnest(coalesce(given.classes, changed_classes(append_events.changes[place]))) class), null)), id
    from given
  )
  select array(select id from given order by place) into ids;
  return ids;
end $$;
