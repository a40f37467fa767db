-- Sets a whole tree to a desired state in one transaction, or (`dryRun`) returns what would change and rolls back.
-- request: `root`, `providers` ([{uuid, name, parent, expect, inventories, traits, aggregates}], parents before children; absent parts are
-- unchanged), `consumers` as for lock_consumers, optionally `removed` (uuids). The caller has checked that the list is one tree.
-- Providers of the tree that are not in the list are deleted: those in `removed`, or all of them without `removed`.
-- Order of steps: create, rename and move; old and new inventories; allocations; final inventories; deletions; aggregates; traits.
-- Refuses what its steps refuse. Unchanged providers are not written and keep their generation.
-- Returns `changes`, `names` (of the providers in them, by uuid), `root` (a row), `warnings` with the rows of their `providers` and
-- `inventories`, `applied`, `eventId`.
create or replace function apply_provider_tree(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  wanted record;
  members bigint[];
  known jsonb := '{}'; -- desired name -> id
  provider resource_providers;
  parent resource_providers;
  written jsonb;
  allocated record;
  project_ids text[] := '{}';
  bumped jsonb;
  changes jsonb := '{"providers": {}, "consumers": {}}';
  warnings jsonb := '[]';
  new_names jsonb;
  created bigint[] := '{}';
  answer jsonb;
  bare_provider constant jsonb := '{"inventories": {}, "traits": [], "aggregates": []}';
begin
  perform lock_forest();
  new_names := ensure_tree_names(request -> 'providers');
  locked := lock_consumers(request -> 'consumers');
  members := subtree_ids((select p.id from resource_providers p where p.uuid = (request ->> 'root')::uuid));
  perform lock_write_set(members, request -> 'consumers', locked.ids);
  for wanted in select d from jsonb_array_elements(request -> 'providers') d loop
    provider := find_tree_member(request ->> 'root', members, wanted.d);
    -- Found by a name that it will lose: another entry of the list identifies it by its uuid.
    if wanted.d ->> 'uuid' is null and exists (
      select from jsonb_array_elements(request -> 'providers') d where (d ->> 'uuid')::uuid = provider.uuid
    ) then
      perform refuse_duplicate_provider(null, wanted.d ->> 'name');
    end if;
    parent := null;
    if wanted.d ->> 'parent' is not null then
      select * into parent from resource_providers p where p.id = (known ->> (wanted.d ->> 'parent'))::bigint;
    end if;
    if provider.id is null then
      if wanted.d -> 'expect' ? 'generation' then
        perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', coalesce(wanted.d ->> 'uuid', wanted.d ->> 'name')));
      end if;
      provider := insert_provider(
        coalesce((wanted.d ->> 'uuid')::uuid, case when wanted.d ->> 'parent' is null then (request ->> 'root')::uuid end, gen_random_uuid()),
        wanted.d ->> 'name', parent);
      if provider.id is null then
        perform refuse_duplicate_provider((wanted.d ->> 'uuid')::uuid, wanted.d ->> 'name');
      end if;
      created := created || provider.id;
      changes := merge_changes(changes, jsonb_build_object('providers', jsonb_build_object(
        provider.uuid, jsonb_build_object('before', null, 'after', provider_state(provider.id)))));
    else
      provider := require_provider(provider.uuid, wanted.d -> 'expect');
      if provider.name <> wanted.d ->> 'name' or provider.parent_provider_id is distinct from parent.id then
        if exists (select from resource_providers p where p.name = wanted.d ->> 'name' and p.id <> provider.id) then
          perform refuse_duplicate_provider(null, wanted.d ->> 'name');
        end if;
        written := placement_of(provider_state(provider.id));
        if provider.parent_provider_id is distinct from parent.id then
          perform place_provider(provider, parent);
        end if;
        update resource_providers p set name = wanted.d ->> 'name' where p.id = provider.id;
        changes := merge_changes(changes, jsonb_build_object('providers', jsonb_build_object(
          provider.uuid, jsonb_build_object('before', written, 'after', placement_of(provider_state(provider.id))))));
      end if;
    end if;
    known := known || jsonb_build_object(wanted.d ->> 'name', provider.id);
    if jsonb_array_length(request -> 'consumers') > 0 and wanted.d ? 'inventories' then
      written := write_inventories(provider, wanted.d -> 'inventories', true);
      changes := merge_changes(changes, changed_part(provider.uuid, 'inventories', written));
    end if;
  end loop;

  if jsonb_array_length(request -> 'consumers') > 0 then
    allocated := write_allocations(request -> 'consumers', locked.ids, locked.created);
    changes := merge_changes(changes, allocated.changes);
    project_ids := allocated.project_ids;
  end if;

  for wanted in select d from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) order by place desc loop
    select * into provider from resource_providers p where p.id = (known ->> (wanted.d ->> 'name'))::bigint;
    if wanted.d ? 'inventories' then
      written := write_inventories(provider, wanted.d -> 'inventories', false);
      warnings := warnings || (written -> 'warnings');
      changes := merge_changes(changes, changed_part(provider.uuid, 'inventories', written));
    end if;
    if wanted.d ? 'aggregates' then
      changes := merge_changes(changes, changed_part(provider.uuid, 'aggregates', write_aggregates(provider, wanted.d -> 'aggregates')));
    end if;
    if wanted.d ? 'traits' then
      changes := merge_changes(changes, changed_part(provider.uuid, 'traits', write_traits(provider, wanted.d -> 'traits')));
    end if;
  end loop;

  -- Deepest first: a provider is deleted after its descendants.
  for provider in
    with recursive depths as (
      select p.id, 0 as depth from resource_providers p where p.uuid = (request ->> 'root')::uuid
      union all
      select child.id, depths.depth + 1 from resource_providers child join depths on child.parent_provider_id = depths.id
    )
    select p.* from depths join resource_providers p on p.id = depths.id
    where not p.id in (select value::bigint from jsonb_each_text(known)) and (not request ? 'removed' or request -> 'removed' ? p.uuid::text)
    order by depths.depth desc
  loop
    changes := merge_changes(changes, jsonb_build_object('providers', jsonb_build_object(
      provider.uuid, jsonb_build_object('before', erase_provider(provider), 'after', null))));
  end loop;

  -- A provider that ends as it began is unchanged: an inventory may have been added and removed between two steps.
  changes := jsonb_build_object('consumers', changes -> 'consumers', 'providers', (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(changes -> 'providers') where value -> 'before' <> value -> 'after'));
  -- Those bumped by write_allocations need not have other changes; a new provider without content starts at 0.
  bumped := bump_providers(array(
    select p.id from jsonb_each(changes -> 'providers') c(uuid, change) join resource_providers p on p.uuid = c.uuid::uuid
    where case
      when change -> 'after' = 'null' then false
      when change -> 'before' = 'null' then not ((change -> 'after') || bare_provider = change -> 'after')
      else (change -> 'before') - 'generation' <> (change -> 'after') - 'generation'
    end));
  changes := merge_changes(changes, jsonb_build_object('providers', bumped -> 'changes')) || new_names;

  select jsonb_build_object(
    'changes', changes, 'names', (
      select coalesce(jsonb_object_agg(p.uuid, p.name), '{}') from resource_providers p
      where p.uuid in (select jsonb_object_keys(changes -> 'providers')::uuid)), 'warnings', warnings, 'applied', not (request ->> 'dryRun')::boolean, 'eventId', null,
    'root', (select provider_row(p) from resource_providers p where p.uuid = (request ->> 'root')::uuid)
  ) into answer;
  if (request ->> 'dryRun')::boolean then
    raise exception using errcode = 'RP000', detail = answer::text;
  end if;
  if warnings <> '[]' then
    answer := answer || shrunk_rows(warnings);
  end if;
  return answer || jsonb_build_object('eventId', case when changes -> 'providers' <> '{}' or changes -> 'consumers' <> '{}' then
    record_event(request ->> 'kind', request -> 'by', changes, project_ids) end);
end $$;
