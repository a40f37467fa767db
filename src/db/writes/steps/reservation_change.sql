-- The change of a reservation, from its state before and after, in the form of an event's changes: what has changed, and always the project, by which readers find it.
create or replace function reservation_change(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select case
    when before is null or after is null then jsonb_build_object('before', before, 'after', after)
    else (
      select jsonb_build_object(
        'before', (change -> 'before') || jsonb_build_object('project', before -> 'project'),
        'after', (change -> 'after') || jsonb_build_object('project', after -> 'project'))
      from changed_keys(before, after) change where change is not null) end
$$;
