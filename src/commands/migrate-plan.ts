// `migrate --plan`: shows what a migration would do, and changes nothing.
import { readDatabaseVersion } from '../db/schema/database-version.ts';
import { type MigrationPlan, planMigration } from '../db/schema/migration-plan.ts';
import { readRelease } from '../db/schema/release.ts';
import type { Db } from '../db/sql/client.ts';

export async function runMigratePlan(db: Db, print: (line: string) => void): Promise<MigrationPlan> {
  const plan = planMigration(await readDatabaseVersion(db.sql), readRelease());
  print(`version: ${plan.from ?? 'none'}, of this release: ${plan.to}: ${inWords[plan.standing]}`);
  for (const { tag, locks } of plan.migrations) {
    print(`${tag}: ${locks.length === 0 ? 'locks no existing table' : 'locks'}`);
    for (const { table, lock, keepsOff } of locks) print(`  ${table}: ${lock}, which blocks ${keepsOff}`);
  }
  if (plan.migrations.some(({ locks }) => locks.length > 0)) {
    print(
      'The migration waits for a lock for up to half a second, during which other statements wait too; then they continue, and it tries again.',
    );
  }
  if (plan.replacesFunctions) print('The write functions are replaced; writes in progress are completed by the old ones.');
  return plan;
}

const inWords: Readonly<Record<MigrationPlan['standing'], string>> = {
  behind: 'to be migrated',
  current: 'nothing to do',
  newer: 'newer than this release, used as it is',
  'too new': 'too new for this release',
  foreign: 'of another release, which cannot be migrated',
};
