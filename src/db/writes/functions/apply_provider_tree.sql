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
  named uuid[] := array(select (d ->> 'uuid')::uuid from jsonb_array_elements(request -> 'providers') d where d ->> 'uuid' is not null);
  has_consumers boolean := jsonb_array_length(request -> 'consumers') > 0;
  ids bigint[] := '{}'; -- of the providers in the list, in its order
  provider resource_providers;
  parent resource_providers;
  part record;
  before jsonb;
  after jsonb;
  bumped jsonb;
  allocated record;
  project_ids text[] := '{}';
  changes jsonb := '{"providers": {}, "consumers": {}}';
  warnings jsonb := '[]';
  new_names jsonb;
  answer jsonb;
  bare_provider constant jsonb := '{"inventories": {}, "traits": [], "aggregates": []}';
begin
  perform lock_forest();
  new_names := ensure_tree_names(request -> 'providers');
  locked := lock_consumers(request -> 'consumers');
  members := subtree_ids((select p.id from resource_providers p where p.uuid = (request ->> 'root')::uuid));
  perform lock_write_set(members, request -> 'consumers', locked.ids);
  before := provider_states(members);
  for wanted in
    with listed as (select d, place, d ->> 'name' as name from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place))
    select child.d - '{inventories,traits,aggregates}'::text[] as d, above.place as parent_place
    from listed child left join listed above on above.name = child.d ->> 'parent' order by child.place
  loop
    provider := find_tree_member(request ->> 'root', members, wanted.d);
    -- Found by a name that it will lose: another entry of the list identifies it by its uuid.
    if wanted.d ->> 'uuid' is null and provider.uuid = any(named) then
      perform refuse_duplicate_provider(null, wanted.d ->> 'name');
    end if;
    parent := null;
    if wanted.d ->> 'parent' is not null then
      select * into parent from resource_providers p where p.id = ids[wanted.parent_place];
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
    else
      provider := require_provider(provider.uuid, wanted.d -> 'expect');
      if provider.name <> wanted.d ->> 'name' or provider.parent_provider_id is distinct from parent.id then
        if exists (select from resource_providers p where p.name = wanted.d ->> 'name' and p.id <> provider.id) then
          perform refuse_duplicate_provider(null, wanted.d ->> 'name');
        end if;
        if provider.parent_provider_id is distinct from parent.id then
          perform place_provider(provider, parent);
        end if;
        update resource_providers p set name = wanted.d ->> 'name' where p.id = provider.id;
      end if;
    end if;
    ids := ids || provider.id;
  end loop;

  select coalesce(array_agg(ids[place] order by place), '{}') as ids, coalesce(jsonb_agg(d -> 'inventories' order by place), '[]') as desired into part
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where d ? 'inventories';
  if has_consumers then
    perform write_inventories(part.ids, part.desired, true);
    allocated := write_allocations(request -> 'consumers', locked.ids, locked.created);
    changes := allocated.changes;
    project_ids := allocated.project_ids;
  end if;
  warnings := write_inventories(part.ids, part.desired, false);
  select coalesce(array_agg(ids[place] order by place), '{}') as ids, coalesce(jsonb_agg(d -> 'aggregates' order by place), '[]') as desired into part
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where d ? 'aggregates';
  perform write_aggregates(part.ids, part.desired);
  select coalesce(array_agg(ids[place] order by place), '{}') as ids, coalesce(jsonb_agg(d -> 'traits' order by place), '[]') as desired into part
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where d ? 'traits';
  perform write_traits(part.ids, part.desired);

  -- Deepest first: a provider is deleted after its descendants.
  for provider in
    with recursive depths as (
      select p.id, 0 as depth from resource_providers p where p.uuid = (request ->> 'root')::uuid
      union all
      select child.id, depths.depth + 1 from resource_providers child join depths on child.parent_provider_id = depths.id
    )
    select p.* from depths join resource_providers p on p.id = depths.id
    where not p.id = any(ids) and (not request ? 'removed' or request -> 'removed' ? p.uuid::text)
    order by depths.depth desc
  loop
    perform erase_provider(provider);
  end loop;

  -- Those bumped by write_allocations need not have other changes; a new provider without content starts at 0.
  after := provider_states(members || ids);
  bumped := bump_providers(array(
    select p.id from jsonb_each(after) a(uuid, state) join resource_providers p on p.uuid = a.uuid::uuid
    where case
      when before ? a.uuid then (before -> a.uuid) - 'generation' <> state - 'generation'
      else not state || bare_provider = state
    end));
  select coalesce(jsonb_object_agg(uuid, state || coalesce(bumped #> array['changes', uuid, 'after'], '{}')), '{}') into after
  from jsonb_each(after) a(uuid, state);
  changes := changes || jsonb_build_object('providers', (changes -> 'providers') || changed_states(before, after)) || new_names;

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
