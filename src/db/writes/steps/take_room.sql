-- Adds allocations to the use of their inventories. An inventory stays as it is if it has no room for the sum, or if one of its new allocations violates its
-- units. Returns the places of the allocations that were not added: those of such inventories, and those without one. The providers are locked already.
-- Negative amounts are released; `row_` are indexes into the ids, which are null for what does not exist. is_given: neither room nor units are checked.
create or replace function take_room(
  provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[], is_given boolean default false
) returns int[] language plpgsql as $$
declare
  added_providers bigint[]; added_classes int[]; added bigint;
begin
  with changed as (
    -- Setting a column from which `capacity` is computed makes Postgres prepare that computation once, and not again for each row.
    update inventories i set used = i.used + asked.change, total = i.total
    from (
      -- Indexes rather than unnest, here and in whatever is executed for each claim: each array of an unnest is spooled on its own.
      select i.resource_provider_id as provider, i.resource_class_id as class, sum(amount)::bigint as change, count(*) as rows,
             bool_and(amount < 0 or obeys_units(amount, i.min_unit, i.max_unit, i.step_size)) as obeys
      from unnest(amounts) with ordinality as _(amount, n)
      join inventories i on i.resource_provider_id = provider_ids[row_providers[n]] and i.resource_class_id = class_ids[row_classes[n]]
      group by 1, 2
    ) asked
    where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class
      and (is_given or asked.obeys and has_room(i.used + i.promised, asked.change, i.capacity))
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
