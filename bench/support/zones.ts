// A large cloud as operators know it: zones of racks of hosts, with uneven usage, some hosts over capacity and some disabled. Written by plain SQL in seconds,
// without consumers and events.
import type { Db } from '../../src/db/sql/client.ts';

interface Zones {
  readonly zones: number;
  /** Racks per zone, and hosts per rack. */
  readonly racks: number;
  readonly hosts: number;
}

export async function fillZones({ writes }: Db, { zones, racks, hosts }: Zones): Promise<void> {
  await writes`
    insert into resource_providers (id, uuid, name, generation, root_provider_id) overriding system value
    select id, gen_random_uuid(), format('az%s-rack%s-node%s', z, lpad(r::text, 2, '0'), lpad(h::text, greatest(3, length(h::text)), '0')), 1, id
    from (
      select nextval(pg_get_serial_sequence('resource_providers', 'id')) as id, z, r, h
      from generate_series(1, ${zones}::int) z, generate_series(1, ${racks}::int) r, generate_series(1, ${hosts}::int) h
    ) numbered`;
  // Some racks are fuller than others, and hosts of a rack differ.
  await writes`
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used)
    select p.id, c.id, c.total, c.reserved, 1, 2147483647, 1, c.ratio,
      greatest(0, least(c.most, (c.most * (0.55 + 0.3 * sin(hashtext(left(p.name, -8)) % 100 / 16.0 + c.id) + 0.15 * (hashint8(p.id * 3 + c.id) % 1000) / 1000.0))::bigint))
    from resource_providers p,
      (values (0, 64, 0, 4.0, 256), (1, 524288, 8192, 1.0, 516096), (2, 2900, 100, 1.0, 2800)) as c(id, total, reserved, ratio, most)`;
  await writes`update inventories set allocation_ratio = 1, used = 64 + resource_provider_id % 170 where resource_class_id = 0 and resource_provider_id % 1249 = 17`;
  await writes`
    insert into resource_provider_traits (resource_provider_id, trait_id)
    select p.id, t.id from resource_providers p join traits t
      on t.name = 'HW_CPU_X86_AVX2' and p.id % 2 = 0 or t.name = 'COMPUTE_STATUS_DISABLED' and p.id % 311 = 5`;
  await writes`
    insert into placement_aggregates (uuid, name)
    select gen_random_uuid(), name from (
      select format('az%s', z) as name from generate_series(1, ${zones}::int) z
      union all
      select format('az%s-rack%s', z, lpad(r::text, 2, '0')) from generate_series(1, ${zones}::int) z, generate_series(1, ${racks}::int) r
    ) named`;
  await writes`
    insert into resource_provider_aggregates (resource_provider_id, aggregate_id)
    select p.id, a.id from resource_providers p join placement_aggregates a on a.name in (split_part(p.name, '-', 1), regexp_replace(p.name, '-node[0-9]+$', ''))`;
  await writes`select mark_changed(array(select id from resource_providers))`;
  await writes`vacuum analyze`;
}
