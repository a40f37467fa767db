// Databases with the demo cloud, for tests of what people see. It is loaded once a run, by the first test that needs it; all of them get clones.
import { loadDemo } from '../../src/commands/demo.ts';
import { openDatabase } from '../../src/db/sql/client.ts';
import { administer, createDatabase, dropDatabase, functionsOf } from './clones.ts';
import { openTestDatabase, type TestDatabase, useDatabase } from './database.ts';

const template = 'demo';
const templateLock = 8779;

/** The demo cloud, for the duration of the tests of a file. Call it once, outside of tests; use its result inside. */
export const useDemo = (): TestDatabase => useDatabase(createDemo);

async function createDemo(): Promise<TestDatabase> {
  await loadTemplate();
  const target = await createDatabase(template);
  const statements: string[] = [];
  const db = openDatabase(target, { onStatement: (statement) => void statements.push(statement) });
  return openTestDatabase({ target, db, statements, functions: await functionsOf(db.sql) }, async () => {
    await db.close();
    await dropDatabase(target);
  });
}

/** Loads the template unless this run has it. It is renamed when it is complete: a database that could not be loaded is never cloned. */
function loadTemplate(): Promise<void> {
  return administer(async (sql) => {
    // Held until the session ends.
    await sql`select pg_advisory_lock(${templateLock}::bigint)`;
    const { count } = await sql`select from pg_database where datname = ${template}`;
    if (count > 0) return;
    const target = await createDatabase();
    const db = openDatabase(target);
    await loadDemo(db, () => {}).finally(() => db.close());
    await sql.unsafe(`alter database ${target.database} rename to ${template}`);
  });
}
