// Examination. A host gives way to a pool with as many consumers as one write can lock.
import { expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { reportPool } from '../../../src/nova/services/pools.ts';
import { useDatabase } from '../../support/database.ts';
import { expectSoundLedger, scopeOf } from '../../support/ledger.ts';
import { reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const most = limits.adoptedConsumers;

/** Who offers disk, and how much of it is used. */
const disks = async () => {
  const rows = await database.db.sql<{ disk: string }[]>`
    select p.name || ' ' || i.used as disk from inventories i
    join resource_providers p on p.id = i.resource_provider_id
    join resource_classes rc on rc.id = i.resource_class_id and rc.name = 'DISK_GB'`;
  return rows.map(({ disk }) => disk);
};

test('a host gives way to a pool with thousands of consumers at once, but not with more than one write can lock', async () => {
  const scope = () => scopeOf(database.db);
  const seed = createSeed(database.db);
  const host = { uuid: uuidOf('host'), serviceHost: 'host', hypervisorHostname: 'host', vcpus: 8, memoryMb: 8192, localGb: 2 * most };
  await reportComputeNode(scope(), reportOf({ ...host, hasSharedStorage: true }));
  await seed.aggregates('host', ['rack']);
  const holder = (number: number) => ({
    ...{ uuid: uuidOf(`holder ${number}`), expect: { isNew: true }, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false },
    allocations: [{ provider: uuidOf('host'), resourceClass: 'DISK_GB', amount: 1 }],
  });
  await seed.write('replace_allocations', { consumers: Array.from({ length: most + 1 }, (_, number) => holder(number)) });
  const share = {
    uuid: uuidOf('pool'),
    name: 'pool',
    aggregates: [uuidOf('rack')],
    inventories: [{ resourceClass: 'DISK_GB', total: 2 * most }],
  };
  const problem = { code: 'INVALID_INPUT', message: expect.stringContaining(`the disks of ${most + 1} consumers`) };
  await expect(reportPool(scope(), share)).rejects.toMatchObject({ problems: [problem] });
  expect(await disks()).toEqual([`host ${most + 1}`]);
  await seed.write('release_allocations', { consumers: [{ uuid: uuidOf('holder 0'), expect: {}, allocations: [] }] });
  await reportPool(scope(), share);
  expect(await disks()).toEqual([`pool ${most}`]);
  await expectSoundLedger(database.db);
});
