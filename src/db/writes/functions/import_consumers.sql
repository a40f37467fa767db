-- Imports consumers of another service with their allocations and generations. Capacity and units are not checked, since the other
-- service has decided; only the inventories must exist. Repeatable. Refuses NOT_FOUND, NO_INVENTORY. One event per consumer written.
-- request: `consumers` ([{uuid, generation, project, user, type, allocations}]; of an export also `createdAt` and `updatedAt`; `expiresAt`, null if it lasts, without which that stays as it is; of a bridge also `generations`
-- of the providers that it holds, by uuid, which are raised to these, or `raises`, uuids of providers whose generations are raised by one, `expect` and `keepType`,
-- as for lock_consumers). Returns `written`.
create or replace function import_consumers(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  imported record;
  -- Each consumer before and after. Parsed once: parsing it for each consumer takes time with the square of their number.
  kept jsonb;
  written bigint;
  events jsonb;
  changes jsonb[];
  -- Of the providers whose generations are raised, with the consumer in whose event that is.
  raised jsonb := '{}';
begin
  locked := lock_consumers(request -> 'consumers', imported => true);
  imported := write_allocations(request -> 'consumers', locked, true);
  kept := imported.consumer_changes::jsonb;
  with read as (
    select distinct on (p.id) p.id, p.uuid, p.generation as old, g.value::bigint as new, e ->> 'uuid' as consumer
    from jsonb_array_elements(request -> 'consumers') e cross join jsonb_each_text(e -> 'generations') g join resource_providers p on p.uuid = g.key::uuid
    where g.value::bigint > p.generation and kept #> array[e ->> 'uuid', 'before'] <> kept #> array[e ->> 'uuid', 'after']
    order by p.id, g.value::bigint desc
  ), told as (
    select * from read
    union all
    select p.id, p.uuid, p.generation, p.generation + count(*), min(e ->> 'uuid')
    from jsonb_array_elements(request -> 'consumers') e cross join jsonb_array_elements_text(e -> 'raises') r join resource_providers p on p.uuid = r::uuid
    group by p.id
  ), done as (
    update resource_providers p set generation = told.new from told where p.id = told.id
    returning told.consumer, p.uuid, generation_change(told.new, told.new - told.old) as change
  )
  select coalesce(jsonb_object_agg(consumer, changed), '{}') into raised
  from (select consumer, jsonb_object_agg(uuid, change) as changed from done group by consumer) _;
  select count(*), jsonb_agg(jsonb_build_object(
           'by', request -> 'by', 'consumers', jsonb_build_array(key),
           'providers', array(select distinct (jsonb_path_query(value, '$.*.allocations[*].provider') #>> '{}')::uuid),
           'projects', array[value #>> '{before,project}', value #>> '{after,project}'],
           'classes', jsonb_path_query_array(value, '$.*.allocations[*].resourceClass'))),
         array_agg(jsonb_build_object('providers', coalesce(raised -> key, '{}'), 'consumers', jsonb_build_object(key, value)))
  into written, events, changes
  from jsonb_each(kept) where value -> 'before' <> value -> 'after';
  if written > 0 then
    perform append_events(request ->> 'kind', events, changes);
  end if;
  return jsonb_build_object('written', written);
end $$;
