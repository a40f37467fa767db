// Fills a ledger with hosts by plain SQL, in seconds: for benchmarks of reads only, so there are no consumers and no events.
import type { Db } from '../../src/db/sql/client.ts';

/** Traits and aggregates that a share of the hosts have. */
export const filled = {
  commonTrait: 'HW_CPU_X86_SSE2', // half of the hosts
  rareTrait: 'HW_CPU_X86_AVX2', // 200 hosts, whatever their number
  zone: '11111111-1111-4111-8111-111111111111', // a third of the hosts
  rack: '22222222-2222-4222-8222-222222222222', // the same 200 hosts
};

/** Adds hosts with three partly used inventories, traits and aggregates; every fifth has a NUMA cell with its own VCPU. */
export async function fillHosts(db: Db, count: number): Promise<void> {
  await db.writes`
    insert into placement_aggregates (uuid) select * from unnest(${[filled.zone, filled.rack]}::uuid[]) u
    where not exists (select from placement_aggregates a where a.uuid = u)`;
  await db.writes`
    with numbered as (select nextval(pg_get_serial_sequence('resource_providers', 'id')) as id, g from generate_series(1, ${count}::int) g)
    insert into resource_providers (id, uuid, name, generation, root_provider_id) overriding system value
    select id, gen_random_uuid(), 'node-' || lpad((g * 7919 % 1000003)::text, 7, '0') || '-' || g, 1, id from numbered`;
  await db.writes`
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used)
    select p.id, c.id, c.total, 0, 1, 2147483647, 1, 1, (p.id * 31 % c.total) * 2 / 3
    from resource_providers p, (values (0, 64), (1, 262144), (2, 2048)) as c(id, total)`;
  await db.writes`
    insert into resource_provider_traits (resource_provider_id, trait_id)
    select p.id, t.id from resource_providers p join traits t
      on t.name = ${filled.commonTrait} and p.id % 2 = 0 or t.name = ${filled.rareTrait} and p.id % ${count / 200}::int = 0`;
  await db.writes`
    insert into resource_provider_aggregates (resource_provider_id, aggregate_id)
    select p.id, a.id from resource_providers p join placement_aggregates a
      on a.uuid = ${filled.zone} and p.id % 3 = 0 or a.uuid = ${filled.rack} and p.id % ${count / 200}::int = 0`;
  await db.writes`
    with numbered as (select nextval(pg_get_serial_sequence('resource_providers', 'id')) as id, host.id as host, host.name || '-cell' as name
      from resource_providers host where host.id % 5 = 0)
    insert into resource_providers (id, uuid, name, generation, parent_provider_id, root_provider_id) overriding system value
    select id, gen_random_uuid(), name, 1, host, host from numbered`;
  await db.writes`
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used)
    select p.id, 0, 64, 0, 1, 2147483647, 1, 1, p.id * 31 % 48 from resource_providers p where p.parent_provider_id is not null`;
  await db.writes`insert into provider_changes (xid, resource_provider_id) select pg_current_xact_id(), id from resource_providers`;
  await db.writes`vacuum analyze`;
}

/** How long the lists of `fillLists` are: towards their limits. */
export const longLists = { traits: 1000, traitedHosts: 200, descendants: 10_000, classes: 4 };

/** After `fillHosts`: gives the oldest hosts many traits, and adds a tree whose providers have several inventories each. Returns the root and the others. */
export async function fillLists(db: Db): Promise<{ readonly root: string; readonly descendants: readonly string[] }> {
  const { traits, traitedHosts, descendants, classes } = longLists;
  await db.writes`insert into traits (name) select 'CUSTOM_LONG_' || g from generate_series(1, ${traits}::int) g`;
  // In parts, each of which a busy server completes in time.
  const hosts = await db.writes<{ id: string }[]>`select id from resource_providers order by id limit ${traitedHosts}::int`;
  for (const { id } of hosts) {
    await db.writes`
      insert into resource_provider_traits (resource_provider_id, trait_id)
      select ${id}::bigint, t.id from traits t where t.name like 'CUSTOM_LONG_%'`;
  }
  const [tree] = await db.writes<{ id: string; root: string }[]>`
    insert into resource_providers (id, uuid, name, generation, root_provider_id) overriding system value
    select id, gen_random_uuid(), 'tall', 1, id from nextval(pg_get_serial_sequence('resource_providers', 'id')) id returning id, uuid as root`;
  if (!tree) throw new Error('there is no root');
  const below = await db.writes<{ uuid: string }[]>`
    insert into resource_providers (uuid, name, generation, parent_provider_id, root_provider_id)
    select gen_random_uuid(), 'tall-' || g, 1, ${tree.id}, ${tree.id} from generate_series(1, ${descendants}::int) g returning uuid`;
  await db.writes`
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used)
    select p.id, c, 64, 0, 1, 2147483647, 1, 1, 0 from resource_providers p, generate_series(0, ${classes - 1}::int) c where p.parent_provider_id = ${tree.id}`;
  await db.writes`insert into provider_changes (xid, resource_provider_id) select pg_current_xact_id(), id from resource_providers`;
  await db.writes`vacuum analyze`;
  return { root: tree.root, descendants: below.map(({ uuid }) => uuid) };
}
