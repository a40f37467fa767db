-- raise_generations_by for one write: each by one.
create or replace function raise_generations(ids bigint[]) returns jsonb language sql as $$
  select raise_generations_by(ids, array_fill(1::bigint, array[cardinality(ids)]))
$$;
