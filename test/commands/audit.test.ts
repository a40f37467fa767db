// The audit finds nothing in a ledger written through the product, and each fault in one that was tampered with. It corrects values that follow from other
// rows.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAudit } from '../../src/commands/audit.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { openDatabase } from '../../src/db/sql/client.ts';
import { forestOf } from '../../src/operations/forest/forest.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 100, MEMORY_MB: 1000 }, traits: ['HW_CPU_X86_AVX'], aggregates: ['rack'] });
  await seed.provider('numa', { parent: 'cn1', inventories: { MEMORY_MB: 1000 } });
  await seed.provider('cn2', { inventories: { VCPU: 100 } });
  await seed.provider('kept', { inventories: { MEMORY_MB: 10 } });
  await seed.reservation('r', { kept: { MEMORY_MB: 5 } });
  await seed.claim('d', { kept: { MEMORY_MB: 2 } }, { reservation: 'r' });
  await seed.provider('short-lived', { inventories: { VCPU: 1 } });
  await seed.write('delete_resource_provider', { provider: uuidOf('short-lived'), expect: {} });
  await seed.provider('short-lived');
  await seed.claim('a', { cn1: { VCPU: 2 }, numa: { MEMORY_MB: 10 } });
  await seed.claim('b', { cn2: { VCPU: 1 } });
  await seed.claim('gone', { cn2: { VCPU: 1 } });
  await seed.write('release_allocations', { consumers: [{ uuid: uuidOf('gone'), expect: {}, allocations: [] }] });
  await seed.write('update_resource_provider', { provider: uuidOf('numa'), expect: {}, name: 'numa0', parent: uuidOf('cn2') });
  // All allocations of b go to c, which is new, and those of a change.
  await seed.write('replace_allocations', {
    consumers: [
      { uuid: uuidOf('b'), expect: {}, keepType: true, allocations: [] },
      { uuid: uuidOf('c'), expect: { isNew: true }, keepType: true, takeFrom: uuidOf('b'), allocations: [] },
      { uuid: uuidOf('a'), expect: {}, keepType: true, allocations: [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 3 }] },
    ],
  });
  const inventory = { total: 50, reserved: 0, minUnit: 1, maxUnit: 50, stepSize: 1, allocationRatio: 1, resourceClass: 'VCPU' };
  await seed.write('reshape', { providers: [{ provider: uuidOf('cn1'), expect: {}, inventories: [inventory] }], consumers: [] });
});
afterEach(() => database.drop());

async function audit(): Promise<{ differences: number; lines: string }> {
  const lines: string[] = [];
  const { differences } = await runAudit(database.db, (line) => lines.push(line));
  return { differences, lines: lines.join('\n') };
}

test('a ledger written through the product has no differences', async () => {
  const { differences, lines } = await audit();
  expect(lines).toContain('0 differences, 0 unverified');
  expect(differences).toBe(0);
});

const eventOf = (name: string) => `(select max(event_id) from event_subjects where subject = '${uuidOf(name)}')`;

