// What the role that migrates and the role that serves must have in common: the database, and the tables. Changes nothing.
import { randomInt } from 'node:crypto';
import type { Sql } from '../sql/client.ts';

/**
 * Throws unless both clients are in one database. A lock that one takes and the other sees decides: names and addresses of one database may differ, and a
 * restored copy has the identifiers of its original.
 */
export async function refuseOtherDatabase(serving: Sql, owning: Sql): Promise<void> {
  const key = randomInt(2 ** 31);
  await owning`select pg_advisory_lock(${key}::bigint)`;
  const [seen] = await serving<{ isFree: boolean }[]>`select pg_try_advisory_lock(${key}::bigint) as "isFree"`;
  await Promise.all([owning, seen?.isFree ? serving : owning].map((sql) => sql`select pg_advisory_unlock_all()`));
  if (!seen?.isFree) return;
  const [one, other] = await Promise.all([serving, owning].map(describeDatabase));
  throw new Error(`DATABASE_URL and DATABASE_MIGRATION_URL name different databases: ${one}, and ${other}`);
}

async function describeDatabase(sql: Sql): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
    select format('%s at %s (system identifier %s)', current_database(), coalesce(host(inet_server_addr()) || ' port ' || inet_server_port(), 'a socket'),
      system_identifier) as text from pg_control_system()`;
  return row?.text ?? '';
}

/** Throws if the tables exist, but the role may not use them. Without any rights it does not even see them, as if the database were not migrated. */
export async function refuseWithoutRights(sql: Sql, schema: string): Promise<void> {
  const [row] = await sql<{ role: string; isAllowed: boolean }[]>`
    select current_user as role, has_schema_privilege(n.oid, 'usage') and not exists (
      select from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p') and not (
        has_table_privilege(c.oid, 'select') and (c.relname in ('schema_migrations', 'schema_versions') or
          has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
      )
    ) and not exists (
      select from pg_namespace f where starts_with(f.nspname, ${`${schema}_functions_`}) and not has_schema_privilege(f.oid, 'usage')
    ) as "isAllowed"
    from pg_namespace n where n.nspname = ${schema} and exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'schema_versions')`;
  if (row?.isAllowed === false) {
    throw new Error(
      `the role ${row.role} may not use the tables in the schema ${schema}: grant it the rights (docs/deployment.md, "Roles")`,
    );
  }
}
