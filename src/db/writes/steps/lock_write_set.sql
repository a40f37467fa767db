-- Locks, in the order of ids, every provider that a whole-tree write can change: those given, those named by its allocations, and those
-- with current allocations of its consumers. The consumers are already locked, so these cannot change any more.
create or replace function lock_write_set(given bigint[], consumers jsonb, consumer_ids bigint[]) returns void language plpgsql as $$
begin
  perform lock_providers(array(
    select unnest(given)
    union
    select p.id from jsonb_array_elements(consumers) c cross join jsonb_array_elements(c -> 'allocations') r
    join resource_providers p on p.uuid = (r ->> 'provider')::uuid
    union
    -- One by one, as in lock_consumers.
    select a.resource_provider_id from unnest(consumer_ids) as held(id)
    cross join lateral (select * from allocations a where a.consumer_id = held.id offset 0) a
  ));
end $$;