describe('each of these is a difference', () => {
  test.each<[words: string, tampering: string, told: string]>([
    ['a usage that is not the sum', `update inventories set used = used + 1 where total = 50`, 'used says 4, allocations say 3'],
    [
      'a consumer that holds nothing',
      `insert into consumers (uuid, project_id, user_id) values ('${uuidOf('x')}', 1, 1)`,
      `${uuidOf('x')} holds nothing`,
    ],
    [
      'a consumer without a project',
      `update consumers set project_id = 0 where uuid = '${uuidOf('a')}'`,
      `${uuidOf('a')} belongs to no project`,
    ],
    ['a consumer without a user', `update consumers set user_id = 0 where uuid = '${uuidOf('a')}'`, `${uuidOf('a')} was made by no user`],
    [
      'an allocation of 0',
      'alter table allocations drop constraint allocations_used; update allocations set used = 0 where used = 3',
      'holds 0 on provider',
    ],
    [
      'an allocation of no consumer',
      'insert into allocations select 0, resource_provider_id, resource_class_id, 1 from allocations limit 1',
      'a consumer that does not exist holds 1 on provider',
    ],
    [
      'an allocation without an inventory',
      'insert into allocations select consumer_id, resource_provider_id, 2147483647, 1 from allocations limit 1',
      ', which has no class 2147483647',
    ],
    [
      'an amount that a reservation keeps of an inventory that does not exist',
      `insert into reservation_amounts select r.id, p.id, 2, 7 from reservations r, resource_providers p where p.name = 'cn2'`,
      `reservation ${uuidOf('r')} keeps 7 of DISK_GB on provider ${uuidOf('cn2')}, which has none`,
    ],
    [
      'an amount that a reservation keeps of a provider that does not exist',
      'insert into reservation_amounts select id, 0, 0, 7 from reservations',
      `reservation ${uuidOf('r')} keeps 7 of VCPU on a provider that does not exist`,
    ],
    [
      'an amount of no reservation',
      `insert into reservation_amounts select 0, id, 0, 7 from resource_providers where name = 'cn2'`,
      'a reservation that does not exist keeps 7 of VCPU on provider',
    ],
    ['a reservation without a project', `update reservations set project_id = 0`, `reservation ${uuidOf('r')} belongs to no project`],
    [
      'a consumer that claims from no reservation',
      'update consumers set reservation_id = 0 where reservation_id is not null',
      `consumer ${uuidOf('d')} claims from a reservation that does not exist`,
    ],
    [
      'a consumer that claims from a reservation of another project',
      `insert into projects (external_id) values ('p2'); update consumers set project_id = (select id from projects where external_id = 'p2') where reservation_id is not null`,
      `consumer ${uuidOf('d')} claims from reservation ${uuidOf('r')}, which is of another project`,
    ],
    [
      'a consumer that outlives its reservation',
      'update consumers set expires_at = null where reservation_id is not null',
      `consumer ${uuidOf('d')} outlives reservation ${uuidOf('r')}`,
    ],
    [
      'a root that is not the topmost parent',
      `update resource_providers set root_provider_id = (select id from resource_providers where name = 'cn1') where name = 'numa0'`,
      'has another root than its parents',
    ],
    [
      'a loop of parents',
      `update resource_providers set parent_provider_id = (select id from resource_providers where name = 'numa0') where name = 'cn2'`,
      'stands in a loop of parents',
    ],
    [
      'a generation without an event',
      `update resource_providers set generation = 99 where name = 'cn1'`,
      'generation is 99, but the events left',
    ],
    [
      'an inventory changed without an event',
      `update inventories set total = 60, max_unit = 60 where total = 50`,
      'inventories is {"VCPU": {"total": 60',
    ],
    [
      'a usage of a project that is not the sum of its consumers',
      `insert into project_usages (project_id, user_id, amount) values (1, 1, 7)`,
      'consumers of project p1, user u1, type none: the sums say 8, allocations say 1',
    ],
    ['a trait that no event removed', `delete from resource_provider_traits`, 'traits is [], but the events left ["HW_CPU_X86_AVX"]'],
    [
      'a consumer that exists although an event deleted it',
      `update events set changes = jsonb_set(changes, '{consumers,${uuidOf('a')},after}', 'null') where id = ${eventOf('a')}`,
      'but the events left null',
    ],
    [
      'a consumer deleted without an event',
      `delete from allocations a using consumers c where c.id = a.consumer_id and c.uuid = '${uuidOf('c')}'; delete from consumers where uuid = '${uuidOf('c')}'`,
      `consumer ${uuidOf('c')}: allocations is null`,
    ],
    [
      'an event that does not begin with the state that the previous one left',
      `update events set changes = jsonb_set(changes, '{consumers,${uuidOf('a')},before,generation}', '7') where id = ${eventOf('a')}`,
      `starts from generation 7, but the event before it left 1`,
    ],
  ])('%s', async (_words, tampering, told) => {
    await database.db.writes.unsafe(tampering);
    const { differences, lines } = await audit();
    expect(lines).toContain(told);
    expect(differences).toBeGreaterThan(0);
  });
});

