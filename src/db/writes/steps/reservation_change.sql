-- The change of a reservation, from its state before and after, in the form of an event's changes: what has changed, and always the project, by which readers find it.
create or replace function reservation_change(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'before', case when before is not null then (change -> 'before') || jsonb_build_object('project', before -> 'project') end,
    'after', case when after is not null then (change -> 'after') || jsonb_build_object('project', after -> 'project') end)
  from (select changed_keys(before, after) as change) changed where change is not null
$$;
