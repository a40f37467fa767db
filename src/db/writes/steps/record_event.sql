-- append_event for a write that affected exactly the providers and consumers in its changes.
create or replace function record_event(kind text, by jsonb, changes jsonb, project_ids text[] default '{}') returns bigint language sql as $$
  select append_event(
    kind, by, changes, array(select jsonb_object_keys(changes -> 'consumers')::uuid),
    array(select jsonb_object_keys(changes -> 'providers')::uuid), project_ids)
$$;
