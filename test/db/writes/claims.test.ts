// Claims that arrive together share a database call, without visible differences: answers, refusals, events and generations are those of
// sequential claims.

import { beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/sql/client.ts';
import { applyWrite } from '../../../src/db/writes/apply-write.ts';
import { answersOf, joinClaims } from '../../../src/db/writes/claim-batch.ts';
import { isRefused } from '../../../src/db/writes/contract.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { MutationCall } from '../../../src/operations/request/mutation-call.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

/** A request of its own. */
const scopeOf = (name: string) =>
  new Scope({ db: database.db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: `req-${name}` });

/** A claim of VCPU for a new consumer by a request of its own. */
const claim = (name: string, held: Readonly<Record<string, number>>, scope = scopeOf(name), project = `project of ${name}`) =>
  replaceAllocations(scope, {
    consumers: [
      {
        consumer: uuidOf(name),
        expect: { isNew: true },
        project,
        user: 'u1',
        consumerType: 'INSTANCE',
        hold: {
          allocations: Object.entries(held).map(([provider, amount]) => ({
            resourceProvider: uuidOf(provider),
            resources: [{ resourceClass: 'VCPU', amount }],
          })),
        },
      },
    ],
  });

const nobody = { user: null, project: null, roles: [], requestId: '' };
const names = (count: number) => Array.from({ length: count }, (_, index) => `server${index}`);
const together = () => database.statements.filter((statement) => statement.includes('apply_write')).length;

test('forty concurrent claims share calls, and each has its own event, request, consumer and generation of the provider', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  database.statements.length = 0;
  const answers = await Promise.all(names(40).map((name) => claim(name, { cn1: 1 })));

  expect(together()).toBeLessThan(40 / 2);
  expect(answers.map(({ consumers }) => [consumers[0]?.uuid, consumers[0]?.generation, consumers[0]?.project])).toEqual(
    names(40).map((name) => [uuidOf(name), 1, `project of ${name}`]),
  );
  const generations = answers.map(({ providers }) => providers[0]?.generation ?? 0).sort((a, b) => a - b);
  expect(generations).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
  const events = await database.db.sql<{ id: string; request: string; consumers: string[]; after: number }[]>`
    select id, request_id as request, consumer_uuids as consumers,
           (changes #>> array['providers', ${uuidOf('cn1')}::text, 'after', 'generation'])::int as after
    from events where kind = 'REPLACE_ALLOCATIONS'`;
  for (const [index, { eventId, providers }] of answers.entries()) {
    const event = events.find(({ id }) => Number(id) === eventId);
    expect(event).toMatchObject({ request: `req-server${index}`, consumers: [uuidOf(`server${index}`)], after: providers[0]?.generation });
  }
  expect(events).toHaveLength(40);
  await expectSoundLedger(database.db);
});

test('claims with idempotency keys share calls like others, and each is answered again by its key', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  const send = async (name: string) => {
    const scope = scopeOf(name);
    scope.mutation = new MutationCall('replaceAllocations', { idempotencyKey: `key of ${name}` }, scope.identity);
    const answer = await claim(name, { cn1: 1 }, scope);
    return { replayed: scope.mutation.replayed, event: answer.eventId, consumers: answer.consumers, providers: answer.providers };
  };
  database.statements.length = 0;
  const first = await Promise.all(names(40).map(send));
  expect(together()).toBeLessThan(40 / 2);
  expect(first.every(({ replayed }) => !replayed)).toBe(true);
  const again = await Promise.all(names(40).map(send));
  expect(again).toEqual(first.map((answer) => ({ ...answer, replayed: true })));
  await expectSoundLedger(database.db);
});

test('of callers that claim in a loop, usually at most half are written in one call, so that the others are served meanwhile', async () => {
  // A provider each: on a busy machine, claims on the same one may wait for its lock, and are then written at once.
  for (const caller of names(8)) {
    await seed.provider(caller, { inventories: { VCPU: 100 } });
    // Creates the name of its project.
    await claim(caller, { [caller]: 1 });
  }
  const [before] = await database.db.sql<{ id: string }[]>`select max(id) as id from events`;
  const again = async (caller: string) => {
    for (const turn of names(8)) await claim(`${turn} of ${caller}`, { [caller]: 1 }, scopeOf(caller), `project of ${caller}`);
  };
  await Promise.all(names(8).map(again));
  const [usual] = await database.db.sql<{ beside: number; claims: number }[]>`
    select percentile_disc(0.5) within group (order by beside)::int as beside, count(*)::int as claims
    from (select count(*) over (partition by xid) as beside from events where id > ${before?.id ?? 0}) _`;
  expect(usual?.claims).toBe(64);
  expect(usual?.beside).toBeLessThanOrEqual(4);
  await expectSoundLedger(database.db);
});

