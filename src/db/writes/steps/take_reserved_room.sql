-- Adds allocations to the use of inventories that have reservations, and counts what these still keep (promises_of), before the allocations are written. In one update of each
-- inventory: Postgres would check the foreign keys of a row again that this transaction has written already, and wait for its class out of order.
-- Allocations `among` (places) are as for take_room; claims_from: the reservation of each, null for none. What there is room for is known (misfits_in_time).
create or replace function take_reserved_room(provider_ids bigint[], class_ids int[], amounts bigint[], claims_from bigint[], among int[]) returns void language plpgsql as $$
declare
  changes record;
  claimed record;
begin
  select array_agg(provider) as providers, array_agg(class) as classes, array_agg(change) as changes into changes
  from (select provider_ids[n] as provider, class_ids[n] as class, sum(amounts[n])::bigint as change from unnest(among) n group by 1, 2) changed;
  select array_agg(reservation) as reservations, array_agg(provider) as providers, array_agg(class) as classes, array_agg(change) as changes into claimed
  from (
    select claims_from[n] as reservation, provider_ids[n] as provider, class_ids[n] as class, sum(amounts[n])::bigint as change
    from unnest(among) n where claims_from[n] is not null group by 1, 2, 3
  ) changed;
  update inventories i set used = i.used + asked.change, total = i.total, promised = asked.promised
  from (
    -- Grouped, not joined (promises_of).
    select provider, class, sum(change)::bigint as change, sum(promised)::bigint as promised
    from (
      select provider, class, change, 0 as promised from unnest(changes.providers, changes.classes, changes.changes) as _(provider, class, change)
      union all
      select provider, class, 0, promised
      from promises_of(changes.providers, changes.classes, claimed.reservations, claimed.providers, claimed.classes, claimed.changes)
    ) of_inventory
    group by 1, 2
  ) asked
  where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class;
end $$;
