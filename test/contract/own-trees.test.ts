// Examination. Callers that may write only to some trees (`placement:trees:write`): every mutation of the contract by a caller that owns none of the trees
// concerned, and by one that owns all of them. The mutations are the rows beside `replay/every-mutation.test.ts`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { dumpTables, expectSoundLedger } from '../support/ledger.ts';
import { createWriter } from '../support/mutations.ts';
import { createSeed } from '../support/seed.ts';
import { rows } from './replay/every-row.ts';
import type { Cloud } from './replay/row.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-own-trees-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const policy = join(home, 'policy.yaml');
writeFileSync(
  policy,
  `"admin_or_service_api": "@"
"service_api": "@"
"placement:graphql:nova_settings:replace": "@"
"placement:graphql:quotas:replace": "@"
"placement:trees:write": "role:admin or user_id:%(root_name)s or (user_id:landlord and not 'nobody':%(root_name)s)"
`,
);

/** Mutations that only add a name. */
const adding = new Set(['createTrait', 'createResourceClass']);
/** Mutations that change what all trees share; reservations may be of any of them. */
const shared = new Set([
  ...['nameAggregate', 'replaceNovaSettings', 'replaceQuotas', 'deleteTrait', 'deleteResourceClass'],
  ...['replaceReservation', 'releaseReservation'],
]);

let database: TestDatabase;
let gateways: Readonly<Record<'admin' | 'stranger' | 'landlord', Gateway>>;
beforeEach(async () => {
  database = await createTestDatabase();
  const start = (token: string) => startGateway(database, 'jit', undefined, { environment: { PLACEMENT_POLICY_FILE: policy }, token });
  gateways = { admin: await start('admin'), stranger: await start('stranger:p1'), landlord: await start('landlord:p1') };
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await Promise.all(Object.values(gateways).map((gateway) => gateway.close()));
  await database.drop();
});

test.each(rows)('$mutation: $sentence', async ({ mutation, before, input, fields, answer, event, userErrors = [] }) => {
  const send = createWriter(gateways.admin, database).write;
  const cloud: Cloud = { seed: createSeed(database.db), write: send };
  await before?.(cloud);

  if (!adding.has(mutation)) {
    const then = await dumpTables(database.db);
    const refused = await createWriter(gateways.stranger, database).write(mutation, input);
    if (event !== null)
      expect(refused.userErrors).toContainEqual(expect.objectContaining({ __typename: 'Forbidden', code: 'FORBIDDEN', retry: 'NEVER' }));
    expect(await dumpTables(database.db)).toEqual(then);
  }

  const done = await createWriter(gateways.landlord, database).write(mutation, input, fields);
  if (shared.has(mutation)) expect(done.userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
  else expect(done).toEqual({ ...answer, userErrors });
});
