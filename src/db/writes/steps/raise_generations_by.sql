-- Raises the generations of locked providers, each by its own number: several writes in one raise them once each. The caller marks them for
-- the change feed. Returns `rows` (as provider_row, by id) and `changes` (their generations, in the form of an event).
create or replace function raise_generations_by(ids bigint[], steps bigint[]) returns jsonb language plpgsql as $$
declare
  raised jsonb;
begin
  with raised_providers as (
    update resource_providers p
    set generation = p.generation + wanted.step, updated_at = now()
    from unnest(ids, steps) as wanted(id, step)
    where p.id = wanted.id
    returning p, wanted.step
  )
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(provider_row(p) order by (p).id), '[]'),
    'changes', coalesce(jsonb_object_agg((p).uuid, jsonb_build_object(
      'before', jsonb_build_object('generation', (p).generation - step), 'after', jsonb_build_object('generation', (p).generation)
    )), '{}')
  )
  into raised from raised_providers;
  return raised;
end $$;
