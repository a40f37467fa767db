-- Raises the generations of locked providers and marks them for the change feed, as changed in whatever the caller changes of them.
-- Returns as raise_generations.
create or replace function bump_providers(ids bigint[]) returns jsonb language plpgsql as $$
begin
  perform mark_changed(ids);
  return raise_generations(ids);
end $$;
