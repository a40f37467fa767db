-- merge_changes for the providers, or for the consumers, of two steps. What an earlier step created or deleted as a whole stays so.
create or replace function merge_subject_changes(earlier jsonb, later jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(subject, jsonb_build_object(
    'before', case
      when e is null then l -> 'before'
      when e -> 'before' = 'null' then 'null'
      else coalesce(nullif(l -> 'before', 'null'), '{}') || (e -> 'before')
    end,
    'after', case
      when l is null then e -> 'after'
      when l -> 'after' = 'null' then 'null'
      else coalesce(nullif(e -> 'after', 'null'), '{}') || (l -> 'after')
    end
  )), '{}')
  from (
    select coalesce(a.key, b.key) as subject, a.value as e, b.value as l
    from jsonb_each(coalesce(earlier, '{}')) a full join jsonb_each(coalesce(later, '{}')) b on b.key = a.key
  ) both_steps
$$;
