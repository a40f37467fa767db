-- A generation incremented by one, in the form of an event's changes.
create or replace function generation_change(generation bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('before', jsonb_build_object('generation', generation - 1), 'after', jsonb_build_object('generation', generation))
$$;
