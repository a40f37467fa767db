-- Moves inventories and their allocations between providers: old and new inventories both exist while allocations move.
-- request: `providers` ([{provider, expect, inventories}]), `consumers` as for lock_consumers. Others are unchanged.
-- Refuses NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, IN_USE, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED.
-- Generations increase with each step, as upstream. Returns `providers`, `consumers`, `classIds`, `inventories` of the given providers,
-- `warnings`, `eventId`.
create or replace function reshape(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  wanted record;
  provider resource_providers;
  written jsonb;
  allocated record;
  bumped jsonb;
  changes jsonb := '{}';
  warnings jsonb := '[]';
  ids bigint[];
begin
  locked := lock_consumers(request -> 'consumers');
  ids := array(select p.id from jsonb_array_elements(request -> 'providers') r join resource_providers p on p.uuid = (r ->> 'provider')::uuid);
  perform lock_write_set(ids, request -> 'consumers', locked.ids);
  for wanted in select r from jsonb_array_elements(request -> 'providers') r loop
    provider := require_provider((wanted.r ->> 'provider')::uuid, wanted.r -> 'expect');
    if jsonb_array_length(wanted.r -> 'inventories') > 0 then
      written := write_inventories(provider, wanted.r -> 'inventories', true);
      bumped := bump_providers(array[provider.id]);
      changes := merge_changes(merge_changes(changes, jsonb_build_object('providers', bumped -> 'changes')), changed_part(provider.uuid, 'inventories', written));
    end if;
  end loop;
  allocated := write_allocations(request -> 'consumers', locked.ids, locked.created);
  changes := merge_changes(changes, allocated.changes);
  for wanted in select r from jsonb_array_elements(request -> 'providers') r loop
    select * into provider from resource_providers p where p.uuid = (wanted.r ->> 'provider')::uuid;
    written := write_inventories(provider, wanted.r -> 'inventories', false);
    warnings := warnings || (written -> 'warnings');
    bumped := bump_providers(array[provider.id]);
    changes := merge_changes(merge_changes(changes, jsonb_build_object('providers', bumped -> 'changes')), changed_part(provider.uuid, 'inventories', written));
  end loop;
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
