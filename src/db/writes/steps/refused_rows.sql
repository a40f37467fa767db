-- Those of the allocations `among` (places) that violate a rule, with the first that they violate. rank: 1 no such inventory, 2 the amount violates unit
-- constraints, 3 insufficient capacity for `requested`, the sum for the inventory, of which `available` would be. Allocations are as for take_room.
create or replace function refused_rows(
  provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[], among int[],
  is_given boolean default false
) returns table (place int, rank int, inventory inventories, requested numeric, available numeric) language sql stable as $$
  select asked.place, broken.rank, asked.i, asked.requested, greatest((asked.i).capacity - (asked.i).used - (asked.i).promised + asked.released, asked.released, 0)
  from (
    select n as place, i, obeys,
           sum(greatest(amounts[n], 0)) over same_inventory as requested,
           sum(greatest(-amounts[n], 0)) over same_inventory as released
    from unnest(among) n
    left join inventories i on i.resource_provider_id = provider_ids[row_providers[n]] and i.resource_class_id = class_ids[row_classes[n]]
    cross join lateral (select obeys_units(amounts[n], i.min_unit, i.max_unit, i.step_size) as obeys) unit
    window same_inventory as (partition by i.resource_provider_id, i.resource_class_id)
  ) asked
  cross join lateral (select case
    when (asked.i).resource_provider_id is null then 1
    when is_given then null
    when not asked.obeys then 2
    when not has_room((asked.i).used + (asked.i).promised, (asked.requested - asked.released)::bigint, (asked.i).capacity) then 3 end as rank) broken
  where broken.rank is not null and amounts[asked.place] > 0
$$;
