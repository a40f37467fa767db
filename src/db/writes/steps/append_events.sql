-- append_event for several writes at once, each with its own event. Returns the ids of the events in the order of `events`.
-- events: `[{by, consumers, providers, projects}]`, the lists as arrays of uuids and names. `classes`: those in its changes, if the caller
-- knows them: extracting them takes as long as writing the event.
-- changes: one for each event. A separate parameter, because nesting them in `events` would cost another round of JSON encoding.
create or replace function append_events(kind text, events jsonb, changes jsonb[]) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
begin
  with given as materialized (
    select e.*, nextval('events_id_seq') as id
    from rows from (
      jsonb_to_recordset(append_events.events) as (by jsonb, consumers uuid[], providers uuid[], projects text[], classes text[]),
      unnest(append_events.changes)
    ) with ordinality as e(by, consumers, providers, projects, classes, changes, place)
  ),
  ledger as (
    insert into events
      (id, kind, user_external_id, project_external_id, roles, request_id, global_request_id, consumer_uuids, provider_uuids, changes)
    overriding system value
    select id, append_events.kind, by ->> 'user', by ->> 'project', array(select jsonb_array_elements_text(by -> 'roles')), by ->> 'requestId',
           by ->> 'globalRequestId', consumers, providers, given.changes
    from given
  ),
  subjects as (
    insert into event_subjects (subject, event_id)
    select unnest(consumers || providers), id from given
    -- A consumer may have the uuid of a provider.
    union
    select md5('project:' || project)::uuid, id from given cross join unnest(projects) project where project is not null
    union
    select class_subject(class), id from given cross join unnest(coalesce(given.classes, changed_classes(given.changes))) class where class_subject(class) is not null
  )
  select array_agg(id order by place) into ids from given;
  return ids;
end $$;
