-- Of a provider's state: its name and where it stands.
create or replace function placement_of(state jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object('name', state -> 'name', 'parent', state -> 'parent')
$$;
