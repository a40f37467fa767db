-- The places of allocations whose inventories have reservations: there, room depends on time (misfits_in_time). Allocations are as for take_room.
create or replace function reserved_rows(provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[]) returns int[] language plpgsql as $$
begin
  return array(
    select n from generate_series(1, cardinality(row_providers)) n
    where exists (
      -- One by one, as in lock_consumers.
      select from reservation_amounts a
      where a.resource_provider_id = provider_ids[row_providers[n]] and a.resource_class_id = class_ids[row_classes[n]] offset 0) order by n);
end $$;
