-- The capacity rule where time counts: which of the changes `among` (places) leave an inventory with too little at some moment from now on (loads_in_time). A change
-- that adds nothing at a moment does no harm there, as in has_room.
-- Changes are allocations as for take_room, not yet added to the use of their inventories, each from `begins` (null: from now on) to `ends` (null: it lasts).
-- claims_from: the reservation from which it is claimed, which covers it from its beginning to its end if it keeps some of the inventory: claim_from_reservations
-- has seen to it that it keeps enough, or that no more is claimed than before; null for none. in_use: changes of what consumers hold; otherwise of
-- what reservations keep. Returns the places of what is added, with what is asked for at the worst moment, and how much of that there would be room for.
create or replace function misfits_in_time(
  provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[], begins timestamptz[], ends timestamptz[],
  claims_from bigint[], among int[], in_use boolean
) returns table (place int, requested numeric, available numeric) language plpgsql as $$
declare
  covered boolean[];
  relieved record;
  points record;
begin
  if not exists (select from unnest(among) n where amounts[n] > 0) then
    return;
  end if;
  if cardinality(claims_from) > 0 then
    select array_agg(r.starts_at <= now() order by n),
           array_agg(case when r.starts_at > now() then least(misfits_in_time.ends[n], r.starts_at) else misfits_in_time.ends[n] end order by n)
    into covered, ends
    from generate_series(1, cardinality(amounts)) n
    left join lateral (
      select * from reservations r
      where r.id = claims_from[n] and exists (
        select from reservation_amounts own
        where own.reservation_id = r.id and own.resource_provider_id = provider_ids[row_providers[n]] and own.resource_class_id = class_ids[row_classes[n]]) offset 0
    ) r on r.ends_at > now();
  end if;
  -- Where more is claimed than its reservation keeps, because of an import, a release makes room although it is covered (promises_of).
  select array_agg(provider) as providers, array_agg(class) as classes, array_agg(greatest(starts_at, now())) as starts, array_agg(ends_at) as stops,
         array_agg(greatest(amount, claimed + change) - greatest(amount, claimed)) as changes
  into relieved
  from (
    select reservation, provider, class, sum(changed) as change, sum(claimed) as claimed
    from (
      select claims_from[n] as reservation, provider_ids[row_providers[n]] as provider, class_ids[row_classes[n]] as class, amounts[n] as changed, null::bigint as claimed
      from unnest(among) n where claims_from[n] is not null
      union all
      select claimed.reservation, claimed.provider, claimed.class, null, claimed.amount
      from claimed_from(
        array(select provider_ids[row_providers[n]] from unnest(among) n where amounts[n] < 0 and claims_from[n] is not null order by n),
        array(select class_ids[row_classes[n]] from unnest(among) n where amounts[n] < 0 and claims_from[n] is not null order by n)) claimed
    ) of_reservation
    group by 1, 2, 3 having sum(changed) < 0
  ) released
  cross join lateral (
    select a.amount from reservation_amounts a where a.reservation_id = reservation and a.resource_provider_id = provider and a.resource_class_id = class offset 0
  ) kept
  cross join lateral (select * from reservations r where r.id = reservation offset 0) r
  where claimed > amount and r.ends_at > now();
  -- The sum rises only where something begins, or is not released.
  with inventories_of as (
    select provider_ids[row_providers[n]] as provider, class_ids[row_classes[n]] as class, greatest(begins[n], now()) as since, ends[n] as until, amounts[n] as amount from unnest(among) n
  )
  select array_agg(provider) as providers, array_agg(class) as classes, array_agg(moment) as moments into points
  from (
    select provider, class, since as moment from inventories_of
    union
    select provider, class, now() from inventories_of
    union
    -- Where what is released would have ended, what takes its place begins to add to the sum. What has expired, and is there still, is gone a moment later.
    select provider, class, greatest(until, now() + interval '1 microsecond') from inventories_of where until is not null and amount < 0
    union
    -- So does what takes the place of a release from a reservation, once that ends.
    select provider, class, moment from unnest(relieved.providers, relieved.classes, relieved.stops) as freed(provider, class, moment)
    union
    select i.provider, i.class, r.starts_at
    from (select distinct provider, class from inventories_of) i
    cross join lateral (select * from reservation_amounts a where a.resource_provider_id = i.provider and a.resource_class_id = i.class offset 0) a
    cross join lateral (select * from reservations r where r.id = a.reservation_id offset 0) r
    where r.starts_at > now()
  ) point;
  return query
    with changes as materialized (
      select n, provider_ids[row_providers[n]] as provider, class_ids[row_classes[n]] as class, amounts[n] as amount,
             coalesce(begins[n], now()) as since, ends[n] as until, coalesce(covered[n], false) as is_covered
      from unnest(among) n
    ), summed as (
      select step.*, sum(step.delta) over at_once as change, sum(step.gain) over at_once as added
      from (
        select null::bigint as capacity, null::numeric as load, provider, class, since as moment, amount as delta, greatest(amount, 0) as gain, false as is_point
        from changes where not is_covered
        union all
        -- What has expired, and is there still, is gone a moment later.
        select null, null, provider, class, case when in_use then greatest(until, now() + interval '1 microsecond') else until end, -amount, -greatest(amount, 0), false
        from changes where not is_covered and until is not null
        union all
        select null, null, provider, class, moment, change, 0, false
        from unnest(relieved.providers, relieved.classes, relieved.starts, relieved.stops, relieved.changes) as freed(provider, class, starts_at, ends_at, relief)
        cross join lateral (values (starts_at, relief), (ends_at, -relief)) as step(moment, change)
        union all
        select l.capacity, l.load, points.providers[l.place], points.classes[l.place], points.moments[l.place], 0, 0, true
        from loads_in_time(points.providers, points.classes, points.moments) l
      ) step
      window at_once as (partition by step.provider, step.class order by step.moment, step.is_point rows unbounded preceding)
    ), loads as (
      select provider, class, capacity, load, moment, change, added from summed where is_point
      union all
      -- Whatever is promised, nobody uses more than there is.
      select c.provider, c.class, i.capacity, i.used, now(), sum(c.amount), sum(c.amount) filter (where c.amount > 0)
      from changes c cross join lateral (select * from inventories i where i.resource_provider_id = c.provider and i.resource_class_id = c.class offset 0) i
      where in_use group by 1, 2, i.capacity, i.used
    ), worst as (
      select distinct on (l.provider, l.class) * from loads l where l.change > 0 and l.load + l.change > l.capacity
      order by l.provider, l.class, l.load + l.change - l.capacity desc, l.moment
    )
    -- Grouped, not joined: writes join in nested loops (writeSettings).
    select c.n, c.added, greatest(c.room, 0)
    from (
      select n, max(added) over of_inventory as added, max(room) over of_inventory as room
      from (
        select null::int as n, provider, class, added, added - (load + change - capacity) as room from worst
        union all
        select n, provider, class, null, null from changes where amount > 0
      ) either
      window of_inventory as (partition by provider, class)
    ) c
    where c.n is not null and c.added is not null
    order by c.n;
end $$;
