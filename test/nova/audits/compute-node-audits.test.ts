// Examination. The limits of an audit of a compute node.
import { expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { auditComputeNode } from '../../../src/nova/audits/compute-node-audits.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();

const namesOf = (kind: string, count: number) => Array.from({ length: count }, (_, place) => uuidOf(`${kind} ${place}`));
const vm = (uuid: string) => ({
  instanceRecord: { fields: { uuid, project: 'p1', user: 'u1', flavor: { fields: { vcpus: 1, memoryMb: 1, rootGb: 0 } } } },
});

test('an audit accepts as many consumers, instances and moves as each of its limits allows, and no more', async () => {
  const seed = createSeed(database.db);
  await seed.provider('big', { inventories: { VCPU: 20_000 } });
  const hold = (consumers: readonly string[]) =>
    seed.write('replace_allocations', {
      consumers: consumers.map((uuid) => ({
        ...{ uuid, expect: { isNew: true }, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false },
        allocations: [{ provider: uuidOf('big'), resourceClass: 'VCPU', amount: 1 }],
      })),
    });
  await hold(namesOf('holder', limits.auditConsumers));
  const migrating = namesOf('migrating', limits.auditInstances);
  const moves = namesOf('migration', limits.auditInstances).map((migration, place) => ({
    ...{ migration, side: 'OUTGOING' as const, hostedInstance: vm(migrating[place] as string) },
  }));
  const instances = namesOf('instance', limits.auditInstances).map(vm);
  const audit = () => auditComputeNode(scopeOf(database.db), { computeNode: uuidOf('big'), host: 'big', instances, moves });
  const found = await audit();
  expect([found.allocations.length, found.instances.length, found.moves.length]).toEqual([
    limits.auditConsumers,
    limits.auditInstances,
    limits.auditInstances,
  ]);
  await hold(['one more'].map(uuidOf));
  const message = expect.stringContaining(`more than ${limits.auditConsumers} consumers`);
  await expect(audit()).rejects.toMatchObject({ problems: [{ code: 'INVALID_INPUT', path: ['computeNode'], message }] });
});
