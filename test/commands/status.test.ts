// The checks of `status`, and the severity of their findings.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runStatus, statusExitCodes } from '../../src/commands/status.ts';
import { openDatabase } from '../../src/db/sql/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.claim('vm', { cn1: { VCPU: 1 } });
});
afterEach(() => database.drop());

const statusAfter = async (statement: string) => {
  await database.own.unsafe(statement);
  const { result, checks } = await runStatus(database.db, () => {}, { eventRetentionDays: 90 });
  return { result, bad: checks.filter((one) => one.result === 'failure').map(({ check }) => check) };
};

test('has the exit codes of upstream', () => {
  expect(statusExitCodes).toEqual({ success: 0, warning: 1, failure: 2, error: 255 });
});

test.each([
  ['delete from schema_versions', ['version of the database']],
  [`insert into consumers (uuid, project_id, user_id) values ('${uuidOf('x')}', 1, 1)`, ['incomplete consumers']],
  [
    `insert into resource_providers (uuid, name, root_provider_id) select '${uuidOf('y')}', 'y', id from resource_providers`,
    ['roots of providers'],
  ],
])('after %s a check fails', async (statement, bad) => {
  expect(await statusAfter(statement)).toEqual({ result: 'failure', bad });
});

test('a healthy database has no failure', async () => {
  expect((await statusAfter('select 1')).bad).toEqual([]);
});

test('advice on the settings of the server is a warning', async () => {
  await database.own.unsafe(
    `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
  );
  const later = openDatabase(database.target);
  const { result, checks } = await runStatus(later, () => {}, { eventRetentionDays: 90 });
  await later.close();
  expect([result, checks.filter((one) => one.result === 'warning').map(({ check }) => check)]).toEqual([
    'warning',
    ['settings of the server'],
  ]);
});
