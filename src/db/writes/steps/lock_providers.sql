-- Locks providers in the order of their ids, which prevents deadlocks, and returns those of the given ids that it has locked. The only place, with
-- require_provider, where writes wait for providers; those whose `patience` is limited do not wait (blocked_by, unless the caller does with the others:
-- `some_suffice`), except for the one that they await. For a caller who may write to some trees only (begin_owned_write) it also locks the
-- roots, and refuses FORBIDDEN for providers of other trees. Rows deleted before the lock is granted are missing from the result. Read and check only in a later statement.
create or replace function lock_providers(ids bigint[], some_suffice boolean default false) returns bigint[] language plpgsql as $$
declare
  is_owned constant boolean := current_setting('placement.owned', true) <> '';
  given constant bigint[] := ids;
  locked bigint[];
begin
  if is_owned then
    ids := array(select unnest(ids) union select p.root_provider_id from resource_providers p where p.id = any(ids));
  end if;
  if current_setting('placement.skip_locked', true) = 'on' then
    if current_setting('placement.awaited', true) <> '' then
      perform set_config('lock_timeout', current_setting('placement.awaited_for'), true);
      perform from resource_providers p where p.uuid = current_setting('placement.awaited')::uuid and p.id = any(ids) for no key update;
    end if;
    locked := array(select p.id from resource_providers p where p.id = any(ids) order by p.id for no key update skip locked);
    if not some_suffice and cardinality(locked) < cardinality(ids) then
      perform blocked_by(array(select p.uuid from resource_providers p where p.id = any(ids) and p.id <> all(locked)));
    end if;
  else
    locked := array(select p.id from resource_providers p where p.id = any(ids) order by p.id for no key update);
  end if;
  if is_owned then
    if exists (select from resource_providers p where p.id = any(locked) and p.root_provider_id <> all(locked)) then
      perform try_again('a provider was moved meanwhile');
    end if;
    perform refuse_foreign(locked);
    locked := array(select unnest(locked) intersect select unnest(given));
  end if;
  return locked;
end $$;
