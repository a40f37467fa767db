-- Refuses, with CAPACITY_EXCEEDED, allocations that are not covered by what their reservations keep. Allocations are as for take_room; claims_from: the reservation of
-- each, null for none. What is released counts first, and what adds nothing is not refused.
create or replace function claim_from_reservations(
  consumers jsonb, row_consumers int[], provider_ids bigint[], class_ids int[], amounts bigint[], claims_from bigint[]
) returns void language plpgsql as $$
declare
  reasons jsonb;
begin
  select jsonb_agg(uncovered.reason order by uncovered.first) into reasons
  from (
    select distinct on (asked.first) asked.first, jsonb_build_object('code', 'CAPACITY_EXCEEDED', 'details', jsonb_build_object(
      'consumer', consumers #> array[(asked.first - 1)::text, 'uuid'], 'provider', p.uuid, 'resourceClass', rc.name,
      'requested', asked.added, 'available', greatest(coalesce(kept.amount, 0) - asked.claimed + asked.added - asked.change, 0))) as reason
    from (
      -- Grouped, not joined (promises_of).
      select reservation, provider, class, coalesce(sum(change), 0) as change, coalesce(sum(change) filter (where change > 0), 0) as added, min(consumer) as first,
             coalesce(sum(claimed), 0) as claimed
      from (
        select claims_from[n] as reservation, provider_ids[n] as provider, class_ids[n] as class, amounts[n] as change,
               case when amounts[n] > 0 then row_consumers[n] end as consumer, null::bigint as claimed
        from generate_series(1, cardinality(amounts)) n where claims_from[n] is not null
        union all
        select claimed.reservation, claimed.provider, claimed.class, null, null, claimed.amount
        from claimed_from(
          array(select provider_ids[n] from generate_series(1, cardinality(amounts)) n where claims_from[n] is not null and amounts[n] > 0 order by n),
          array(select class_ids[n] from generate_series(1, cardinality(amounts)) n where claims_from[n] is not null and amounts[n] > 0 order by n)) claimed
      ) of_reservation
      group by 1, 2, 3 having sum(change) > 0
    ) asked
    join resource_providers p on p.id = asked.provider join resource_classes rc on rc.id = asked.class
    left join reservation_amounts kept
      on kept.reservation_id = asked.reservation and kept.resource_provider_id = asked.provider and kept.resource_class_id = asked.class
    where asked.claimed + asked.change > coalesce(kept.amount, 0)
    order by asked.first, p.uuid, rc.name
  ) uncovered;
  if reasons is not null then
    perform refuse_all(reasons);
  end if;
end $$;
