-- Last step of every write of providers: roots that have disk only until a pool serves them (`hasSharedStorage` in their record) give way to the pool, in the
-- transaction in which it begins to, whatever the cause: a trait, an aggregate, an inventory, a move, a report. Consumers then hold their disks on the pool,
-- and the root has none: no state counts or offers a disk in two places.
--
-- The disks are on the pool already, so neither room nor units are checked; an overfull pool offers nothing. With several pools each disk, the largest
-- first, goes to the one with the most room. All holders move: if one is being written, the write starts again (await_consumers). A write that would move
-- more than 10,000 consumers is refused, because it locks all of them.
--
-- Rights are not checked, because this is a consequence of the write, not its purpose. It has an event of its own, of kind RESHAPE.
-- A write that joins the aggregate of a pool in the making waits for that pool, by a foreign key, or the other way round.
create or replace function give_way_to_pools(request jsonb) returns void language plpgsql as $$
declare
  disk constant int := (select rc.id from resource_classes rc where rc.name = 'DISK_GB');
  most constant int := 10000; -- limits.adoptedConsumers
  changed bigint[];
  served record;
  holders uuid[];
  free uuid[];
  chosen record;
  wanted jsonb;
  locked record;
  written record;
  projects text[] := '{}';
  classes text[] := '{}';
  -- By uuid, the changes of moves, and all other changes of roots.
  moves jsonb := '{"providers": {}, "consumers": {}}';
  changes jsonb;
  emptied bigint[];
  moved_consumers bigint[] := '{}'; moved_pools bigint[] := '{}'; moved_amounts bigint[] := '{}';
  reserved jsonb;
  setting text;
begin
  if not exists (select from records r where r.body ? 'hasSharedStorage') then
    return;
  end if;
  changed := array(
    select c.resource_provider_id from provider_changes c where c.xid = pg_current_xact_id_if_assigned() and not c.use_only
    union
    select p.id from resource_providers p where p.uuid = (request ->> 'root')::uuid);
  setting := set_config('placement.owned', '', true);
  served := served_by_pools(changed, disk);
  perform lock_providers(array(select unnest(served.roots) union select unnest(served.pools)));
  perform from placement_aggregates g where g.id in (
    select m.aggregate_id from resource_provider_aggregates m
    join resource_provider_traits has on has.resource_provider_id = m.resource_provider_id
    join traits t on t.id = has.trait_id and t.name = 'MISC_SHARES_VIA_AGGREGATE'
    where m.resource_provider_id = any(changed)) order by g.id for update;
  perform from placement_aggregates g where g.id in (
    select m.aggregate_id from resource_providers p
    join resource_providers root on root.id = p.root_provider_id
    join records r on r.uuid = root.uuid and r.body ? 'hasSharedStorage'
    join resource_providers member on member.root_provider_id = root.id
    join resource_provider_aggregates m on m.resource_provider_id = member.id
    where p.id = any(changed)) order by g.id for key share;
  served := served_by_pools(changed, disk);
  if cardinality(served.roots) = 0 then
    return;
  end if;
  perform lock_providers(array(select unnest(served.roots) union select unnest(served.pools)));

  -- Not in the order of locks, so without waiting.
  holders := array(
    select c.uuid from consumers c
    where c.id in (select a.consumer_id from allocations a where a.resource_provider_id = any(served.roots) and a.resource_class_id = disk));
  if cardinality(holders) > most then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', format(
      'would move the disks of %s consumers to a pool, which can be %s in one write: let the pool serve fewer hosts first', cardinality(holders), most)));
  end if;
  free := array(select c.uuid from consumers c where c.uuid = any(holders) for no key update skip locked);
  if cardinality(free) < cardinality(holders) then
    raise exception using errcode = 'RP004', message = 'consumers are being written',
      detail = array_to_json(array(select unnest(holders) except select unnest(free)))::text;
  end if;
  if cardinality(holders) > 0 then
    chosen := disks_to_pools(served.roots, served.pools, disk);
    with held as (
      select consumer_id, provider_id, class_id, sum(amount) as amount
      from (
        select consumer_id, pool as provider_id, disk as class_id, amount from unnest(chosen.consumers, chosen.pools, chosen.amounts) as _(consumer_id, pool, amount)
        union all
        select a.consumer_id, a.resource_provider_id, a.resource_class_id, a.used from allocations a
        where a.consumer_id = any(chosen.consumers) and not (a.resource_provider_id = any(served.roots) and a.resource_class_id = disk)
      ) rows
      group by 1, 2, 3
    ), holder as (
      select held.consumer_id, jsonb_agg(jsonb_build_object('provider', p.uuid, 'resourceClass', rc.name, 'amount', held.amount)) as allocations
      from held join resource_providers p on p.id = held.provider_id join resource_classes rc on rc.id = held.class_id
      group by 1
    )
    select jsonb_agg(jsonb_build_object('uuid', c.uuid, 'expect', '{}'::jsonb, 'keepType', true, 'allocations', holder.allocations) order by c.uuid) into wanted
    from holder join consumers c on c.id = holder.consumer_id;
    moved_consumers := chosen.consumers; moved_pools := chosen.pools; moved_amounts := chosen.amounts;
    locked := lock_consumers(wanted);
    -- All at once, because settle_zones may count against others.
    perform lock_quotas(array(select key::bigint from jsonb_object_keys(noted_zones()) key), locked.projects || locked.old_projects);
    written := write_allocations(wanted, locked, is_room_given => true);
    moves := event_changes(written.provider_changes, written.consumer_changes);
    projects := written.project_names;
    classes := written.class_names;
  end if;

  reserved := move_reserved_disks(served.roots, served.pools, disk, moved_consumers, moved_pools, moved_amounts);
  projects := array(select unnest(projects) union select change #>> '{after,project}' from jsonb_each(reserved -> 'records') as moved(record, change));
  -- One statement for 10,000 roots, each step of which is joined by an index.
  with had as materialized (
    select served_root as id, (
      select jsonb_object_agg(rc.name, inventory_record(o.total, o.reserved, o.min_unit, o.max_unit, o.step_size, o.allocation_ratio))
      from inventories o join resource_classes rc on rc.id = o.resource_class_id where o.resource_provider_id = served_root) as inventories
    from (select distinct unnest(served.roots) as served_root) roots
  ), gone as (
    delete from inventories i using had where i.resource_provider_id = had.id and i.resource_class_id = disk
  ), raised as (
    update resource_providers p set generation = p.generation + 1, updated_at = now() from had where p.id = had.id
    returning p.id, p.uuid, p.generation, had.inventories
  )
  select coalesce(array_agg(raised.id), '{}'), jsonb_object_agg(raised.uuid, jsonb_build_object(
    'before', coalesce(moved.value -> 'before', jsonb_build_object('generation', raised.generation - 1)) || jsonb_build_object('inventories', raised.inventories),
    'after', jsonb_build_object('generation', raised.generation, 'inventories', raised.inventories - 'DISK_GB')))
  into emptied, changes
  from raised left join jsonb_each(moves -> 'providers') moved on moved.key = raised.uuid::text;
  perform mark_changed(emptied);
  perform append_event(
    'RESHAPE', request -> 'by', jsonb_build_object('providers', (moves -> 'providers') || changes, 'consumers', moves -> 'consumers') || reserved,
    array(select jsonb_object_keys(moves -> 'consumers')::uuid),
    array(select jsonb_object_keys(moves -> 'providers') union select jsonb_object_keys(changes))::uuid[], projects, classes || 'DISK_GB'::text);
end $$;
