-- Appends one event to the ledger, findable under every provider, consumer and project that it touched. Returns its id.
-- changes: `{"providers": {uuid: {"before", "after"}}, "consumers": {…}}`, only the parts that changed; other keys are kept as they are.
create or replace function record_event(kind text, by jsonb, changes jsonb, affected_projects text[] default '{}') returns bigint language plpgsql as $$
declare
  new_id bigint;
  consumers uuid[] := coalesce(array(select jsonb_object_keys(changes -> 'consumers')::uuid), '{}');
  providers uuid[] := coalesce(array(select jsonb_object_keys(changes -> 'providers')::uuid), '{}');
begin
  insert into events (kind, user_external_id, project_external_id, roles, request_id, consumer_uuids, provider_uuids, changes)
  values (
    record_event.kind, by ->> 'user', by ->> 'project', coalesce(array(select jsonb_array_elements_text(by -> 'roles')), '{}'),
    coalesce(by ->> 'requestId', ''), consumers, providers, record_event.changes
  )
  returning id into new_id;
  insert into event_subjects (subject, event_id)
  select distinct subject, new_id
  from unnest(consumers || providers || array(select md5('project:' || p)::uuid from unnest(affected_projects) p where p is not null)) subject;
  return new_id;
end $$;
