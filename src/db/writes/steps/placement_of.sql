-- The name and the parent in a provider's state.
create or replace function placement_of(state jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object('name', state -> 'name', 'parent', state -> 'parent')
$$;
