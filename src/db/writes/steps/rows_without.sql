-- The allocations without those of some parts, in the form that take_room takes.
create or replace function rows_without(
  parts int[], part_of int[], inout row_consumers int[], inout row_providers int[], inout row_classes int[], inout amounts bigint[]
) language plpgsql as $$
begin
  select coalesce(array_agg(row_consumers[n] order by n), '{}'), coalesce(array_agg(row_providers[n] order by n), '{}'),
         coalesce(array_agg(row_classes[n] order by n), '{}'), coalesce(array_agg(amounts[n] order by n), '{}')
  into row_consumers, row_providers, row_classes, amounts
  from generate_series(1, cardinality(amounts)) n where part_of[row_consumers[n]] <> all(parts);
end $$;
