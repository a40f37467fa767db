-- A generation increased by some steps, in the form of an event's changes.
create or replace function generation_change(generation bigint, step bigint default 1) returns jsonb language sql stable as $$
  select jsonb_build_object('before', jsonb_build_object('generation', generation - step), 'after', jsonb_build_object('generation', generation))
$$;
