-- The differences between states of providers (provider_states), in the form of an event's changes.
create or replace function changed_states(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(coalesce(b.key, a.key), changed_keys(b.value, a.value)), '{}')
  from jsonb_each(before) b full join jsonb_each(after) a on a.key = b.key
  where a.value is distinct from b.value
$$;
