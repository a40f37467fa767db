-- Deletes a provider with its inventories, traits and memberships, and reports that to the change feed. The forest is locked.
-- Step of delete_resource_provider and apply_provider_tree. Refuses HAS_CHILDREN, IN_USE. Returns its last state.
create or replace function erase_provider(provider resource_providers) returns jsonb language plpgsql as $$
declare
  state jsonb;
  using_it record;
begin
  -- Stronger than the lock of a claim: a claim that waits for it finds the provider deleted.
  perform from resource_providers p where p.id = provider.id for update;
  state := provider_state(provider.id);
  select count(*) as count, (array_agg(child.uuid order by child.name))[:10] as uuids into using_it
  from resource_providers child where child.parent_provider_id = provider.id;
  if using_it.count > 0 then
    perform refuse('HAS_CHILDREN', jsonb_build_object('provider', provider.uuid, 'children', using_it.uuids, 'count', using_it.count));
  end if;
  -- An allocation of a consumer that does not exist (findWrongAllocations) counts, too.
  select count(*) as count, coalesce((array_agg(c.uuid order by c.id) filter (where c.id is not null))[:10], '{}') as uuids into using_it
  from (select distinct a.consumer_id from allocations a where a.resource_provider_id = provider.id) holders
  -- One by one, as in lock_consumers.
  left join lateral (select * from consumers c where c.id = holders.consumer_id offset 0) c on true;
  if using_it.count > 0 then
    perform refuse('IN_USE', jsonb_build_object(
      'noun', 'resourceProvider', 'key', provider.uuid, 'provider', provider.uuid, 'by', using_it.uuids, 'count', using_it.count));
  end if;
  select count(*) as count, (array_agg(r.uuid order by r.id))[:10] as uuids into using_it
  -- One by one, as in lock_consumers.
  from (select distinct reservation_id from (select * from reservation_amounts a where a.resource_provider_id = provider.id offset 0) a) kept
  cross join lateral (select * from reservations r where r.id = kept.reservation_id offset 0) r;
  if using_it.count > 0 then
    perform refuse('IN_USE', jsonb_build_object(
      'noun', 'resourceProvider', 'key', provider.uuid, 'provider', provider.uuid, 'by', using_it.uuids, 'count', using_it.count, 'isReserved', true));
  end if;
  delete from inventories i where i.resource_provider_id = provider.id;
  delete from resource_provider_traits pt where pt.resource_provider_id = provider.id;
  delete from resource_provider_aggregates pa where pa.resource_provider_id = provider.id;
  delete from resource_providers p where p.id = provider.id;
  perform mark_changed(array[provider.id]);
  return state;
end $$;
