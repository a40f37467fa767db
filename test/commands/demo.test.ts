// The demo cloud in a real database: its contents, that it is always the same, and that the examples of the explorer find something.

import { graphql } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildConsumers } from '../../src/commands/demo/consumers.ts';
import { buildCloud } from '../../src/commands/demo/hosts.ts';
import { loadDemo } from '../../src/commands/demo.ts';
import { plainIdentity } from '../../src/domain/identity.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { Scope } from '../../src/operations/scope/scope.ts';
import { type TestDatabase, useDatabase } from '../support/database.ts';
import { exampleNamed } from '../support/examples.ts';

const database = useDatabase();
const another = useDatabase();
const lines: string[] = [];
let contents: unknown[];

beforeAll(async () => {
  await loadDemo(database.db, (line) => lines.push(line));
  await loadDemo(another.db, () => {});
  contents = [await readContent(database), await readContent(another)];
});

/** Everything except ids and timestamps, with large values as digests. */
async function readContent({ db }: TestDatabase): Promise<unknown> {
  const rows = await db.sql`
    select 'provider' as kind, name as key, md5(provider_state(id)::text) as digest from resource_providers
    union all
    select 'consumer', c.uuid::text, md5(concat_ws(' ', c.project_id, c.user_id, c.consumer_type_id, (
      select string_agg(concat_ws(' ', p.uuid, a.resource_class_id, a.used), ',' order by p.uuid, a.resource_class_id)
      from allocations a join resource_providers p on p.id = a.resource_provider_id where a.consumer_id = c.id
    ))) from consumers c
    union all
    select 'aggregate', uuid::text, name from placement_aggregates
    union all
    select kind, request_id, md5(changes::text) from events
    order by 1, 2, 3`;
  return [...rows];
}

describe('the demo cloud', () => {
  test('has 200 hosts of five kinds, their pools and 2,000 consumers of 12 projects', async () => {
    const [counts] = await database.db.sql`
      select (select count(*)::int from resource_providers where parent_provider_id is null and name like '%-node%') as hosts,
        (select count(*)::int from resource_providers where name like '%-pool') as pools,
        (select count(*)::int from resource_providers where name like '%\_numa_') as cells,
        (select count(*)::int from inventories i join resource_classes rc on rc.id = i.resource_class_id where rc.name = 'VGPU') as gpus,
        (select count(*)::int from consumers) as consumers,
        (select count(distinct project_id)::int from consumers) as projects,
        (select count(*)::int from placement_aggregates where name is null) as nameless`;
    expect(counts).toEqual({ hosts: 200, pools: 6, cells: 40, gpus: 40, consumers: 2000, projects: 12, nameless: 0 });
    expect(lines.at(-1)).toBe('demo cloud: 200 hosts, 2000 consumers');
  });

  test('has servers, migrations, ports and a few consumers without a type', async () => {
    const rows = await database.db.sql`
      select t.name, count(*)::int as count from consumers c left join consumer_types t on t.id = c.consumer_type_id group by t.name`;
    const counts = new Map(rows.map(({ name, count }) => [name, count]));
    expect([...counts.keys()].toSorted()).toEqual(['INSTANCE', 'MIGRATION', 'PORT', null]);
    expect(counts.get('INSTANCE')).toBeGreaterThan(1500);
    expect(counts.get('MIGRATION')).toBe(6);
    expect(counts.get(null)).toBeGreaterThan(2);
    expect(counts.get(null)).toBeLessThan(20);
  });

  test('uses three to nine tenths of the processors of every host, except where an operator disabled overcommit', async () => {
    const rows = await database.db.sql<{ name: string; utilization: number }[]>`
      select root.name, (sum(i.used) / sum(i.capacity))::float8 as utilization
      from inventories i join resource_providers p on p.id = i.resource_provider_id
      join resource_providers root on root.id = p.root_provider_id
      where i.resource_class_id = 0 group by root.name`;
    expect(rows.length).toBe(200);
    expect(rows.filter(({ utilization }) => utilization < 0.3 || utilization > 0.9).map(({ name }) => name)).toEqual(['az1-rack02-node05']);
  });

  test('is over capacity in two inventories only', async () => {
    const rows = await database.db.sql`
      select p.name, rc.name as class from inventories i join resource_providers p on p.id = i.resource_provider_id
      join resource_classes rc on rc.id = i.resource_class_id where i.used > i.capacity order by p.name`;
    expect([...rows]).toEqual([
      { name: 'az1-rack02-node05', class: 'VCPU' },
      { name: 'az2-rack04-node08', class: 'MEMORY_MB' },
    ]);
  });

  test('is the same in every database', () => {
    expect(contents[1]).toEqual(contents[0]);
  });

  test('is not loaded into a ledger with providers', async () => {
    expect(await loadDemo(database.db, () => {})).toEqual({ loaded: false });
    expect(await readContent(database)).toEqual(contents[0]);
  });
});

describe('for the examples of the explorer', () => {
  const schema = loadSchema();

  const ask = async (source: string): Promise<unknown> => {
    const identity = plainIdentity('noauth', 'admin', 'admin', ['admin']);
    const { data, errors } = await graphql({
      schema,
      source,
      contextValue: new Scope({ db: another.db, identity, requestId: 'req-test' }),
    });
    expect(errors).toBeUndefined();
    return JSON.parse(JSON.stringify(data));
  };

  test('there are hosts with a pool instead of a disk', async () => {
    const { resourceProviders } = (await ask(exampleNamed('hypervisors').text.replace('first: 100', 'first: 1000'))) as {
      resourceProviders: {
        totalCount: number;
        nodes: { treeInventories: { resourceClass: { name: string } }[]; sharedPools: { usedHere: number }[] }[];
      };
    };
    expect(resourceProviders.totalCount).toBe(200);
    const served = resourceProviders.nodes.filter(
      ({ treeInventories, sharedPools }) =>
        treeInventories.every(({ resourceClass }) => resourceClass.name !== 'DISK_GB') && sharedPools.some(({ usedHere }) => usedHere > 0),
    );
    expect(served.length).toBe(60);
  });

  test('there are moves that were left over', async () => {
    const { consumers } = (await ask(exampleNamed('orphans').text)) as { consumers: { totalCount: number; nodes: { roots: object[] }[] } };
    expect(consumers.totalCount).toBe(6);
    expect(consumers.nodes.every(({ roots }) => roots.length === 2)).toBe(true);
  });
});

test('another size has as many hosts, and ten consumers for each', () => {
  const cloud = buildCloud(5);
  const consumers = buildConsumers(cloud);
  expect([cloud.hosts.length, cloud.zones.length, consumers.length]).toEqual([500, 5, 5000]);
  expect(new Set(consumers.map(({ uuid }) => uuid)).size).toBe(5000);
});
