-- take_room for several parts, some of which release something (claim_together). An inventory has room if each part fits after those before it: what a part
-- frees counts for the others only if it is among `releasing`, which free all that they name and come first.
-- row_parts: the part of each allocation.
create or replace function take_room_by_part(
  provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[], row_parts int[], releasing int[]
) returns int[] language plpgsql as $$
declare
  added_providers bigint[]; added_classes int[]; added bigint;
begin
  with asked as (
    select provider, class, sum(change)::bigint as change, sum(count) as rows, bool_and(obeys) as obeys,
           sum(greatest(change, 0))::bigint as taken, coalesce(sum(change) filter (where part = any(releasing)), 0)::bigint as released
    from (
      select i.resource_provider_id as provider, i.resource_class_id as class, row_parts[n] as part, sum(amount)::bigint as change, count(*) as count,
             bool_and(amount < 0 or obeys_units(amount, i.min_unit, i.max_unit, i.step_size)) as obeys
      from unnest(amounts) with ordinality as _(amount, n)
      join inventories i on i.resource_provider_id = provider_ids[row_providers[n]] and i.resource_class_id = class_ids[row_classes[n]]
      group by 1, 2, 3
    ) of_part
    group by 1, 2
  ), changed as (
    update inventories i set used = i.used + asked.change, total = i.total
    from asked
    where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class
      and asked.obeys and has_room(i.used + i.promised + asked.released, asked.taken, i.capacity)
    returning asked.provider, asked.class, asked.rows
  )
  select array_agg(provider), array_agg(class), sum(rows) into added_providers, added_classes, added from changed;
  if added = cardinality(amounts) then
    return '{}';
  end if;
  return array(
    select n from generate_series(1, cardinality(amounts)) n
    where ((provider_ids[row_providers[n]], class_ids[row_classes[n]]) in (select * from unnest(added_providers, added_classes))) is not true order by n);
end $$;
