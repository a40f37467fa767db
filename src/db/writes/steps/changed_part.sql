-- One part of one provider, before and after, in the form of an event's changes. Empty when it did not change.
create or replace function changed_part(provider uuid, part text, written jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object('providers', case when written -> 'before' = written -> 'after' then '{}' else
    jsonb_build_object(provider, jsonb_build_object(
      'before', jsonb_build_object(part, written -> 'before'), 'after', jsonb_build_object(part, written -> 'after')))
  end)
$$;
