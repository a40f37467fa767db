-- Increases the generations of locked providers, each by its own step, or not at all by 0: writes that share a transaction count once each. The caller marks
-- them for the change feed. Returns the updated providers and their steps.
create or replace function raise_by(ids bigint[], steps bigint[]) returns table (id bigint, uuid uuid, generation bigint, step bigint, provider jsonb) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  update resource_providers p
  set generation = p.generation + wanted.step, updated_at = now()
  from (select ids[n] as id, steps[n] as step from generate_series(1, cardinality(ids)) n) wanted
  where p.id = wanted.id and wanted.step > 0
  returning p.id, p.uuid, p.generation, wanted.step, provider_row(p);
end $$;
