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
  covered int[];
  points record;
begin
  if not exists (select from unnest(among) n where amounts[n] > 0) then
    return;
  end if;
  if cardinality(claims_from) > 0 then
    select array_agg(n) filter (where r.starts_at <= now()),
           array_agg(case when r.starts_at > now() then least(misfits_in_time.ends[n], r.starts_at) else misfits_in_time.ends[n] end order by n)
    into covered, ends
    from generate_series(1, cardinality(amounts)) n
    left join (reservations r join reservation_amounts own on own.reservation_id = r.id)
      on r.id = claims_from[n] and r.ends_at > now() and own.resource_provider_id = provider_ids[row_providers[n]] and own.resource_class_id = class_ids[row_classes[n]];
  end if;
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
    select i.provider, i.class, r.starts_at
    from inventories_of i join reservation_amounts a on a.resource_provider_id = i.provider and a.resource_class_id = i.class
    join reservations r on r.id = a.reservation_id where r.starts_at > now()
  ) point;
  return query
    with changes as materialized (
      select n, provider_ids[row_providers[n]] as provider, class_ids[row_classes[n]] as class, amounts[n] as amount,
             coalesce(begins[n], now()) as since, ends[n] as until, coalesce(n = any(covered), false) as is_covered
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
        select l.capacity, l.load, points.providers[l.place], points.classes[l.place], points.moments[l.place], 0, 0, true
        from loads_in_time(points.providers, points.classes, points.moments) l
      ) step
      window at_once as (partition by step.provider, step.class order by step.moment, step.is_point rows unbounded preceding)
    ), loads as (
      select provider, class, capacity, load, moment, change, added from summed where is_point
      union all
      -- Whatever is promised, nobody uses more than there is.
      select c.provider, c.class, i.capacity, i.used, now(), sum(c.amount), sum(c.amount) filter (where c.amount > 0)
      from changes c join inventories i on i.resource_provider_id = c.provider and i.resource_class_id = c.class
      where in_use group by 1, 2, i.capacity, i.used
    ), worst as (
      select distinct on (l.provider, l.class) * from loads l where l.change > 0 and l.load + l.change > l.capacity
      order by l.provider, l.class, l.load + l.change - l.capacity desc, l.moment
    )
    select c.n, w.added, greatest(w.added - (w.load + w.change - w.capacity), 0)
    from worst w join changes c on c.provider = w.provider and c.class = w.class and c.amount > 0
    order by c.n;
end $$;
