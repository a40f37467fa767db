-- The reason why write_allocations refuses a row, with names instead of ids. rank: 1 no such inventory (or the class was deleted), 2 the
-- amount violates unit constraints, 3 insufficient capacity.
create or replace function refused_allocation(
  consumer text, provider_id bigint, class_name text, class_is_gone boolean, rank int, amount bigint, i inventories,
  requested numeric, available numeric
) returns jsonb language plpgsql stable as $$
declare
  place jsonb := jsonb_build_object(
    'consumer', consumer,
    'provider', (select p.uuid from resource_providers p where p.id = provider_id), 'resourceClass', class_name);
begin
  if class_is_gone then
    return jsonb_build_object('code', 'NOT_FOUND', 'details', jsonb_build_object('noun', 'resourceClass', 'key', class_name));
  elsif rank = 1 then
    return jsonb_build_object('code', 'NO_INVENTORY', 'details', place);
  elsif rank = 2 then
    return jsonb_build_object('code', 'UNIT_VIOLATION', 'details', place || jsonb_build_object('requested', amount,
      'minUnit', i.min_unit, 'maxUnit', i.max_unit, 'stepSize', i.step_size));
  end if;
  return jsonb_build_object('code', 'CAPACITY_EXCEEDED', 'details', place || jsonb_build_object('requested', requested, 'available', available));
end $$;
