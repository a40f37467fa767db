-- Locks providers in the order of their ids, which prevents deadlocks. The only place where claims wait for each other.
-- Rows deleted before the lock is granted are missing from the result. Read and check only in a later statement.
create or replace function lock_providers(ids bigint[]) returns bigint language plpgsql as $$
declare
  locked bigint;
begin
  perform from resource_providers where id = any(ids) order by id for no key update;
  get diagnostics locked = row_count;
  return locked;
end $$;
