-- Changes some fields of the inventory of one class, at many providers at once: all of them, or none.
-- request: `providers` (uuids), `expect` (for the only one), `resourceClass`, `patch` (any of total, reserved, minUnit, maxUnit, stepSize,
-- allocationRatio, checked by the caller), `dryRun`. Providers without the class are left out, but a provider that is expected must have it.
-- Refuses NOT_FOUND, PROVIDER_CONFLICT. Returns, and writes nothing, when some record would be illegal: `illegal` (provider, name, at most 20) and
-- `illegalCount`. Otherwise `patched` ({provider, before, after}) of those that differ, which alone are written and bumped, `matched` (how many
-- have the class), `warnings` (now smaller than their use), `providers`, `inventories` of those that a warning
-- is about, `applied`, `eventId`.
create or replace function patch_inventories(request jsonb) returns jsonb language plpgsql as $$
declare
  class_id int := (select rc.id from resource_classes rc where rc.name = request ->> 'resourceClass');
  wanted jsonb := request -> 'patch';
  ids bigint[];
  single resource_providers;
  matched bigint;
  patched jsonb;
  changed bigint[];
  illegal jsonb;
  bumped jsonb;
  changes jsonb;
  answer jsonb;
begin
  if class_id is null then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', request ->> 'resourceClass'));
  end if;
  ids := array(select p.id from jsonb_array_elements_text(request -> 'providers') u join resource_providers p on p.uuid = u::uuid);
  perform lock_providers(ids);
  if request ? 'expect' then
    single := require_provider((request -> 'providers' ->> 0)::uuid, request -> 'expect');
    if not exists (select from inventories i where i.resource_provider_id = single.id and i.resource_class_id = class_id) then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'inventory', 'key', request ->> 'resourceClass'));
    end if;
  end if;

  with had as materialized (
    select p.id, p.uuid, p.name, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio, i.used, i.capacity,
      coalesce((wanted ->> 'total')::int, i.total) as new_total, coalesce((wanted ->> 'reserved')::int, i.reserved) as new_reserved,
      coalesce((wanted ->> 'minUnit')::int, i.min_unit) as new_min_unit, coalesce((wanted ->> 'maxUnit')::int, i.max_unit) as new_max_unit,
      coalesce((wanted ->> 'stepSize')::int, i.step_size) as new_step_size,
      coalesce((wanted ->> 'allocationRatio')::double precision, i.allocation_ratio) as new_ratio
    from inventories i join resource_providers p on p.id = i.resource_provider_id
    where i.resource_provider_id = any(ids) and i.resource_class_id = class_id
  ), differing as (
    select * from had
    where (total, reserved, min_unit, max_unit, step_size, allocation_ratio)
      is distinct from (new_total, new_reserved, new_min_unit, new_max_unit, new_step_size, new_ratio)
  ), broken as (
    select id, uuid, name from differing where trunc((new_total - new_reserved)::double precision * new_ratio) < 0
  ), written as (
    update inventories i
    set total = d.new_total, reserved = d.new_reserved, min_unit = d.new_min_unit, max_unit = d.new_max_unit, step_size = d.new_step_size,
      allocation_ratio = d.new_ratio, updated_at = now()
    from differing d
    where i.resource_provider_id = d.id and i.resource_class_id = class_id and not exists (select from broken)
    returning d.*, i.capacity as new_capacity
  )
  select
    (select count(*) from had),
    (select jsonb_build_object('illegalCount', count(*), 'illegal', jsonb_path_query_array(
      coalesce(jsonb_agg(jsonb_build_object('provider', uuid, 'name', name) order by id), '[]'), '$[0 to 19]')) from broken),
    array_agg(w.id order by w.id),
    coalesce(jsonb_agg(jsonb_build_object(
      'provider', w.uuid, 'used', w.used,
      'before', jsonb_build_object('total', w.total, 'reserved', w.reserved, 'minUnit', w.min_unit, 'maxUnit', w.max_unit, 'stepSize', w.step_size,
        'allocationRatio', w.allocation_ratio, 'capacity', w.capacity),
      'after', jsonb_build_object('total', w.new_total, 'reserved', w.new_reserved, 'minUnit', w.new_min_unit, 'maxUnit', w.new_max_unit,
        'stepSize', w.new_step_size, 'allocationRatio', w.new_ratio, 'capacity', w.new_capacity)
    ) order by w.id), '[]')
  into matched, illegal, changed, patched
  from written w;

  if (illegal ->> 'illegalCount')::bigint > 0 then
    raise exception using errcode = 'RP000', detail = (illegal || jsonb_build_object(
      'matched', matched, 'patched', '[]'::jsonb, 'warnings', '[]'::jsonb, 'providers', '[]'::jsonb, 'applied', false, 'eventId', null))::text;
  end if;

  bumped := case when changed is null then '{"rows": [], "changes": {}}'::jsonb else bump_providers(changed) end;
  select merge_changes(jsonb_build_object('providers', bumped -> 'changes'), jsonb_build_object('providers', coalesce(jsonb_object_agg(
    c ->> 'provider', jsonb_build_object(
      'before', jsonb_build_object('inventories', states.after || jsonb_build_object(request ->> 'resourceClass', (c -> 'before') - 'capacity')),
      'after', jsonb_build_object('inventories', states.after))
  ), '{}')))
  into changes
  from jsonb_array_elements(patched) c
  join resource_providers p on p.uuid = (c ->> 'provider')::uuid
  cross join lateral (select inventory_states(p.id) as after offset 0) states;

  select jsonb_build_object(
    'illegalCount', 0, 'illegal', '[]'::jsonb, 'matched', matched, 'patched', patched, 'providers', bumped -> 'rows',
    'applied', not (request ->> 'dryRun')::boolean,
    'warnings', coalesce(jsonb_agg(jsonb_build_object(
      'provider', c -> 'provider', 'resourceClass', request -> 'resourceClass', 'used', c -> 'used', 'capacity', c #> '{after,capacity}'
    )) filter (where (c ->> 'used')::bigint > (c #>> '{after,capacity}')::bigint), '[]')
  ) into answer from jsonb_array_elements(patched) c;
  if (request ->> 'dryRun')::boolean then
    raise exception using errcode = 'RP000', detail = (answer || '{"eventId": null, "providers": []}')::text;
  end if;
  if answer -> 'warnings' <> '[]' then
    answer := answer || jsonb_build_object('inventories', shrunk_rows(answer -> 'warnings') -> 'inventories');
  end if;
  return answer || jsonb_build_object('eventId', case when changed is not null then record_event(request ->> 'kind', request -> 'by', changes) end);
end $$;
