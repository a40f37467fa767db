-- Merges the changes of two steps of one write: `before` of the first, `after` of the last.
create or replace function merge_changes(earlier jsonb, later jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'providers', merge_subject_changes(earlier -> 'providers', later -> 'providers'),
    'consumers', merge_subject_changes(earlier -> 'consumers', later -> 'consumers')
  )
$$;
