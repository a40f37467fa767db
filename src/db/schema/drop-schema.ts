// Drops everything in a schema of ours, for schemas that are temporary.
import { connect, connectionOptions, type DatabaseTarget } from '../sql/client.ts';
import { schemaOf } from '../sql/session-settings.ts';

/** Drops the tables and the functions of the schema of `target`. */
export async function dropSchema(target: DatabaseTarget): Promise<void> {
  const sql = connect(target, { ...connectionOptions(target, {}), max: 1 });
  const schema = schemaOf(target);
  try {
    const schemas = await sql<{ name: string }[]>`
      select nspname as name from pg_namespace where nspname = ${schema} or nspname ~ ${`^${schema}_functions_[0-9a-f]{8}$`}`;
    for (const { name } of schemas) await sql`drop schema ${sql(name)} cascade`;
  } finally {
    await sql.end();
  }
}
