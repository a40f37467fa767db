// Which migrations are refused because gateways of the release before could not work beside them.
import { expect, test } from 'vitest';
import { migrationFaults, placeFaults } from '../../tools/migration-rules.ts';

test.each([
  [
    'a table',
    'CREATE TABLE "things" (\n\t"id" bigint NOT NULL\n);\n--> statement-breakpoint\nCREATE INDEX "i" ON "things" USING btree ("id");',
  ],
  ['a column that may be null', 'ALTER TABLE "events" ADD COLUMN "note" text;'],
  ['a column with a default', 'ALTER TABLE "events" ADD COLUMN "note" text DEFAULT \'none\' NOT NULL;'],
  [
    'an index, concurrently',
    'DROP INDEX CONCURRENTLY IF EXISTS "i";--> statement-breakpoint\nCREATE INDEX CONCURRENTLY "i" ON "events" ("at");',
  ],
  ['a constraint that is validated later', 'ALTER TABLE "events" ADD CONSTRAINT "c" CHECK (id > 0) NOT VALID;'],
  ['a validation', 'ALTER TABLE "events" VALIDATE CONSTRAINT "c";'],
  ['what the release before no longer uses', '-- second step: nothing has read it since 0.2.0\nALTER TABLE "events" DROP COLUMN "note";'],
])('a migration may add or remove %s', (_what, text) => {
  expect(migrationFaults(text)).toEqual([]);
});

test.each([
  ['ALTER TABLE "events" DROP COLUMN "note";', 'removes what gateways'],
  ['DROP TABLE "services" CASCADE;', 'removes what gateways'],
  ['ALTER TABLE "events" RENAME COLUMN "at" TO "moment";', 'removes what gateways'],
  ['ALTER TABLE "events" ALTER COLUMN "id" SET DATA TYPE text;', 'removes what gateways'],
  ['ALTER TABLE "events" ALTER COLUMN "kind" SET NOT NULL;', 'removes what gateways'],
  ['ALTER TABLE "events" ADD COLUMN "note" text NOT NULL;', 'give it a default'],
  ['ALTER TABLE "events" ADD COLUMN "x" "xid8" DEFAULT pg_current_xact_id() NOT NULL;', 'rewrites'],
  ['ALTER TABLE "events" ADD COLUMN "x" bigint GENERATED ALWAYS AS (id + 1) STORED;', 'rewrites'],
  ['CREATE INDEX "i" ON "events" USING btree ("at");', 'concurrently'],
  ['ALTER TABLE "events" ADD CONSTRAINT "c" CHECK (id > 0);', 'NOT VALID'],
  ['UPDATE "events" SET "kind" = \'X\';', 'in batches'],
  [
    'ALTER TABLE "events" ADD COLUMN "note" text;\nDROP INDEX CONCURRENTLY IF EXISTS "i";\nCREATE INDEX CONCURRENTLY "i" ON "events" ("at");',
    'of its own',
  ],
  ['CREATE INDEX CONCURRENTLY "i" ON "events" ("at");', 'drop it first'],
  ['-- second step: sure\nALTER TABLE "events" ADD COLUMN "note" text NOT NULL;', 'give it a default'],
])('%s is refused', (text, advice) => {
  expect(migrationFaults(text)).toEqual([expect.stringContaining(advice)]);
});

test('no migration names a schema', () => {
  expect(placeFaults('ALTER TABLE "a" ADD CONSTRAINT "b" FOREIGN KEY ("c") REFERENCES "public"."d"("id");')).toHaveLength(1);
  expect(placeFaults('ALTER TABLE "a" ADD CONSTRAINT "b" FOREIGN KEY ("c") REFERENCES "d"("id");')).toEqual([]);
});
