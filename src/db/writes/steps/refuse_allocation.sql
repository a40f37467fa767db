-- Refuses what write_allocations found against the rules: NO_INVENTORY, UNIT_VIOLATION or CAPACITY_EXCEEDED, with names instead of ids;
-- NOT_FOUND when the class itself is gone, which `asked_class` names.
create or replace function refuse_allocation(violation record, asked_class text) returns void language plpgsql as $$
declare
  place jsonb := jsonb_build_object(
    'consumer', (select c.uuid from consumers c where c.id = violation.consumer),
    'provider', (select p.uuid from resource_providers p where p.id = violation.provider),
    'resourceClass', (select rc.name from resource_classes rc where rc.id = violation.class));
begin
  if place ->> 'resourceClass' is null then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', asked_class));
  elsif violation.no_inventory then
    perform refuse('NO_INVENTORY', place);
  elsif not obeys_units(violation.amount, violation.min_unit, violation.max_unit, violation.step_size) then
    perform refuse('UNIT_VIOLATION', place || jsonb_build_object('requested', violation.amount,
      'minUnit', violation.min_unit, 'maxUnit', violation.max_unit, 'stepSize', violation.step_size));
  end if;
  perform refuse('CAPACITY_EXCEEDED', place || jsonb_build_object('requested', violation.requested, 'available', violation.available));
end $$;
