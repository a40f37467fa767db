// Clouds for benchmarks of searches, written by plain SQL in seconds: the shapes of upstream's own load tests, and wide trees with very many
// combinations. Writes no events; usage agrees with the allocations.
import type { Db } from '../../src/db/sql/client.ts';

export const flatCloud = {
  aggregate: '14a5c8a3-5a99-4e8f-88be-00d85fcb1c17', // a third of the hosts
  trait: 'HW_CPU_X86_AVX2', // half of the hosts
};

/** Equal inventories of providers by a condition: class names with SQL for total, reserved, min_unit, max_unit, step_size and ratio. */
type Shapes = readonly (readonly [resourceClass: string, numbers: string])[];
const plain = (total: number) => `${total}, 0, 1, 2147483647, 1, 1`;

/** Flat hosts with three classes, each in one or two of three aggregates, every other one with the rarer trait and each with this many consumers. */
export async function fillFlat(db: Db, hosts: number, consumers: number): Promise<void> {
  const { writes } = db;
  await addProviders(db, `select null::bigint as parent, 'host-' || g as name from generate_series(1, ${hosts}) g`);
  await addInventories(db, 'host-%', [
    ['VCPU', '64, 0, 1, 2147483647, 1, 16'],
    ['MEMORY_MB', '262144, 512, 1, 2147483647, 1, 1.5'],
    ['DISK_GB', plain(2048)],
  ]);
  await addTraits(db, 'host-%', 'HW_CPU_X86_SSE2');
  await addTraits(db, 'host-%', flatCloud.trait, 'p.id % 2 = 1');
  const others = ['66c7a5d8-1b2c-4d27-9d3b-9a2f7dbb0d11', '77d1c2b4-53a8-4ff5-8d0a-6a3e4d2b1c22'];
  await writes`insert into placement_aggregates (uuid) select unnest(${[flatCloud.aggregate, ...others]}::uuid[])`;
  await writes`
    insert into resource_provider_aggregates (resource_provider_id, aggregate_id)
    select p.id, a.id from resource_providers p join placement_aggregates a
      on p.id % 3 = 0 and a.uuid = ${flatCloud.aggregate} or p.id % 3 < 2 and a.uuid = ${others[0] ?? null}
      or p.id % 3 = 2 and a.uuid = ${others[1] ?? null}`;
  await writes`analyze`;
  if (consumers > 0) await addConsumers(db, consumers);
  await finish(db);
}

/** Marks all providers as changed, as every write function does for those it writes: a gateway may have read them half filled. */
async function finish({ writes }: Pick<Db, 'writes'>): Promise<void> {
  await writes`select mark_changed(array(select id from resource_providers))`;
  await writes`vacuum analyze`;
}

/** Each consumer holds 2 VCPU, 4096 MEMORY_MB and 20 DISK_GB of its host. */
async function addConsumers({ writes }: Db, ofEach: number): Promise<void> {
  await writes`insert into projects (external_id) select 'p' || g from generate_series(1, 50) g`;
  await writes`insert into users (external_id) select 'u' || g from generate_series(1, 50) g`;
  await writes`insert into consumer_types (name) values ('INSTANCE')`;
  await writes`
    insert into consumers (uuid, project_id, user_id, consumer_type_id)
    select md5(p.id || '-' || g)::uuid, pr.id, u.id, t.id
    from resource_providers p
    join projects pr on pr.external_id = 'p' || 1 + p.id % 50
    join users u on u.external_id = 'u' || 1 + p.id % 50
    cross join consumer_types t cross join generate_series(1, ${ofEach}::int) g`;
  await writes`analyze`;
  for (const [classId, amount] of [[0, 2] as const, [1, 4096] as const, [2, 20] as const]) {
    await writes`
      insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
      select c.id, p.id, ${classId}, ${amount}
      from resource_providers p cross join generate_series(1, ${ofEach}::int) g join consumers c on c.uuid = md5(p.id || '-' || g)::uuid`;
  }
  await writes`
    update inventories i set used = a.used
    from (select resource_provider_id, resource_class_id, sum(used) as used from allocations group by 1, 2) a
    where (i.resource_provider_id, i.resource_class_id) = (a.resource_provider_id, a.resource_class_id)`;
}

