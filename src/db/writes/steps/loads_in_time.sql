-- What an inventory holds at a moment, from now on: what consumers hold then (those that expire only until they do), and what reservations keep that run then. What
-- is claimed from a reservation that runs is a part of what that keeps, and goes with it; if it is more, because of an import, the reservation keeps as much
-- (promises_of). What has expired or ended, but is not yet released, is used now, and gone later.
-- One row for each of the given places (provider, class and moment, at the same index) whose inventory exists. without: a reservation that is left out.
-- Each inventory is read once, for any number of moments: its load is a sum of steps in the order of time. One by one, as in lock_consumers.
create or replace function loads_in_time(provider_ids bigint[], class_ids int[], moments timestamptz[], without bigint default null)
returns table (place int, capacity bigint, used bigint, load numeric) language sql stable as $$
  with asked as materialized (
    select asked.n::int as n, i.resource_provider_id as provider, i.resource_class_id as class, greatest(asked.moment, now()) as moment, i.capacity, i.used
    from unnest(provider_ids, class_ids, moments) with ordinality as asked(provider, class, moment, n)
    cross join lateral (select * from inventories i where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class offset 0) i
  ), named as materialized (
    select distinct provider, class from asked
  ), ending as materialized (
    -- What consumers hold that expire, with the reservation of which that is a part.
    select named.provider, named.class, a.used, c.expires_at, own.id as reservation, own.starts_at, own.ends_at
    from named
    cross join lateral (select * from allocations a where a.resource_provider_id = named.provider and a.resource_class_id = named.class offset 0) a
    cross join lateral (select * from consumers c where c.id = a.consumer_id offset 0) c
    left join lateral (
      select * from reservations r
      where r.id = c.reservation_id and exists (
        select from reservation_amounts own
        where own.reservation_id = r.id and own.resource_provider_id = named.provider and own.resource_class_id = named.class) offset 0
    ) own on true
    where c.expires_at is not null
  ), kept as materialized (
    -- Grouped, not joined: writes join in nested loops (writeSettings), and each reservation would look at all that expires.
    select provider, class, starts_at, ends_at, greatest(sum(amount), sum(claimed)) as amount
    from (
      select named.provider, named.class, r.id as reservation, r.starts_at, r.ends_at, a.amount, 0 as claimed
      from named
      cross join lateral (
        select * from reservation_amounts a where a.resource_provider_id = named.provider and a.resource_class_id = named.class offset 0) a
      cross join lateral (select * from reservations r where r.id = a.reservation_id offset 0) r
      union all
      select provider, class, reservation, starts_at, ends_at, 0, used from ending where reservation is not null
    ) of_reservation
    where reservation is distinct from without
    group by provider, class, reservation, starts_at, ends_at
  ), steps as (
    select provider, class, false as is_now, case
             when ends_at is null then expires_at when starts_at > now() then least(expires_at, starts_at) else '-infinity' end as moment, -used::numeric as change
    from ending
    union all
    select provider, class, true, '-infinity', -used from ending where starts_at <= now() and ends_at > now()
    union all
    select provider, class, false, starts_at, amount from kept
    union all
    select provider, class, false, ends_at, -amount from kept
    union all
    select provider, class, true, '-infinity', amount from kept where starts_at <= now() and ends_at > now()
  )
  select n, summed.capacity, summed.used, summed.used + change
  from (
    select step.n, step.capacity, step.used, sum(step.change) over (
             partition by step.provider, step.class, step.is_now order by step.moment, step.n nulls first rows unbounded preceding) as change
    from (
      select null::int as n, provider, class, is_now, moment, change, null::bigint as capacity, null::bigint as used from steps
      union all
      select n, provider, class, moment = now(), moment, 0, capacity, used from asked
    ) step
  ) summed
  where n is not null
$$;
