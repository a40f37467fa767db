-- Whether there is room for each of these new allocations beside what is used now, whatever else this write does. Without locks: what is certain to be
-- refused is found before anything is locked. Allocations are as for take_room, but with names of classes.
create or replace function fit_alone(provider_ids bigint[], row_providers int[], class_names text[], row_classes int[], amounts bigint[])
returns boolean language plpgsql as $$
begin
  return not exists (
    select from generate_series(1, cardinality(amounts)) n
    left join inventories i on i.resource_provider_id = provider_ids[row_providers[n]]
      and i.resource_class_id = (select c.id from resource_classes c where c.name = class_names[row_classes[n]])
    where (obeys_units(amounts[n], i.min_unit, i.max_unit, i.step_size) and has_room(i.used + i.promised, amounts[n], i.capacity)) is not true);
end $$;
