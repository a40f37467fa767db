// Transaction ids are 32 bits wide, and a server must freeze its tables before they come round: a claim takes one, and one that is refused takes none.
// On a server of its own, where nobody else takes any.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { type Call, isRefused } from '../../../src/db/writes/contract.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/postgres/launcher.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let server: EmbeddedPostgres;
let db: Db;
const dataDirectory = mkdtempSync(join(tmpdir(), 'placement-test-'));
beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDirectory, durability: 'none' });
  await migrate(server.target);
  db = openDatabase(server.target);
  // Statistics take ids, too.
  await db.sql`alter system set autovacuum = off`;
  await db.sql`select pg_reload_conf()`;
  const seed = createSeed(db);
  await seed.provider('cn1', { inventories: { VCPU: { total: 20, maxUnit: 8 } } });
  await seed.claim('first', { cn1: { VCPU: 1 } });
});
afterAll(async () => {
  await db?.close();
  await server?.stop();
  rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 20 });
});

/** Claims VCPU for a new consumer, as a gateway does when nothing else is to be written. */
async function claim(name: string, { amount = 1, provider = 'cn1', resourceClass = 'VCPU', key = '' } = {}) {
  const call: Call = {
    by: { user: 'u1', project: 'p1', roles: [], requestId: `req-${name}` },
    idempotency: key ? { principal: 'me', operation: 'replaceAllocations', key, hash: key } : undefined,
  };
  const allocations = [{ provider: uuidOf(provider), resourceClass, amount }];
  const consumer = { uuid: uuidOf(name), expect: { isNew: true } as const, project: 'p1', user: 'u1', type: 'INSTANCE', allocations };
  return submitWrite(db, 'replace_allocations', { consumers: [consumer] }, call);
}

/** How many transaction ids are taken meanwhile. */
async function idsTakenBy(work: () => Promise<unknown>): Promise<number> {
  const next = async () => {
    const [row] = await db.sql<{ id: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as id`;
    return Number(row?.id);
  };
  const before = await next();
  await work();
  return (await next()) - before;
}

test('a claim takes one transaction id', async () => {
  const taken = await idsTakenBy(async () => {
    for (let index = 0; index < 10; index++) expect(isRefused(await claim(`server${index}`))).toBe(false);
  });
  expect(taken).toBe(10);
});

test.each([
  ['of more than there is', { amount: 8 }, 'CAPACITY_EXCEEDED'],
  ['against the units', { amount: 9 }, 'UNIT_VIOLATION'],
  ['of a class that the provider does not have', { resourceClass: 'DISK_GB' }, 'NO_INVENTORY'],
  ['of a provider that does not exist', { provider: 'nowhere' }, 'NOT_FOUND'],
])('a claim %s is refused without one', async (_words, wanted, code) => {
  await claim('filler', { amount: 8 });
  const taken = await idsTakenBy(async () => {
    for (let index = 0; index < 10; index++) expect(await claim(`refused${index}`, wanted)).toMatchObject({ refusal: { code } });
  });
  expect(taken).toBe(0);
});

test('a claim of a consumer that exists is refused without one', async () => {
  expect(await idsTakenBy(async () => expect(await claim('first')).toMatchObject({ refusal: { code: 'CONSUMER_CONFLICT' } }))).toBe(0);
});

test('a resize with an outdated generation is refused without one', async () => {
  const call: Call = { by: { user: 'u1', project: 'p1', roles: [], requestId: 'req-resize' } };
  const allocations = [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 2 }];
  const consumer = { uuid: uuidOf('first'), expect: { generation: 7 }, project: 'p1', user: 'u1', type: 'INSTANCE', allocations };
  const taken = await idsTakenBy(async () =>
    expect(await submitWrite(db, 'replace_allocations', { consumers: [consumer] }, call)).toMatchObject({
      refusal: { code: 'CONSUMER_CONFLICT' },
    }),
  );
  expect(taken).toBe(0);
});

test('a claim with a key is refused after its key was stored, so that a duplicate gets the same answer', async () => {
  const taken = await idsTakenBy(async () => expect(isRefused(await claim('keyed', { amount: 9, key: 'k' }))).toBe(true));
  expect(taken).toBeGreaterThan(0);
});
