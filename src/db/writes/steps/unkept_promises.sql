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
  with asked as materialized (
    select i.resource_provider_id as provider, i.resource_class_id as class, rc.name, coalesce(capacities[named.n], i.capacity) as capacity
    from unnest(provider_ids) with ordinality as named(id, n)
    join inventories i on i.resource_provider_id = named.id
    join resource_classes rc on rc.id = i.resource_class_id and rc.name = any(class_names)
  ), kept as materialized (
    select asked.*, r.uuid, r.starts_at, r.ends_at, a.amount > (
             select coalesce(sum(held.used), 0) from consumers c join allocations held on held.consumer_id = c.id
             where c.reservation_id = r.id and held.resource_provider_id = asked.provider and held.resource_class_id = asked.class) as is_open
    from asked
    join reservation_amounts a on a.resource_provider_id = asked.provider and a.resource_class_id = asked.class
    join reservations r on r.id = a.reservation_id and r.ends_at > now()
  ), points as (
    select array_agg(provider) as providers, array_agg(class) as classes, array_agg(moment) as moments
    from (select distinct provider, class, greatest(starts_at, now()) as moment from kept) point
  ), short as (
    select kept.provider, kept.class, kept.name, kept.capacity, l.used, l.load, kept.uuid, kept.starts_at
    from points cross join lateral loads_in_time(points.providers, points.classes, points.moments) l
    join kept on kept.provider = points.providers[l.place] and kept.class = points.classes[l.place]
      and kept.starts_at <= points.moments[l.place] and kept.ends_at > points.moments[l.place] and kept.is_open
    where l.load > kept.capacity
  )
  select jsonb_agg(warning order by array_position(provider_ids, found.provider), found.class) into unkept
  from (
    select short.provider, short.class, jsonb_build_object(
      'provider', (select p.uuid from resource_providers p where p.id = short.provider), 'resourceClass', name, 'used', used, 'capacity', capacity,
      'promised', jsonb_build_object('load', max(load), 'reservations', (array_agg(uuid order by starts_at, uuid))[:10])) as warning
    from (
      select provider, class, name, used, capacity, uuid, starts_at, max(load) as load from short group by 1, 2, 3, 4, 5, 6, 7
    ) short
    group by short.provider, short.class, name, used, capacity
  ) found;
  return coalesce(unkept, '[]');
end $$;
