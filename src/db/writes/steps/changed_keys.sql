-- The keys in which two objects differ, before and after, in the form of an event's changes. Null when they are equal.
create or replace function changed_keys(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select case when before is distinct from after then jsonb_build_object(
    'before', case when before is not null then (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(before) where after -> key is distinct from value) end,
    'after', case when after is not null then (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(after) where before -> key is distinct from value) end
  ) end
$$;
