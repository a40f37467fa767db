-- Moves inventories and their allocations between providers: old and new inventories both exist while allocations move.
-- request: `providers` ([{provider, expect, inventories}]), `consumers` as for lock_consumers. Others are unchanged.
-- Refuses NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, IN_USE, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED.
-- Generations increase with each step, as upstream. Returns `providers`, `consumers`, `classIds`, `inventories` of the given providers,
-- `warnings`, `unkept` (unkept_promises), `eventId`.
create or replace function reshape(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  wanted record;
  ids bigint[]; -- of the given providers, in their order
  given bigint[];
  inventories jsonb;
  before jsonb; after jsonb; -- their inventories, by uuid
  allocated record;
  raised record;
  changes jsonb;
  warnings jsonb;
begin
  perform lock_names(array(
    select i ->> 'resourceClass' from jsonb_array_elements(request -> 'providers') r cross join jsonb_array_elements(r -> 'inventories') i), '{}');
  locked := lock_consumers(request -> 'consumers');
  ids := array(
    select (select p.id from resource_providers p where p.uuid = (r ->> 'provider')::uuid)
    from jsonb_array_elements(request -> 'providers') with ordinality as _(r, place) order by place);
  perform lock_write_set(array_remove(ids, null), request -> 'consumers', locked.ids);
  for wanted in
    select p as provider, r ->> 'provider' as uuid, r -> 'expect' as expect
    from jsonb_array_elements(request -> 'providers') with ordinality as _(r, place) left join resource_providers p on p.id = ids[place] order by place
  loop
    if wanted.provider is null then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', wanted.uuid));
    end if;
    if wanted.expect ? 'generation' then
      perform check_generation(wanted.provider, wanted.expect);
    end if;
  end loop;
  before := inventories_by_provider(ids);

  select coalesce(array_agg(ids[place] order by place), '{}'), coalesce(jsonb_agg(r -> 'inventories' order by place), '[]') into given, inventories
  from jsonb_array_elements(request -> 'providers') with ordinality as _(r, place) where jsonb_array_length(r -> 'inventories') > 0;
  perform write_inventories(given, inventories, true);
  perform mark_changed(ids);
  allocated := write_allocations(request -> 'consumers', locked, raised => false);
  select coalesce(jsonb_agg(r -> 'inventories' order by place), '[]') into inventories
  from jsonb_array_elements(request -> 'providers') with ordinality as _(r, place);
  warnings := write_inventories(ids, inventories, false);

  -- All steps at once: Postgres would check the foreign keys of a row again that this transaction has written already.
  select array_agg(id) as ids, array_agg(step) as steps into wanted
  from (
    select id, count(*) as step
    from (select distinct unnest(given) union all select unnest(allocated.provider_ids) union all select distinct unnest(ids)) _(id) group by id
  ) _;
  after := inventories_by_provider(ids);
  select coalesce(jsonb_agg(provider order by id), '[]') as rows, coalesce(array_agg(uuid), '{}') as uuids, coalesce(jsonb_object_agg(uuid, case
           when before -> uuid::text is distinct from after -> uuid::text then jsonb_build_object(
             'before', jsonb_build_object('generation', generation - step, 'inventories', before -> uuid::text),
             'after', jsonb_build_object('generation', generation, 'inventories', after -> uuid::text))
           else generation_change(generation, step) end), '{}') as changes
  into raised from raise_by(wanted.ids, wanted.steps);
  changes := event_changes(raised.changes, allocated.consumer_changes);
  return json_build_object(
    'consumers', allocated.consumers_after,
    'providers', raised.rows,
    'classIds', allocated.class_ids,
    'inventories', inventory_rows(ids),
    'warnings', warnings,
    'unkept', unkept_promises(ids, array(select i ->> 'resourceClass' from jsonb_array_elements(inventories) list cross join jsonb_array_elements(list) i)),
    'eventId', append_event(
      request ->> 'kind', request -> 'by', changes, allocated.consumer_uuids, raised.uuids, allocated.project_names,
      array(select unnest(allocated.class_names) union select unnest(changed_classes(jsonb_build_object('providers', raised.changes)))))
  )::jsonb;
end $$;
