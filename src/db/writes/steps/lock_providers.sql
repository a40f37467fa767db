-- Locks providers in the order of their ids, which prevents deadlocks. The only place where writes wait for each other's providers; those whose
-- `patience` is limited do not wait (blocked_by).
-- Rows deleted before the lock is granted are missing from the result. Read and check only in a later statement.
create or replace function lock_providers(ids bigint[]) returns bigint language plpgsql as $$
declare
  locked bigint[];
begin
  if current_setting('placement.skip_locked', true) = 'on' then
    locked := array(select p.id from resource_providers p where p.id = any(ids) order by p.id for no key update skip locked);
    if cardinality(locked) < cardinality(ids) then
      perform blocked_by(array(select p.uuid from resource_providers p where p.id = any(ids) and p.id <> all(locked)));
    end if;
    return cardinality(locked);
  end if;
  locked := array(select p.id from resource_providers p where p.id = any(ids) order by p.id for no key update);
  return cardinality(locked);
end $$;
