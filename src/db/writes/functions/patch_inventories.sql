-- Changes some fields of the inventories of one class, on many providers at once, all or nothing.
-- request: `providers` (uuids), `expect` (for the only one), `resourceClass`, `patch` (any of total, reserved, minUnit, maxUnit, stepSize,
-- allocationRatio, checked by the caller), `expectedCount` (of those with the class, if given), `dryRun`. Providers without the class are skipped, except the one with `expect`, which must have it, and those
-- of `expects` (for each of `providers` at its place, as for check_generation), which must all have it and are refused together.
-- Refuses NOT_FOUND, PROVIDER_CONFLICT, SELECTION_CONFLICT. If some record would be invalid, writes nothing and returns `illegal` (provider, name; at most 20)
-- and `illegalCount`. Otherwise returns `patched` (PatchedRow of contract.ts) for the inventories that differ, which alone are written and
-- bumped, `matched` (the number with the class), `warnings` (capacity now below usage) and `unkept` (unkept_promises) with the rows of their
-- `providers` and `inventories`, `applied`, `eventId`. A dry run takes no locks, so that no write waits for it.
create or replace function patch_inventories(request jsonb) returns jsonb language plpgsql as $$
declare
  class text := request ->> 'resourceClass';
  class_id int;
  wanted jsonb := request -> 'patch';
  dry constant boolean := (request ->> 'dryRun')::boolean;
  ids bigint[];
  single resource_providers;
  answer jsonb;
  changed bigint[];
  uuids uuid[];
  changes jsonb;
begin
  ids := array(select p.id from jsonb_array_elements_text(request -> 'providers') u join resource_providers p on p.uuid = u::uuid);
  if not dry then
    perform lock_providers(ids);
  end if;
  -- Read only now, when no class of these providers can be renamed.
  select rc.id into class_id from resource_classes rc where rc.name = class;
  if class_id is null then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', class));
  end if;
  if request ? 'expect' then
    single := require_provider((request -> 'providers' ->> 0)::uuid, request -> 'expect');
    if not exists (select from inventories i where i.resource_provider_id = single.id and i.resource_class_id = class_id) then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'inventory', 'key', class));
    end if;
  end if;

  if request ? 'expects' then
    perform require_providers(request -> 'providers', request -> 'expects', class);
  end if;

  -- One statement for 10,000 providers, each step of which is joined by an index: a function call per row, or a join of steps, takes seconds.
  with had as materialized (
    select p.id, p.uuid, p.name, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio, i.used, i.capacity,
      coalesce((wanted ->> 'total')::int, i.total) as new_total, coalesce((wanted ->> 'reserved')::int, i.reserved) as new_reserved,
      coalesce((wanted ->> 'minUnit')::int, i.min_unit) as new_min_unit, coalesce((wanted ->> 'maxUnit')::int, i.max_unit) as new_max_unit,
      coalesce((wanted ->> 'stepSize')::int, i.step_size) as new_step_size,
      coalesce((wanted ->> 'allocationRatio')::double precision, i.allocation_ratio) as new_ratio
    from inventories i join resource_providers p on p.id = i.resource_provider_id
    where i.resource_provider_id = any(ids) and i.resource_class_id = class_id
  ), differing as materialized (
    select *, capacity_of(new_total, new_reserved, new_ratio) as new_capacity
    from had
    where (total, reserved, min_unit, max_unit, step_size, allocation_ratio)
      is distinct from (new_total, new_reserved, new_min_unit, new_max_unit, new_step_size, new_ratio)
  ), broken as (
    select id, uuid, name from differing where new_capacity < 0
  ), written as (
    update inventories i
    set total = d.new_total, reserved = d.new_reserved, min_unit = d.new_min_unit, max_unit = d.new_max_unit, step_size = d.new_step_size,
      allocation_ratio = d.new_ratio, updated_at = now()
    from differing d
    where i.resource_provider_id = d.id and i.resource_class_id = class_id and not dry and not exists (select from broken)
    returning d.id, jsonb_build_object(class, inventory_record(
      d.new_total, d.new_reserved, d.new_min_unit, d.new_max_unit, d.new_step_size, d.new_ratio)) as new_inventory, (
      select jsonb_object_agg(rc.name, inventory_record(o.total, o.reserved, o.min_unit, o.max_unit, o.step_size, o.allocation_ratio))
      from inventories o join resource_classes rc on rc.id = o.resource_class_id
      where o.resource_provider_id = d.id
    ) as inventories
  ), raised as (
    update resource_providers p
    set generation = p.generation + 1, updated_at = now()
    from written w
    where p.id = w.id
    returning p.id, p.uuid, provider_row(p) as shown, jsonb_build_object(
      'before', jsonb_build_object('generation', p.generation - 1, 'inventories', w.inventories),
      'after', jsonb_build_object('generation', p.generation, 'inventories', w.inventories || w.new_inventory)) as change
  )
  select
    (
      select jsonb_build_object(
        'patched', coalesce(jsonb_agg(jsonb_build_array(
          uuid, used, capacity, new_capacity, total, reserved, min_unit, max_unit, step_size, allocation_ratio) order by id), '[]'),
        'warnings', coalesce(jsonb_agg(jsonb_build_object(
          'provider', uuid, 'resourceClass', class, 'used', used, 'capacity', new_capacity) order by id) filter (where used > new_capacity), '[]'),
        'unkept', unkept_promises(array_agg(id order by id), array[class], array_agg(new_capacity order by id)))
      from differing
    ) || (
      select jsonb_build_object('illegalCount', count(*), 'illegal', jsonb_path_query_array(
        coalesce(jsonb_agg(jsonb_build_object('provider', uuid, 'name', name) order by id), '[]'), '$[0 to 19]'))
      from broken
    ) || jsonb_build_object(
      'matched', (select count(*) from had), 'providers', coalesce(jsonb_agg(r.shown order by r.id), '[]'), 'applied', not dry, 'eventId', null),
    array_agg(r.id order by r.id), array_agg(r.uuid order by r.id), jsonb_object_agg(r.uuid, r.change)
  into answer, changed, uuids, changes
  from raised r;

  if (answer ->> 'illegalCount')::bigint > 0 then
    raise exception using errcode = 'RP000', detail = (answer || '{"patched": [], "warnings": [], "unkept": [], "applied": false}')::text;
  end if;
  perform require_count(request, (answer ->> 'matched')::bigint);
  if dry then
    raise exception using errcode = 'RP000', detail = answer::text;
  end if;
  if changed is null then
    return answer;
  end if;
  perform mark_changed(changed);
  if (answer -> 'warnings') || (answer -> 'unkept') <> '[]' then
    answer := answer || jsonb_build_object('inventories', shrunk_rows((answer -> 'warnings') || (answer -> 'unkept')) -> 'inventories');
  end if;
  return answer || jsonb_build_object('eventId', (append_events(request ->> 'kind', jsonb_build_array(jsonb_build_object(
    'by', request -> 'by', 'consumers', '[]'::jsonb, 'providers', uuids, 'projects', '[]'::jsonb, 'classes', jsonb_build_array(class))),
    array[jsonb_build_object('providers', changes, 'consumers', '{}'::jsonb)]))[1]);
end $$;
