-- What an inventory holds at a moment, from now on: what consumers hold then (those that expire only until they do), and what reservations keep that run then; what
-- is claimed from a reservation is a part of what that keeps, and goes with it. What has expired or ended, but is not yet released, is used now, and gone later.
-- One row for each of the given places (provider, class and moment, at the same index) whose inventory exists. without: a reservation that is left out.
create or replace function loads_in_time(provider_ids bigint[], class_ids int[], moments timestamptz[], without bigint default null)
returns table (place int, capacity bigint, used bigint, load numeric) language sql stable as $$
  select asked.n::int, i.capacity, i.used, i.used - gone.amount + kept.amount
  from unnest(provider_ids, class_ids, moments) with ordinality as asked(provider, class, moment, n)
  join inventories i on i.resource_provider_id = asked.provider and i.resource_class_id = asked.class
  cross join lateral (
    select coalesce(sum(a.used), 0) as amount
    from allocations a
    join consumers c on c.id = a.consumer_id and c.expires_at is not null
    left join lateral (
      select r.ends_at from reservations r join reservation_amounts own on own.reservation_id = r.id
      where r.id = c.reservation_id and own.resource_provider_id = i.resource_provider_id and own.resource_class_id = i.resource_class_id
    ) r on true
    where a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id
      and case when asked.moment <= now() then r.ends_at > now() else r.ends_at is not null or c.expires_at <= asked.moment end
  ) gone
  cross join lateral (
    select coalesce(sum(a.amount), 0) as amount
    from reservation_amounts a join reservations r on r.id = a.reservation_id
    where a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id and r.id is distinct from without
      and r.starts_at <= greatest(asked.moment, now()) and r.ends_at > greatest(asked.moment, now())
  ) kept
$$;
