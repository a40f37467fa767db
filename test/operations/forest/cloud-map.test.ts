// The map of the cloud is what the database holds, costs no statement beside that of the forest, and is made once for each state of it.
import { beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { readCloudMap } from '../../../src/operations/forest/cloud-map.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const read = (...resourceClasses: string[]) => readCloudMap(scopeOf(database.db), { resourceClasses });

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { traits: ['COMPUTE_NODE'], aggregates: ['rack1'] });
  await seed.provider('cn1_numa0', { parent: 'cn1', inventories: { VCPU: 8, CUSTOM_GOLD: 3 } });
  await seed.provider('cn2', { inventories: { VCPU: { total: 8, allocationRatio: 2 } }, traits: ['COMPUTE_NODE'], aggregates: ['rack1'] });
  await seed.claim('vm', { cn1_numa0: { VCPU: 2 } });
});

test('it has every host with its sums, sets and names', async () => {
  const { cursor, ...map } = await read('VCPU', 'CUSTOM_GOLD');
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(map).toMatchObject({
    names: ['cn1', 'cn2'],
    memberCounts: [2, 1],
    flags: [0, 0],
    aggregateUuids: [uuidOf('rack1')],
    aggregateNames: [null],
    aggregateSets: [[0]],
    aggregateSet: [0, 0],
    traitNames: ['COMPUTE_NODE'],
    traitSets: [[0]],
    traitSet: [0, 0],
    classes: [
      { resourceClass: { name: 'VCPU' }, capacity: [8, 16], used: [2, 0] },
      { resourceClass: { name: 'CUSTOM_GOLD' }, capacity: [3, null], used: [0, null] },
    ],
  });
});

test('it takes the one statement of the forest, and is not rebuilt until the forest changes', async () => {
  const first = await read('VCPU');
  database.statements.length = 0;
  const [second, third] = await Promise.all([read('VCPU'), read('VCPU', 'DISK_GB')]);
  expect(database.statements).toHaveLength(1);
  for (const again of [second, third]) {
    expect(again.names).toBe(first.names);
    expect(again.classes[0]?.used).toBe(first.classes[0]?.used);
  }
  await createSeed(database.db).claim('another', { cn2: { VCPU: 5 } });
  expect((await read('VCPU')).classes[0]?.used).toEqual([2, 5]);
});

test('classes that do not exist, and too many, are refused', async () => {
  const refused = (names: string[]) => read(...names).catch((error: unknown) => error);
  expect(await refused(['VCPU', 'CUSTOM_NONE'])).toMatchObject({
    problems: [{ code: 'NOT_FOUND', path: ['resourceClasses', '1'] }],
  });
  const tooMany = await refused(Array.from({ length: 21 }, () => 'VCPU'));
  expect(tooMany).toBeInstanceOf(Refusal);
  expect(tooMany).toMatchObject({ problems: [{ code: 'INVALID_INPUT', path: ['resourceClasses'] }] });
});
