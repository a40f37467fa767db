-- The changes of two steps of one write as one: what was before the first, what is after the last.
create or replace function merge_changes(earlier jsonb, later jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'providers', merge_subject_changes(earlier -> 'providers', later -> 'providers'),
    'consumers', merge_subject_changes(earlier -> 'consumers', later -> 'consumers')
  )
$$;
