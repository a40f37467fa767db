// The findings of `db health` in a real database.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runDatabaseHealth } from '../../src/commands/database-health.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const adviceAfter = async (statements: string, about = 'indexes') => {
  await database.own.unsafe(statements);
  const lines: string[] = [];
  await runDatabaseHealth(database.db, (line) => lines.push(line), { wanted: 18 });
  return lines.filter((line) => line.startsWith(about));
};

test('a new database has all indexes of this release and no others', async () => {
  expect(await adviceAfter('select 1')).toEqual([]);
});

test('finds a missing index, a foreign one, and an incomplete one', async () => {
  const told = await adviceAfter(`
    drop index consumers_user_idx;
    create index other_idx on consumers (generation);
    update pg_index set indisvalid = false where indexrelid = 'consumers_project_idx'::regclass;`);
  expect(told).toEqual([
    expect.stringContaining('consumers_project_idx is incomplete'),
    expect.stringContaining('consumers_user_idx, which this release needs, is missing'),
    expect.stringContaining('other_idx on consumers is not part of this release and unused'),
  ]);
});

test('finds a table for which autovacuum is disabled', async () => {
  expect(await adviceAfter('alter table allocations set (autovacuum_enabled = off)', 'autovacuum')).toContainEqual(
    expect.stringContaining('autovacuum is disabled for allocations'),
  );
});

test('finds too few connections', async () => {
  const lines: string[] = [];
  await runDatabaseHealth(database.db, (line) => lines.push(line), { wanted: 1_000_000 });
  expect(lines).toContainEqual(expect.stringContaining('a gateway needs up to 1000000: raise max_connections'));
});