describe('a value that follows from other rows', () => {
  const fix = () => runAudit(database.db, () => {}, { fix: true });
  const nothing = { inventories: 0, providers: 0, consumers: 0, usages: 0, quotas: 0 };

  test.each<[words: string, tampering: string, mended: object, differences?: number]>([
    ['a usage of a project', `insert into project_usages (project_id, user_id, amount) values (1, 1, 7)`, { usages: 1 }],
    ['a usage that is not the sum', `update inventories set used = used + 1 where total = 50`, { inventories: 1 }],
    [
      'a root that is not the topmost parent',
      `update resource_providers set root_provider_id = (select id from resource_providers where name = 'cn1') where name = 'numa0'`,
      { providers: 1 },
    ],
    [
      'a consumer that holds nothing and has no events',
      `insert into consumers (uuid, project_id, user_id) values ('${uuidOf('x')}', 1, 1)`,
      { consumers: 1, usages: 1 },
      2,
    ],
  ])('is corrected: %s, once, and only on request', async (_words, tampering, mended, differences = 1) => {
    await database.db.writes.unsafe(tampering);
    expect(await runAudit(database.db, () => {})).toMatchObject({ differences, mendable: mended, mended: null });
    expect(await fix()).toMatchObject({ differences: 0, mendable: mended, mended });
    expect(await fix()).toMatchObject({ differences: 0, mendable: nothing, mended: null });
  });

  test('is in the forest after the correction', async () => {
    const forest = forestOf(database.db);
    const usedOf = async () => (await forest.current()).findByUuid(uuidOf('cn1'))?.state.inventories[0]?.used;
    await database.db.writes`update inventories set used = used + 1 where total = 50`;
    expect(await usedOf()).toBe(4);
    await fix();
    expect(await usedOf()).toBe(3);
  });

  test.each<[words: string, tampering: string]>([
    [
      'a loop of parents',
      `update resource_providers set parent_provider_id = (select id from resource_providers where name = 'numa0') where name = 'cn2'`,
    ],
    ['a consumer without a project', `update consumers set project_id = 0 where uuid = '${uuidOf('a')}'`],
    ['a consumer with events', `delete from allocations where used = 3`],
    ['an inventory changed without an event', `update inventories set total = 60, max_unit = 60 where total = 50`],
  ])('stays unchanged if a person must decide: %s', async (_words, tampering) => {
    await database.db.writes.unsafe(tampering);
    const told = await runAudit(database.db, () => {});
    expect(told.differences).toBeGreaterThan(0);
    // Sums depend only on the rows.
    const { usages } = told.mendable;
    expect(await fix()).toMatchObject({ differences: told.differences - usages, mendable: { ...nothing, usages } });
  });

  test('is correct after any number of faults, in any order, and allocations stay unchanged', async () => {
    const held = () => database.db.sql`select consumer_id, resource_provider_id, resource_class_id, used from allocations order by 1, 2, 3`;
    const before = await held();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ place: fc.nat(9), off: fc.integer({ min: 1, max: 1000 }) }), { maxLength: 6 }),
        async (faults) => {
          for (const { place, off } of faults) {
            await database.db.writes`
            update inventories set used = used + ${off}
            where (resource_provider_id, resource_class_id) in (select resource_provider_id, resource_class_id from inventories order by 1, 2 offset ${place} limit 1)`;
          }
          expect((await fix()).differences).toBe(0);
          expect(await held()).toEqual(before);
        },
      ),
      { numRuns: 10 },
    );
  });
});

test('while another Placement leads, differences are found, and what follows from other rows is corrected', async () => {
  await database.db.writes.unsafe(
    `update inventories set used = used + 1 where total = 50; insert into bridge (url, mode) values ('http://other', 'following')`,
  );
  expect(await runAudit(database.db, () => {})).toMatchObject({ differences: 1, mendable: { inventories: 1 }, mended: null });
  expect(await runAudit(database.db, () => {}, { fix: true })).toMatchObject({ differences: 0, mended: { inventories: 1 } });
});

test('if retention has dropped the first events, the others are still checked, and the rest is reported as unverified', async () => {
  // cn1 keeps only its last event; c keeps its only one, which is its creation; cn2 and short-lived have none.
  await database.db.writes.unsafe(`
    delete from events where id < ${eventOf('c')};
    delete from event_subjects where event_id not in (select id from events)`);
  const { differences, lines } = await audit();
  expect(lines).toContain('0 differences');
  expect(differences).toBe(0);
  expect(lines).toMatch(/ [56] unverified/);
  await database.db.writes`update resource_providers set generation = 99 where name = 'cn1'`;
  expect((await audit()).differences).toBe(1);
});

test('a consistent ledger is also consistent in a database with another sort order, such as Danish, where aa comes last', async () => {
  const name = `test_danish_${process.pid}`;
  await database.own.unsafe(`create database ${name} template template0 locale_provider icu icu_locale 'da-DK'`);
  const target = { ...database.target, database: name };
  await migrate(target);
  const db = openDatabase(target);
  try {
    const providers = ['aaaaaaaa', 'abababab', 'ffffffff'].map((start) => `${start}-0000-4000-8000-000000000000`);
    const danish = createSeed(db);
    const inventories = ['CUSTOM_AA', 'CUSTOM_AB'].map((resourceClass) => ({
      ...{ resourceClass, total: 9, reserved: 0, minUnit: 1, maxUnit: 9, stepSize: 1, allocationRatio: 1 },
    }));
    for (const { resourceClass } of inventories) await danish.write('create_resource_class', { name: resourceClass });
    for (const uuid of providers) {
      await danish.write('create_resource_provider', { uuid, name: uuid });
      await danish.write('replace_inventories', { provider: uuid, expect: {}, inventories });
    }
    const allocations = providers.flatMap((provider) => inventories.map(({ resourceClass }) => ({ provider, resourceClass, amount: 1 })));
    const wanted = { uuid: uuidOf('server'), expect: {}, project: 'p', user: 'u', type: 'INSTANCE', keepType: false };
    await danish.write('replace_allocations', { consumers: [{ ...wanted, allocations }] });
    await danish.write('rename_resource_class', { from: 'CUSTOM_AA', name: 'CUSTOM_B' });
    await danish.write('replace_allocations', {
      consumers: [{ ...wanted, allocations: allocations.filter(({ resourceClass }) => resourceClass === 'CUSTOM_AB') }],
    });
    expect((await runAudit(db, () => {})).differences).toBe(0);
  } finally {
    await db.close();
    await database.own.unsafe(`drop database ${name} with (force)`);
  }
});
