// What `migrate --plan` says a migration would lock.
import { expect, test } from 'vitest';
import { planMigration } from '../../../src/db/schema/migration-plan.ts';
import { readRelease } from '../../../src/db/schema/release.ts';

const release = readRelease();
const database = {
  version: release.version - 1,
  digest: 'older',
  oldestServed: 1,
  functions: 'f',
  migrations: release.migrations.map(({ tag }) => tag),
};
const planOf = (...statements: string[]) =>
  planMigration(database, {
    ...release,
    migrations: [...release.migrations, { tag: 'next', statements: statements.join('--> statement-breakpoint\n') }],
  });

test('a database of this release needs no step, and a new one all, without waiting for locks', () => {
  expect(planMigration({ ...database, version: release.version, digest: release.digest }, release)).toMatchObject({
    standing: 'current',
    migrations: [],
    replacesFunctions: false,
  });
  const first = planMigration(null, release);
  expect(first.from).toBeNull();
  expect(first.migrations.map(({ tag }) => tag)).toEqual(database.migrations);
  expect(first.migrations[0]?.locks).toEqual([]);
});

test.each<[statement: string, table: string, lock: string]>([
  ['ALTER TABLE "consumers" ADD COLUMN "note" text;', 'consumers', 'ACCESS EXCLUSIVE'],
  [
    'ALTER TABLE "devices" ADD CONSTRAINT "f" FOREIGN KEY ("a") REFERENCES "public"."devices"("id") NOT VALID;',
    'devices',
    'SHARE ROW EXCLUSIVE',
  ],
  ['ALTER TABLE "devices" VALIDATE CONSTRAINT "f";', 'devices', 'SHARE UPDATE EXCLUSIVE'],
  ['CREATE INDEX "i" ON "events" USING btree ("id");', 'events', 'SHARE'],
  ['CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "traits" ("id");', 'traits', 'SHARE UPDATE EXCLUSIVE'],
  ['DROP INDEX "consumers_user_idx";', 'consumers_user_idx', 'ACCESS EXCLUSIVE'],
  ['DROP TABLE IF EXISTS "old_things" CASCADE;', 'old_things', 'ACCESS EXCLUSIVE'],
])('%s', (statement, table, lock) => {
  expect(planOf(statement).migrations).toEqual([{ tag: 'next', locks: [expect.objectContaining({ table, lock })] }]);
});

test('a table that the same migrations create blocks nobody, one that they reference does, and each lock is listed once', () => {
  const own = ['CREATE TABLE "mine" ("id" int);', 'CREATE INDEX "mine_idx" ON "mine" ("id");'];
  const key = 'ALTER TABLE "records" ADD CONSTRAINT "f" FOREIGN KEY ("a") REFERENCES "public"."users"("id");';
  expect(planOf(key).migrations[0]?.locks.map(({ table }) => table)).toEqual(['records', 'users']);
  const twice = ['ALTER TABLE "users" ADD COLUMN "a" int;', 'ALTER TABLE "users" ADD COLUMN "b" int;'];
  expect(planOf(...own, ...twice).migrations[0]?.locks.map(({ table }) => table)).toEqual(['users']);
});
