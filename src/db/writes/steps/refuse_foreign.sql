-- Refuses FORBIDDEN for providers in trees that the caller may not write to; does nothing for callers who may write to all. Its decision is final once the
-- providers and their roots are locked.
create or replace function refuse_foreign(ids bigint[]) returns void language plpgsql as $$
declare
  condition constant jsonb := nullif(current_setting('placement.owned', true), '');
begin
  if condition is not null and exists (
    select from (select distinct p.root_provider_id as id from resource_providers p where p.id = any(ids)) touched
    where not owns_root(condition, (select root from resource_providers root where root.id = touched.id))
  ) then
    perform refuse('FORBIDDEN', '{}');
  end if;
end $$;
