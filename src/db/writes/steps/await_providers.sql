-- Waits until no other write has locked these providers. A statement of its own, for writes that must not wait while they hold other locks.
create or replace function await_providers(uuids uuid[]) returns void language plpgsql as $$
begin
  perform from resource_providers p where p.uuid = any(uuids) order by p.id for no key update;
end $$;
