-- Moves what reservations keep of the disks of roots to pools: what is claimed from them goes where its consumers went (consumers, pools and amounts at the same
-- place), the rest to the first pool. Step of give_way_to_pools, after it has moved the consumers. Returns the changes of the reservations, for its event.
create or replace function move_reserved_disks(
  roots bigint[], serving_pools bigint[], disk int, moved_consumers bigint[], moved_pools bigint[], moved_amounts bigint[]
) returns jsonb language plpgsql as $$
declare
  ids bigint[];
  before jsonb;
  changes jsonb;
begin
  -- One by one, as in lock_consumers.
  ids := array(
    select r.id
    from (
      select distinct reservation_id from unnest(roots) root
      cross join lateral (select * from reservation_amounts a where a.resource_provider_id = root and a.resource_class_id = disk offset 0) a
      order by 1
    ) kept
    cross join lateral (select * from reservations r where r.id = kept.reservation_id for update) r);
  if cardinality(ids) = 0 then
    return '{}';
  end if;
  before := (select jsonb_object_agg(id, reservation_state(id)) from unnest(ids) id);
  with gone as (
    delete from reservation_amounts a where a.reservation_id = any(ids) and a.resource_provider_id = any(roots) and a.resource_class_id = disk
    returning a.reservation_id, serving_pools[array_position(roots, a.resource_provider_id)] as pool, a.amount
  ), claimed as (
    select c.reservation_id, m.pool, sum(m.amount) as amount
    from unnest(moved_consumers, moved_pools, moved_amounts) as m(consumer, pool, amount)
    cross join lateral (select * from consumers c where c.id = m.consumer offset 0) c
    where c.reservation_id = any(ids) group by 1, 2
  ), parts as (
    select * from claimed
    union all
    select g.reservation_id, min(g.pool), sum(g.amount) - coalesce((select sum(c.amount) from claimed c where c.reservation_id = g.reservation_id), 0)
    from gone g group by g.reservation_id
  )
  insert into reservation_amounts as known (reservation_id, resource_provider_id, resource_class_id, amount)
  select reservation_id, pool, disk, sum(amount) from parts group by 1, 2 having sum(amount) > 0
  on conflict on constraint reservation_amounts_pkey do update set amount = known.amount + excluded.amount;
  update reservations r set generation = r.generation + 1, updated_at = now() where r.id = any(ids);
  perform mark_changed(count_promises(array(select distinct unnest(serving_pools))));
  changes := (select jsonb_object_agg('reservation ' || r.uuid, reservation_change(before -> r.id::text, reservation_state(r.id))) from reservations r where r.id = any(ids));
  return jsonb_build_object('records', changes);
end $$;
