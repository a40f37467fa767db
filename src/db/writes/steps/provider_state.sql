-- The state of one provider, as in provider_states; null when it does not exist.
create or replace function provider_state(provider_id bigint) returns jsonb language sql stable as $$
  select value from jsonb_each(provider_states(array[provider_id]))
$$;
