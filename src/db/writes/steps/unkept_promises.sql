-- Inventories of these classes and providers that reservations count on, and whose capacity is too small for that at some moment from now on (loads_in_time), in the
-- form of warnings with `promised`: what is used and kept at the worst moment (`load`), and the uuids of the first ten reservations that keep more than what is
-- claimed from them at such a moment. The promise stays: nothing new fits until there is room again.
-- capacities: of the providers, for inventories that are only to be written.
create or replace function unkept_promises(provider_ids bigint[], class_names text[], capacities bigint[] default null) returns jsonb language plpgsql stable as $$
declare
  unkept jsonb;
begin
  if not exists (select from reservations) then
    return '[]';
  end if;
  select jsonb_agg(warning order by n, class) into unkept
  from (
    select named.n, i.resource_class_id as class, jsonb_build_object(
      'provider', (select p.uuid from resource_providers p where p.id = named.id), 'resourceClass', rc.name, 'used', i.used, 'capacity', i.capacity,
      'promised', jsonb_build_object('load', found.load, 'reservations', found.uuids)) as warning
    from unnest(provider_ids) with ordinality as named(id, n)
    -- One by one, as in lock_consumers.
    cross join lateral (
      select i.resource_class_id, i.used, coalesce(capacities[named.n], i.capacity) as capacity from inventories i where i.resource_provider_id = named.id offset 0
    ) i
    cross join lateral (select rc.name from resource_classes rc where rc.id = i.resource_class_id and rc.name = any(class_names) offset 0) rc
    cross join lateral (
      with kept as materialized (
        select r.id, r.uuid, r.starts_at, r.ends_at, a.amount
        from (select * from reservation_amounts a where a.resource_provider_id = named.id and a.resource_class_id = i.resource_class_id offset 0) a
        cross join lateral (select * from reservations r where r.id = a.reservation_id offset 0) r
        where r.ends_at > now()
      ), claimed as materialized (
        select reservation, amount from claimed_from(array[named.id], array[i.resource_class_id]) where exists (select from kept)
      ), points as materialized (
        select array_agg(distinct greatest(starts_at, now())) as moments from kept having count(*) > 0
      ), loads as materialized (
        select points.moments[l.place] as moment, l.load
        from points
        cross join lateral loads_in_time(
          array_fill(named.id, array[cardinality(moments)]), array_fill(i.resource_class_id, array[cardinality(moments)]), moments) l
        where l.load > i.capacity
      ), short as (
        select kept.uuid, kept.starts_at, max(loads.load) as load
        from kept join loads on kept.starts_at <= loads.moment and kept.ends_at > loads.moment
        where kept.amount > coalesce((select claimed.amount from claimed where claimed.reservation = kept.id), 0)
        group by 1, 2
      )
      select max(load) as load, (array_agg(uuid order by starts_at, uuid))[:10] as uuids from short
    ) found
    where found.load is not null
  ) of_inventory;
  return coalesce(unkept, '[]');
end $$;
