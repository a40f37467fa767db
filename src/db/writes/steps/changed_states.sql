-- The differences between states of providers (provider_states), in the form of an event's changes.
create or replace function changed_states(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(coalesce(b.key, a.key), case
    -- What changed_keys would say, without a call for each of many new providers.
    when b.value is null or a.value is null then jsonb_build_object('before', b.value, 'after', a.value)
    else changed_keys(b.value, a.value) end), '{}')
  from jsonb_each(before) b full join jsonb_each(after) a on a.key = b.key
  where a.value is distinct from b.value
$$;
