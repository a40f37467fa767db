-- Sets a whole tree to a desired state in one transaction, or (`dryRun`) returns what would change and rolls back.
-- request: `root`, `providers` ([{uuid, name, parent, expect, inventories, traits, aggregates}], parents before children; absent parts are
-- unchanged), `consumers` as for lock_consumers, optionally `removed` (uuids). The caller has checked that the list is one tree.
-- Providers of the tree that are not in the list are deleted: those in `removed`, or all of them without `removed`.
-- Order of steps: create, rename and move; old and new inventories; allocations; final inventories; deletions; aggregates; traits.
-- Refuses what its steps refuse. Unchanged providers are not written and keep their generation.
-- Returns `changes`, `names` (of the providers in them, by uuid), `root` (a row), `warnings` and `unkept` (unkept_promises) with the rows of their
-- `providers` and `inventories`, `applied`, `eventId`.
create or replace function apply_provider_tree(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  members bigint[];
  has_consumers boolean := jsonb_array_length(request -> 'consumers') > 0;
  ids bigint[]; -- of the providers in the list, in its order
  provider resource_providers;
  part record;
  before jsonb;
  after jsonb;
  changed uuid[];
  allocated record;
  project_ids text[] := '{}';
  changes jsonb := '{"providers": {}, "consumers": {}}';
  warnings jsonb := '[]';
  unkept jsonb;
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
  ids := place_tree((request ->> 'root')::uuid, request -> 'providers', members);

  select coalesce(array_agg(ids[place] order by place), '{}') as ids, coalesce(jsonb_agg(d -> 'inventories' order by place), '[]') as desired into part
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where d ? 'inventories';
  if has_consumers then
    perform write_inventories(part.ids, part.desired, true);
    -- All at once, because settle_zones may count against others.
    perform lock_quotas(members, locked.projects || locked.old_projects);
    allocated := write_allocations(request -> 'consumers', locked);
    changes := event_changes(allocated.provider_changes, allocated.consumer_changes);
    project_ids := allocated.project_names;
  end if;
  warnings := write_inventories(part.ids, part.desired, false);
  unkept := unkept_promises(part.ids, array(
    select i ->> 'resourceClass' from jsonb_array_elements(part.desired) list cross join jsonb_array_elements(list) i));
  select coalesce(array_agg(ids[place] order by place), '{}') as ids, coalesce(jsonb_agg(d -> 'aggregates' order by place), '[]') as desired into part
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where d ? 'aggregates';
  perform write_aggregates(part.ids, part.desired);
  select coalesce(array_agg(ids[place] order by place), '{}') as ids, coalesce(jsonb_agg(d -> 'traits' order by place), '[]') as desired into part
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where d ? 'traits';
  perform write_traits(part.ids, part.desired);

  -- Deepest first: a provider is deleted after its descendants. Those of one depth go by name, so that a refusal always names the same one.
  for provider in
    with recursive depths as (
      select p.id, 0 as depth from resource_providers p where p.uuid = (request ->> 'root')::uuid
      union all
      select child.id, depths.depth + 1 from resource_providers child join depths on child.parent_provider_id = depths.id
    )
    select p.* from depths join resource_providers p on p.id = depths.id
    where not p.id = any(ids) and (not request ? 'removed' or request -> 'removed' ? p.uuid::text)
    order by depths.depth desc, p.name
  loop
    perform erase_provider(provider);
  end loop;

  -- Providers that write_allocations has bumped need not have other changes; a new provider without content starts at 0.
  select jsonb_object_agg(uuid, case when is_changed then state || jsonb_build_object('generation', (state ->> 'generation')::bigint + 1) else state end),
         array_agg(uuid::uuid) filter (where is_changed)
  into after, changed
  from (
    select uuid, state, case
      when before ? uuid then (before -> uuid) - 'generation' <> state - 'generation'
      else not state || bare_provider = state end as is_changed
    from jsonb_each(provider_states(members || ids)) of(uuid, state)
    offset 0
  ) compared;
  perform bump_providers(array(select p.id from resource_providers p where p.uuid = any(changed)));
  changes := changes || jsonb_build_object('providers', (changes -> 'providers') || changed_states(before, after)) || new_names;

  select jsonb_build_object(
    'changes', changes, 'names', (
      select coalesce(jsonb_object_agg(p.uuid, p.name), '{}') from resource_providers p
      where p.uuid in (select jsonb_object_keys(changes -> 'providers')::uuid)), 'warnings', warnings, 'unkept', unkept, 'applied', not (request ->> 'dryRun')::boolean, 'eventId', null,
    'root', (select provider_row(p) from resource_providers p where p.uuid = (request ->> 'root')::uuid)
  ) into answer;
  if (request ->> 'dryRun')::boolean then
    if request ? 'owned' then
      perform end_owned_write(answer);
    end if;
    raise exception using errcode = 'RP000', detail = answer::text;
  end if;
  if warnings || unkept <> '[]' then
    answer := answer || shrunk_rows(warnings || unkept);
  end if;
  return answer || jsonb_build_object('eventId', case when changes -> 'providers' <> '{}' or changes -> 'consumers' <> '{}' then
    record_event(request ->> 'kind', request -> 'by', changes, project_ids) end);
end $$;
