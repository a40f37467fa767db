// Hosts that give way to a pool, while quotas are for aggregates: their disks then count where the pool is.
import { beforeEach, expect, test } from 'vitest';
import { findWrongQuotas } from '../../../src/db/audit.ts';
import { selectQuotaUses } from '../../../src/db/quotas.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { useDatabase } from '../../support/database.ts';
import { expectSoundLedger, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const seed = () => createSeed(database.db);
let round = 0;
/** Another one in each test. */
const named = (name: string) => `${name} ${round}`;
const places = ['east', 'disks'] as const;

/** A host in the east with a server of project p, which holds 2 VCPU and 30 DISK_GB, and a pool elsewhere, of which a server holds 1; with quotas for both places. */
beforeEach(async () => {
  round += 1;
  await seed().provider(named('host'), { inventories: { VCPU: 10, DISK_GB: 100 }, aggregates: [named('east')] });
  const uuid = uuidOf(named('host'));
  const record = { kind: 'compute_node', name: named('host'), uuid, body: { host: named('host'), hasSharedStorage: true } };
  await seed().write('import_records', { records: [record] });
  await seed().provider(named('pool'), {
    ...{ inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: [named('disks')] },
  });
  await seed().claim(named('server'), { [named('host')]: { VCPU: 2, DISK_GB: 30 } }, { project: named('p') });
  await seed().claim(named('other'), { [named('pool')]: { DISK_GB: 1 } }, { project: named('p') });
  const quotas = places.flatMap((place) =>
    ['VCPU', 'DISK_GB', null].map((resourceClass) => ({ resourceClass, aggregate: uuidOf(named(place)), amount: 1000 })),
  );
  await replaceQuotas(scopeOf(database.db), { expect: { unchecked: true }, project: named('p'), quotas });
});

/** What is used in the two places: VCPU, DISK_GB and consumers. */
async function used() {
  const uses = await selectQuotaUses(database.db, [named('p')], false);
  expect((await findWrongQuotas(database.db)).examples).toEqual([]);
  return places.map((place) =>
    ['VCPU', 'DISK_GB', null].map((name) => uses.find((use) => use.resourceClass === name && use.aggregate === uuidOf(named(place)))?.used),
  );
}

test('their disks count where the pool is, and their servers in both places', async () => {
  expect(await used()).toEqual([
    [2, 30, 1],
    [0, 1, 1],
  ]);
  await seed().aggregates(named('host'), [named('east'), named('rack')]);
  await seed().aggregates(named('pool'), [named('disks'), named('rack')]);
  expect(await used()).toEqual([
    [2, 0, 1],
    [0, 31, 2],
  ]);
  await expectSoundLedger(database.db);
});

test('a pool that comes to where the hosts are counts there with all that it holds then', async () => {
  await seed().aggregates(named('pool'), [named('east')]);
  expect(await used()).toEqual([
    [2, 31, 2],
    [0, 0, 0],
  ]);
});

test('a pool that waits for a host to serve holds no quota meanwhile, which a claim there may need', async () => {
  const claimer = await database.own.reserve();
  await claimer`begin`;
  await claimer`select from resource_providers where name = ${named('host')} for no key update`;
  const change = seed().aggregates(named('pool'), [named('east')]);
  await expect
    .poll(() => database.db.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    .toHaveLength(1);
  await claimer`select from quota_uses for update nowait`;
  await claimer`commit`;
  claimer.release();
  await change;
  expect((await used())[0]).toEqual([2, 31, 2]);
});
