-- The inventories whose `promised` is not what their reservations keep, and what that is. Until one that has ended is removed, what it kept still counts there.
create or replace function mendable_promises() returns table (id bigint, class int, due bigint) language sql stable as $$
  select i.resource_provider_id, i.resource_class_id, due.promised
  from inventories i
  cross join lateral promises_of(array[i.resource_provider_id], array[i.resource_class_id]) due
  where (i.promised <> 0 or exists (
      select from reservation_amounts a where a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id))
    and i.promised <> due.promised
    and not exists (
      select from reservation_amounts a join reservations r on r.id = a.reservation_id
      where a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id and r.ends_at <= now())
$$;
