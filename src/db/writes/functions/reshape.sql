-- Moves inventories and their allocations between providers: old and new inventories both exist while allocations move.
-- request: `providers` ([{provider, expect, inventories}]), `consumers` as for lock_consumers. Others are unchanged.
-- Refuses NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, IN_USE, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED.
-- Generations increase with each step, as upstream. Returns `providers`, `consumers`, `classIds`, `inventories` of the given providers,
-- `warnings`, `eventId`.
create or replace function reshape(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  wanted record;
  ids bigint[]; -- of the given providers, in their order
  given bigint[];
  inventories jsonb;
  before jsonb;
  allocated record;
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
  before := provider_states(ids);

  select coalesce(array_agg(ids[place] order by place), '{}'), coalesce(jsonb_agg(r -> 'inventories' order by place), '[]') into given, inventories
  from jsonb_array_elements(request -> 'providers') with ordinality as _(r, place) where jsonb_array_length(r -> 'inventories') > 0;
  perform write_inventories(given, inventories, true);
  perform bump_providers(given);
  allocated := write_allocations(request -> 'consumers', locked.ids, locked.created);
  select coalesce(jsonb_agg(r -> 'inventories' order by place), '[]') into inventories
  from jsonb_array_elements(request -> 'providers') with ordinality as _(r, place);
  warnings := write_inventories(ids, inventories, false);
  perform bump_providers(ids);
  changes := allocated.changes || jsonb_build_object('providers', (allocated.changes -> 'providers') || changed_states(before, provider_states(ids)));
  return jsonb_build_object(
    'consumers', allocated.consumers_after,
    'providers', (
      select coalesce(jsonb_agg(provider_row(p) order by p.id), '[]') from resource_providers p
      where p.uuid in (select jsonb_object_keys(changes -> 'providers')::uuid)
    ),
    'classIds', class_ids(allocated.consumers_after),
    'inventories', inventory_rows(ids),
    'warnings', warnings,
    'eventId', record_event(request ->> 'kind', request -> 'by', changes, allocated.project_ids)
  );
end $$;
