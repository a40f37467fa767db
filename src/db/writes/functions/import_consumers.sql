-- Imports consumers of another service with their allocations and generations. Capacity and units are not checked, since the other
-- service has decided; only the inventories must exist. Repeatable. Refuses NOT_FOUND, NO_INVENTORY. One event per consumer written.
-- request: `consumers` ([{uuid, generation, project, user, type, allocations}]). Returns `written`.
create or replace function import_consumers(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  imported record;
  changed record;
  written bigint := 0;
begin
  locked := lock_consumers(request -> 'consumers');
  imported := write_allocations(request -> 'consumers', locked.ids, locked.created, true);
  for changed in select key, value from jsonb_each(imported.changes -> 'consumers') where value -> 'before' <> value -> 'after' loop
    perform append_event(request ->> 'kind', request -> 'by',
      jsonb_build_object('providers', '{}'::jsonb, 'consumers', jsonb_build_object(changed.key, changed.value)), array[changed.key::uuid],
      array(select distinct (jsonb_path_query(changed.value, '$.*.allocations[*].provider') #>> '{}')::uuid),
      array[changed.value #>> '{before,project}', changed.value #>> '{after,project}']);
    written := written + 1;
  end loop;
  return jsonb_build_object('written', written);
end $$;
