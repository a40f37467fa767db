-- Last step of every write of providers: roots that have disk only until a pool serves them (`hasSharedStorage` in their record) give way to the pool, in the
-- transaction in which it begins to, whatever made it: a trait, an aggregate, an inventory, a move, a report. Those who hold disk there hold it on the pool
-- from then on, if exactly one pool serves the root, it has room for all of them and nobody else is writing them; at most 1,000 of them, as everything here is
-- locked. What is left on a root is frozen at what is used of it. Either way no disk is offered twice, and nearly always none is counted twice.
--
-- Rights do not matter: this is a consequence, not an aim, of the write. The event is one of its own, of kind RESHAPE.
-- Who joins the aggregate of a pool that is just being made waits for it, by a foreign key, or is waited for.
create or replace function give_way_to_pools(request jsonb) returns void language plpgsql as $$
declare
  disk constant int := (select rc.id from resource_classes rc where rc.name = 'DISK_GB');
  changed bigint[];
  served record;
  movers bigint[];
  frozen bigint[];
  wanted jsonb;
  locked record;
  written record;
  projects text[] := '{}';
  classes text[] := '{}';
  -- What moves change, and what else changes on roots, by uuid.
  moves jsonb := '{"providers": {}, "consumers": {}}';
  changes jsonb;
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
  perform lock_providers(array(select unnest(served.roots) union select unnest(array_remove(served.pools, null))));
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
  perform lock_providers(array(select unnest(served.roots) union select unnest(array_remove(served.pools, null))));

  -- Not in the order of locks, so without waiting: who is being written stays for now.
  movers := array(
    select c.id from consumers c
    where c.id in (
      select a.consumer_id from unnest(served.roots, served.pools) as _(root, pool)
      join allocations a on a.resource_provider_id = root and a.resource_class_id = disk
      where pool is not null)
    order by c.uuid limit 1000 for no key update skip locked);
  if cardinality(movers) > 0 then
    with to_pool as materialized (
      select root, pool from unnest(served.roots, served.pools) as _(root, pool)
    ), held as (
      select a.consumer_id, coalesce(to_pool.pool, a.resource_provider_id) as provider_id, a.resource_class_id, sum(a.used) as amount
      from allocations a left join to_pool on to_pool.root = a.resource_provider_id and a.resource_class_id = disk
      where a.consumer_id = any(movers)
      group by 1, 2, 3
    ), holder as (
      select held.consumer_id, jsonb_agg(jsonb_build_object('provider', p.uuid, 'resourceClass', rc.name, 'amount', held.amount)) as allocations
      from held join resource_providers p on p.id = held.provider_id join resource_classes rc on rc.id = held.resource_class_id
      group by 1
    )
    select jsonb_agg(jsonb_build_object('uuid', c.uuid, 'expect', '{}'::jsonb, 'keepType', true, 'allocations', holder.allocations) order by c.uuid) into wanted
    from holder join consumers c on c.id = holder.consumer_id;
    begin
      locked := lock_consumers(wanted);
      written := write_allocations(wanted, locked.ids, locked.created);
      moves := event_changes(written.provider_changes, written.consumer_changes);
      projects := written.project_names;
      classes := written.class_names;
    exception when sqlstate 'RP001' then
      -- The pool cannot take them: they stay where they are, until somebody else sees to it (adoptSharedStorage).
      movers := '{}';
    end;
  end if;

  -- One statement for 10,000 roots, each step of which is joined by an index.
  with had as materialized (
    select i.resource_provider_id as id, i.used, (
      select jsonb_object_agg(rc.name, inventory_record(o.total, o.reserved, o.min_unit, o.max_unit, o.step_size, o.allocation_ratio))
      from inventories o join resource_classes rc on rc.id = o.resource_class_id where o.resource_provider_id = i.resource_provider_id) as inventories
    from inventories i
    where i.resource_provider_id = any(served.roots) and i.resource_class_id = disk and (i.used = 0 or i.capacity > i.used)
  ), gone as (
    delete from inventories i using had where i.resource_provider_id = had.id and i.resource_class_id = disk and had.used = 0
  ), shrunk as (
    update inventories i set total = least(had.used, 2147483647), reserved = 0, allocation_ratio = 1, updated_at = now()
    from had where i.resource_provider_id = had.id and i.resource_class_id = disk and had.used > 0
  ), raised as (
    update resource_providers p set generation = p.generation + 1, updated_at = now() from had where p.id = had.id
    returning p.id, p.uuid, p.generation, had.used, had.inventories
  )
  select coalesce(array_agg(raised.id), '{}'), jsonb_object_agg(raised.uuid, jsonb_build_object(
    'before', coalesce(moved.value -> 'before', jsonb_build_object('generation', raised.generation - 1)) || jsonb_build_object('inventories', raised.inventories),
    'after', jsonb_build_object('generation', raised.generation, 'inventories', case
      when raised.used = 0 then raised.inventories - 'DISK_GB'
      else jsonb_set(raised.inventories, '{DISK_GB}', raised.inventories -> 'DISK_GB'
        || jsonb_build_object('total', least(raised.used, 2147483647), 'reserved', 0, 'allocationRatio', 1)) end)))
  into frozen, changes
  from raised left join jsonb_each(moves -> 'providers') moved on moved.key = raised.uuid::text;
  perform mark_changed(frozen);
  if cardinality(movers) + cardinality(frozen) > 0 then
    perform append_event(
      'RESHAPE', request -> 'by', jsonb_build_object('providers', (moves -> 'providers') || coalesce(changes, '{}'), 'consumers', moves -> 'consumers'),
      array(select jsonb_object_keys(moves -> 'consumers')::uuid),
      array(select jsonb_object_keys(moves -> 'providers') union select jsonb_object_keys(changes))::uuid[], projects, classes || 'DISK_GB'::text);
  end if;
end $$;
