-- Increments the generations of locked providers and marks them as changed for the change feed. Returns the same as raise_generations.
create or replace function bump_providers(ids bigint[]) returns jsonb language plpgsql as $$
begin
  perform mark_changed(ids);
  return raise_generations(ids);
end $$;
