-- The changes of an event, from those of its providers and of its consumers.
create or replace function event_changes(providers jsonb, consumers json) returns jsonb language sql stable as $$
  select json_build_object('providers', providers, 'consumers', consumers)::jsonb
$$;
