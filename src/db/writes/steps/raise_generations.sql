-- Raises the generations of locked providers. The caller marks them for the change feed.
-- Returns `rows` (as provider_row, by id) and `changes` (their generations, in the form of an event).
create or replace function raise_generations(ids bigint[]) returns jsonb language plpgsql as $$
declare
  bumped jsonb;
begin
  with bumped_providers as (
    update resource_providers p
    set generation = p.generation + 1, updated_at = now()
    where p.id = any(ids)
    returning p.*
  )
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(provider_row(p) order by p.id), '[]'),
    'changes', coalesce(jsonb_object_agg(p.uuid, jsonb_build_object(
      'before', jsonb_build_object('generation', p.generation - 1), 'after', jsonb_build_object('generation', p.generation)
    )), '{}')
  )
  into bumped from bumped_providers p;
  return bumped;
end $$;
