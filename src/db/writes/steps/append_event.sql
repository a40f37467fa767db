-- Appends one event to the ledger, findable under every provider, consumer and project that it touched, and under the classes that it speaks
-- of. Returns its id.
-- changes: `{"providers": {uuid: {"before", "after"}}, "consumers": {…}}`, only the parts that changed; other keys are kept as they are.
create or replace function append_event(kind text, by jsonb, changes jsonb, consumers uuid[], providers uuid[], project_ids text[])
returns bigint language plpgsql as $$
declare
  new_id bigint;
begin
  insert into events (kind, user_external_id, project_external_id, roles, request_id, global_request_id, consumer_uuids, provider_uuids, changes)
  values (
    append_event.kind, by ->> 'user', by ->> 'project', array(select jsonb_array_elements_text(by -> 'roles')),
    by ->> 'requestId', by ->> 'globalRequestId', consumers, providers, append_event.changes
  )
  returning id into new_id;
  insert into event_subjects (subject, event_id)
  select unnest(consumers || providers), new_id
  -- A consumer may have the uuid of a provider.
  union
  select md5('project:' || project)::uuid, new_id from unnest(project_ids) project where project is not null
  union
  select class_subject(class), new_id from unnest(changed_classes(append_event.changes)) class where class_subject(class) is not null;
  return new_id;
end $$;
