-- Adds allocations to the use of inventories that have reservations, and counts what these still keep, before the allocations are written. In one update of each
-- inventory: Postgres would check the foreign keys of a row again that this transaction has written already, and wait for its class out of order.
-- Allocations `among` (places) are as for take_room; claims_from: the reservation of each, null for none. What there is room for is known (misfits_in_time).
create or replace function take_reserved_room(provider_ids bigint[], class_ids int[], amounts bigint[], claims_from bigint[], among int[]) returns void language plpgsql as $$
declare
  changes record;
begin
  select array_agg(provider) as providers, array_agg(class) as classes, array_agg(change) as changes, array_agg(claimed) as claimed into changes
  from (
    select provider_ids[n] as provider, class_ids[n] as class, sum(amounts[n])::bigint as change,
           coalesce(sum(amounts[n]) filter (where r.ends_at > now() and exists (
             select from reservation_amounts a
             where a.reservation_id = r.id and a.resource_provider_id = provider_ids[n] and a.resource_class_id = class_ids[n])), 0)::bigint as claimed
    from unnest(among) n left join reservations r on r.id = claims_from[n] group by 1, 2
  ) changed;
  update inventories i set used = i.used + asked.change, total = i.total, promised = greatest(due.unclaimed - asked.claimed, 0)
  from unnest(changes.providers, changes.classes, changes.changes, changes.claimed) as asked(provider, class, change, claimed)
  join promises_of(changes.providers, changes.classes) due using (provider, class)
  where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class;
end $$;
