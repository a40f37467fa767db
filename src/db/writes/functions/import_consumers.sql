-- Imports consumers of another service with their allocations and generations. Capacity and units are not checked, since the other
-- service has decided; only the inventories must exist. Repeatable. Refuses NOT_FOUND, NO_INVENTORY. One event per consumer written.
-- request: `consumers` ([{uuid, generation, project, user, type, allocations}]; of an export also `createdAt` and `updatedAt`). Returns `written`.
create or replace function import_consumers(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  imported record;
  written bigint;
  events jsonb;
  changes jsonb[];
begin
  locked := lock_consumers(request -> 'consumers', imported => true);
  imported := write_allocations(request -> 'consumers', locked, true);
  select count(*), jsonb_agg(jsonb_build_object(
           'by', request -> 'by', 'consumers', jsonb_build_array(key),
           'providers', array(select distinct (jsonb_path_query(value, '$.*.allocations[*].provider') #>> '{}')::uuid),
           'projects', array[value #>> '{before,project}', value #>> '{after,project}'],
           'classes', jsonb_path_query_array(value, '$.*.allocations[*].resourceClass'))),
         array_agg(jsonb_build_object('providers', '{}'::jsonb, 'consumers', jsonb_build_object(key, value)))
  into written, events, changes
  from jsonb_each(imported.consumer_changes::jsonb) where value -> 'before' <> value -> 'after';
  if written > 0 then
    perform append_events(request ->> 'kind', events, changes);
  end if;
  return jsonb_build_object('written', written);
end $$;
