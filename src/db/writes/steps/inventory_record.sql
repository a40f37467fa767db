-- One inventory in the form stored in events: without its usage.
create or replace function inventory_record(total int, reserved int, min_unit int, max_unit int, step_size int, allocation_ratio double precision)
returns jsonb language sql stable as $$
  select jsonb_build_object(
    'total', total, 'reserved', reserved, 'minUnit', min_unit, 'maxUnit', max_unit, 'stepSize', step_size, 'allocationRatio', allocation_ratio)
$$;