/**
 * Upstream's nested trees of seven:
 *   cn        DISK_GB                COMPUTE_VOLUME_MULTI_ATTACH
 *     numa0   VCPU, MEMORY_MB        HW_NUMA_ROOT                 fpga00 FPGA, pgpu00 VGPU
 *     numa1   VCPU, MEMORY_MB        HW_NUMA_ROOT, CUSTOM_FOO     fpga10, fpga11 FPGA
 */
export async function fillNested(db: Pick<Db, 'writes'>, trees: number): Promise<void> {
  await db.writes`insert into traits (name) values ('CUSTOM_FOO')`;
  await addProviders(db, `select null::bigint as parent, 'cn-' || g as name from generate_series(1, ${trees}) g`);
  const below = async (names: readonly string[], parent: string) => {
    for (const name of names) {
      const rename = `replace(p.name, '${parent}-', '${name}-')`;
      await addProviders(db, `select p.id as parent, ${rename} as name from resource_providers p where p.name like '${parent}-%'`);
    }
  };
  await below(['numa0', 'numa1'], 'cn');
  await below(['fpga00', 'pgpu00'], 'numa0');
  await below(['fpga10', 'fpga11'], 'numa1');
  await addInventories(db, 'cn-%', [['DISK_GB', plain(20_480)]]);
  await addInventories(db, 'numa0-%', [
    ['VCPU', '4, 2, 1, 2147483647, 1, 1'],
    ['MEMORY_MB', '2048, 0, 512, 2147483647, 256, 1'],
  ]);
  await addInventories(db, 'numa1-%', [
    ['VCPU', plain(4)],
    ['MEMORY_MB', '2048, 0, 256, 1024, 1, 1'],
  ]);
  await addInventories(db, 'fpga%', [['FPGA', plain(1)]]);
  await addInventories(db, 'pgpu%', [['VGPU', plain(8)]]);
  await addTraits(db, 'cn-%', 'COMPUTE_VOLUME_MULTI_ATTACH');
  await addTraits(db, 'numa%', 'HW_NUMA_ROOT');
  await addTraits(db, 'numa1-%', 'CUSTOM_FOO');
  await finish(db);
}

/** Hosts without inventories, each with this many devices: child providers with `units` of FPGA. */
export async function fillWide(db: Db, hosts: number, devices: number, units = 1): Promise<void> {
  await addProviders(db, `select null::bigint as parent, 'wide-' || g as name from generate_series(1, ${hosts}) g`);
  await addProviders(
    db,
    `select p.id as parent, p.name || '-device-' || g as name
     from resource_providers p, generate_series(1, ${devices}) g where p.name like 'wide-%'`,
  );
  await addInventories(db, '%-device-%', [['FPGA', plain(units)]]);
  await finish(db);
}

/** Providers from rows of (parent, name). */
async function addProviders({ writes }: Pick<Db, 'writes'>, rows: string): Promise<void> {
  await writes.unsafe(`
    with numbered as (select nextval(pg_get_serial_sequence('resource_providers', 'id')) as id, r.* from (${rows}) r)
    insert into resource_providers (id, uuid, name, generation, parent_provider_id, root_provider_id) overriding system value
    select n.id, gen_random_uuid(), n.name, 1, n.parent, coalesce(above.root_provider_id, n.id)
    from numbered n left join resource_providers above on above.id = n.parent`);
}

async function addInventories({ writes }: Pick<Db, 'writes'>, names: string, shapes: Shapes): Promise<void> {
  for (const [resourceClass, numbers] of shapes) {
    await writes.unsafe(`
      insert into inventories
        (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
      select p.id, c.id, ${numbers} from resource_providers p, resource_classes c
      where p.name like '${names}' and c.name = '${resourceClass}'`);
  }
}

async function addTraits({ writes }: Pick<Db, 'writes'>, names: string, trait: string, condition = 'true'): Promise<void> {
  await writes.unsafe(`
    insert into resource_provider_traits (resource_provider_id, trait_id)
    select p.id, t.id from resource_providers p, traits t where p.name like '${names}' and t.name = '${trait}' and ${condition}`);
}
