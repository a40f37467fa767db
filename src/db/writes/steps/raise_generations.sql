-- raise_by for one write: each by one. Returns `rows` (as provider_row, by id) and `changes` (their generations, in the form of an event).
create or replace function raise_generations(ids bigint[]) returns jsonb language sql as $$
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(provider order by id), '[]'),
    'changes', coalesce(jsonb_object_agg(uuid, generation_change(generation)), '{}'))
  from raise_by(ids, array_fill(1::bigint, array[cardinality(ids)]))
$$;
