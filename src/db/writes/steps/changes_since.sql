-- How providers differ now from their states before (provider_states), in the form of an event's changes.
create or replace function changes_since(before jsonb, ids bigint[]) returns jsonb language sql stable as $$
  select jsonb_build_object('providers', changed_states(before, provider_states(ids)))
$$;