test('claims of many consumers share calls, too, and a refused one does not affect the others', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 240 } });
  const claimAll = (name: string) =>
    replaceAllocations(scopeOf(name), {
      consumers: names(40).map((each) => ({
        ...{ consumer: uuidOf(`${each} of ${name}`), expect: { isNew: true }, project: 'p', user: 'u1', consumerType: 'INSTANCE' },
        hold: { allocations: [{ resourceProvider: uuidOf('cn1'), resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
      })),
    });
  // Its names exist from now on.
  await claimAll('first');
  // They meet while they wait for their provider, however busy the machine is.
  const holder = await database.own.reserve();
  await holder`begin`;
  await holder`select from resource_providers for no key update`;
  const sent = Promise.all(names(5).map(claimAll));
  const waiting = () => database.own`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  await holder`rollback`;
  holder.release();
  const answers = await sent;
  const [calls] = await database.db.sql<{ count: number }[]>`
    select count(distinct xid)::int as count from events where id = any (${answers.map(({ eventId }) => eventId)}::bigint[])`;
  expect(calls?.count).toBeLessThan(5);
  expect(answers.map(({ consumers }) => new Set(consumers.map((consumer) => consumer?.uuid)).size)).toEqual([40, 40, 40, 40, 40]);
  await expect(claimAll('more')).rejects.toThrow(Refusal);
  await expectSoundLedger(database.db);
});

/** What some claims answer in a new database, and the ledger afterwards, without ids of rows and times. */
async function outcomeOf(write: (db: Db) => Promise<object[]>): Promise<object> {
  const other = await createTestDatabase();
  const inventories = { VCPU: 100, MEMORY_MB: 1000, DISK_GB: 100 };
  for (const name of ['cn1', 'cn2']) await createSeed(other.db).provider(name, { inventories });
  const answers = await write(other.db);
  const events = await other.db.sql`
    select id, user_external_id, project_external_id, roles, request_id, changes, array(select unnest(consumer_uuids) order by 1) as consumers,
           array(select unnest(provider_uuids) order by 1) as providers,
           array(select subject from event_subjects where event_id = id order by 1) as subjects
    from events where kind = 'REPLACE_ALLOCATIONS' order by id`;
  await expectSoundLedger(other.db);
  await other.drop();
  // Class ids may include those of the other claims.
  const passing = ['id', 'createdAt', 'updatedAt', 'classIds'];
  return {
    answers: JSON.parse(JSON.stringify(answers, (key, value) => (passing.includes(key) ? typeof value : value))),
    events: [...events],
  };
}

test('answers and events of claims that share a call are those of the same claims one after another', async () => {
  const claimsOf = (name: string, type: string | null, held: readonly (readonly [string, string, number])[]) => ({
    call: { by: { user: 'u0', project: 'p0', roles: ['admin', 'member'], requestId: `req-${name}` } },
    consumers: ['first', 'second'].map((which) => ({
      uuid: uuidOf(`${which} of ${name}`),
      expect: { isNew: true } as const,
      project: `project of ${name}`,
      user: 'u1',
      type,
      keepType: type === null,
      allocations: held.map(([provider, resourceClass, amount]) => ({ provider: uuidOf(provider), resourceClass, amount })),
    })),
  });
  const claims = [
    claimsOf('a', null, [
      ['cn2', 'VCPU', 2],
      ['cn1', 'VCPU', 1],
      ['cn1', 'MEMORY_MB', 64],
      ['cn1', 'DISK_GB', 5],
    ]),
    claimsOf('b', 'INSTANCE', [['cn1', 'VCPU', 3]]),
    claimsOf('c', 'INSTANCE', [
      ['cn1', 'MEMORY_MB', 8],
      ['cn2', 'VCPU', 1],
    ]),
  ];
  const alone = await outcomeOf(async (db) => {
    const answers: object[] = [];
    for (const { consumers, call } of claims) answers.push(await applyWrite(db, 'replace_allocations', { consumers }, call));
    return answers;
  });
  const together = await outcomeOf(async (db) => {
    const request = joinClaims(claims);
    const answer = await applyWrite(db, 'claim_together', request, { by: nobody });
    if (isRefused(answer)) throw new Error(JSON.stringify(answer));
    return answersOf(request.parts, answer);
  });
  expect(together).toEqual(alone);
});

test('of fifty concurrent claims for forty places, exactly forty succeed, and ten learn what was left', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 40 } });
  const answers = await Promise.allSettled(names(50).map((name) => claim(name, { cn1: 1 })));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused).toHaveLength(10);
  for (const refusal of refused) {
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal.problems).toMatchObject([{ code: 'CAPACITY_EXCEEDED', requested: 1, available: 0 }]);
  }
  await expectSoundLedger(database.db);
});

test('a refused claim takes no other of its call with it', async () => {
  await seed.provider('cn1', { inventories: { VCPU: { total: 100, maxUnit: 8 } } });
  const wishes = names(20).map((name, index) => claim(name, index === 7 ? { cn1: 9 } : index === 13 ? { nowhere: 1 } : { cn1: 2 }));
  const answers = await Promise.allSettled(wishes);
  const codes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.problems[0].code : null));
  expect(codes).toEqual(names(20).map((_, index) => (index === 7 ? 'UNIT_VIOLATION' : index === 13 ? 'NOT_FOUND' : null)));
  await expectSoundLedger(database.db);
});

test('of several concurrent claims of one new consumer one wins, and the others find its generation', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  const answers = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => claim('same', { cn1: 1 }, scopeOf(String(index)))));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.problems[0]] : []));
  expect(refused).toHaveLength(11);
  for (const problem of refused) expect(problem).toMatchObject({ code: 'CONSUMER_CONFLICT', expected: null, actual: 1 });
  await expectSoundLedger(database.db);
});

test('over capacity, what one claim releases does not go to another of the same call', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.claim('held', { cn1: { VCPU: 10 } });
  await seed.inventories('cn1', { VCPU: 4 });
  const shrink = seed.write('replace_allocations', {
    consumers: [
      { uuid: uuidOf('held'), expect: {}, keepType: true, allocations: [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 6 }] },
    ],
  });
  const claims = await Promise.allSettled(names(8).map((name) => claim(name, { cn1: 1 })));
  await shrink;
  expect(claims.every(({ status }) => status === 'rejected')).toBe(true);
  await expectSoundLedger(database.db);
});

test('claims over several providers in opposite orders never deadlock, and all succeed', async () => {
  for (const name of ['a', 'b', 'c']) await seed.provider(name, { inventories: { VCPU: 1000 } });
  const orders = [
    { a: 1, b: 1, c: 1 },
    { c: 1, b: 1, a: 1 },
    { b: 1, a: 1 },
  ];
  await Promise.all(names(90).map((name, index) => claim(name, orders[index % orders.length] ?? {})));
  const [row] = await database.db.sql<{ deadlocks: number }[]>`
    select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`;
  expect(row?.deadlocks).toBe(0);
  await expectSoundLedger(database.db);
});

test('claims that wait for a locked provider do not delay claims on another', async () => {
  await seed.provider('held', { inventories: { VCPU: 100 } });
  await seed.provider('free', { inventories: { VCPU: 100 } });
  const { own } = database;
  const waiting = await own.begin(async (sql) => {
    await sql`select from resource_providers where name = 'held' for update`;
    const claims = names(4).map((name) => claim(name, { held: 1 }));
    expect((await claim('other', { free: 1 })).consumers[0]?.generation).toBe(1);
    return [Promise.all(claims)];
  });
  expect(await waiting[0]).toHaveLength(4);
  await expectSoundLedger(database.db);
});

test('the first claims of a project do not wait for each other: one on a free provider is written while another waits for its own', async () => {
  await seed.provider('held', { inventories: { VCPU: 100 } });
  await seed.provider('free', { inventories: { VCPU: 100 } });
  const { own } = database;
  const first = (name: string, provider: string) =>
    seed.claim(name, { [provider]: { VCPU: 1 } }, { project: 'new project', user: 'new user', type: 'NEW_TYPE' });
  const waiting = await own.begin(async (sql) => {
    await sql`select from resource_providers where name = 'held' for update`;
    const blocked = first('blocked', 'held');
    await expect
      .poll(async () => (await own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length)
      .toBe(1);
    await first('unblocked', 'free');
    return [blocked];
  });
  await waiting[0];
  await expectSoundLedger(database.db);
});

test('a claim is one call of the database, and the first of a project, a user or a type two more', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  const callsOf = async (consumer: string, project: string) => {
    database.statements.length = 0;
    const allocations = [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 1 }];
    const wanted = { uuid: uuidOf(consumer), project, user: 'u1', type: 'INSTANCE', allocations };
    const call = { by: nobody };
    await submitWrite(database.db, 'replace_allocations', { consumers: [{ ...wanted, expect: { isNew: true } }] }, call);
    await submitWrite(database.db, 'replace_allocations', { consumers: [{ ...wanted, expect: { generation: 1 } }] }, call);
    return database.statements.length;
  };
  expect(await callsOf('a', 'p1')).toBe(2 + 2);
  expect(await callsOf('b', 'p1')).toBe(2);
  expect(await callsOf('c', 'p2')).toBe(2 + 2);
});
