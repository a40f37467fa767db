-- The parts that must be left out so that the others have room, as many as possible: those with allocations, among `open_rows`, without an inventory, against its
-- units, or beyond its capacity after the smaller ones. Allocations, `row_parts` and `releasing` are as for take_room_by_part.
create or replace function crowded_parts(
  provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[], row_parts int[], releasing int[], open_rows int[]
) returns table (part int) language sql stable as $$
  select distinct asked.part
  from (
    select of_part.*, sum(case when obeys then greatest(change, 0) else 0 end) over smaller as taken,
           coalesce(sum(change) filter (where part = any(releasing)) over (partition by provider, class), 0) as released
    from (
      select provider_ids[row_providers[n]] as provider, class_ids[row_classes[n]] as class, row_parts[n] as part, sum(amounts[n])::bigint as change,
             min(i.capacity - i.used - i.promised) as room,
             bool_and((amounts[n] < 0 or obeys_units(amounts[n], i.min_unit, i.max_unit, i.step_size)) is true) as obeys
      from unnest(open_rows) n
      left join inventories i on i.resource_provider_id = provider_ids[row_providers[n]] and i.resource_class_id = class_ids[row_classes[n]]
      group by 1, 2, 3
    ) of_part
    window smaller as (partition by provider, class order by change, part)
  ) asked
  where not asked.obeys or asked.change > 0 and asked.taken + asked.released > asked.room
$$;
