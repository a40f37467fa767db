// A database as an administrator prepares it by docs/deployment.md: one role that migrates, another that serves, tables of others in the way.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runAudit } from '../../../src/commands/audit.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { connect, connectionOptions, type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { forestOf } from '../../../src/operations/forest/forest.ts';
import { deleteExpired, sumUpUsages } from '../../../src/operations/ledger/housekeeping.ts';
import { nextRelease } from '../../support/next-release.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const guide = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
const [forServer = '', forDatabase = '', afterwards = ''] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql);
const name = `roles_${process.pid}`;
const named = (sql: string) => sql.replaceAll('database placement', `database ${name}`);
const as = (user: string, schema?: string) => ({
  ...inject('cluster'),
  database: name,
  user,
  ...(schema !== undefined && { schema }),
});
const owner = as('placement_owner');
const gateway = as('placement_gateway');

async function administer(statements: string, place = name): Promise<void> {
  const target = { ...inject('cluster'), database: place };
  const sql = connect(target, { ...connectionOptions(target, {}), max: 1 });
  try {
    for (const statement of statements.split(';\n')) if (statement.trim()) await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

const opened: Db[] = [];
const open = (target: typeof gateway) => {
  const db = openDatabase(target);
  opened.push(db);
  return db;
};

beforeAll(async () => {
  await administer(named(forServer), 'postgres');
  await administer(named(forDatabase));
  await administer('create table public.users (nothing text);\ncreate table public.events (nothing text);\n');
});
afterAll(async () => {
  for (const db of opened) await db.close();
  await administer(`drop database ${name} with (force);\ndrop role placement_owner, placement_gateway`, 'postgres');
});

test("the gateways' role cannot migrate, and the error says which role can", async () => {
  await expect(migrate(gateway)).rejects.toThrow(/this role may not migrate \(permission denied .*\): run `placement-gateway migrate`/);
});

test('the role that owns the database migrates; then the other role serves, audits and prunes', async () => {
  await migrate(owner);
  const lines: string[] = [];
  await migrate(gateway, { report: (line) => lines.push(line) });
  expect(lines).toEqual([]);
  const db = open(gateway);
  const seed = createSeed(db);
  await seed.provider('cn1', { inventories: { VCPU: 4, CUSTOM_GOLD: 1 }, traits: ['CUSTOM_T'], aggregates: ['rack'] });
  await seed.provider('child', { parent: 'cn1' });
  await seed.claim('vm1', { cn1: { VCPU: 2 } });
  await seed.write('delete_resource_provider', { provider: uuidOf('child'), expect: {} });
  expect((await forestOf(db).current()).findByUuid(uuidOf('cn1'))?.state.provider.name).toBe('cn1');
  expect(await runAudit(db, () => {})).toMatchObject({ differences: 0 });
  await deleteExpired(db, { eventRetentionDays: 1 });
  await sumUpUsages(db);
  for (const forbidden of [
    'drop table events',
    'truncate events',
    'alter table events add x text',
    'create table x ()',
    'create schema x',
    'update schema_versions set version = 0',
  ]) {
    await expect(db.writes.unsafe(forbidden)).rejects.toMatchObject({ code: '42501' });
  }
});

test("the next release serves the gateways' role, too", async () => {
  await migrate(gateway, { owner, release: nextRelease() });
  await createSeed(open(gateway)).claim('vm2', { cn1: { VCPU: 2 } });
});

test('a gateway without rights can wait until the other role has migrated', async () => {
  const lines: string[] = [];
  const release = nextRelease({ versions: 2 });
  const waiting = migrate(gateway, { release, waitForOwner: true, report: (line) => lines.push(line) });
  await expect
    .poll(() => lines)
    .toEqual([expect.stringContaining('waiting as long as it takes: the database is not migrated yet: this role may not migrate')]);
  await migrate(owner, { release });
  await waiting;
});

test('a migration whose two addresses name different databases is refused', async () => {
  await administer(`create database ${name}_other owner placement_owner encoding 'UTF8' template template0`, 'postgres');
  try {
    const refused = migrate(gateway, { owner: { ...owner, database: `${name}_other` } });
    await expect(refused).rejects.toThrow(
      new RegExp(`DATABASE_URL and DATABASE_MIGRATION_URL name different databases: ${name} .*, and ${name}_other `),
    );
  } finally {
    await administer(`drop database ${name}_other with (force)`, 'postgres');
  }
});

test('a role without rights on existing tables learns which it lacks, and serves once it has them', async () => {
  const place = `${name}_bare`;
  const [bareOwner, bareGateway] = [owner, gateway].map((target) => ({ ...target, database: place })) as [typeof owner, typeof gateway];
  await administer(`create database ${place} owner placement_owner encoding 'UTF8' template template0`, 'postgres');
  try {
    await migrate(bareOwner);
    const refusal =
      'the role placement_gateway may not use the tables in the schema placement: grant it the rights (docs/deployment.md, "Roles")';
    await expect(migrate(bareGateway, { owner: bareOwner })).rejects.toThrow(refusal);
    await expect(migrate(bareGateway, { waitForOwner: true })).rejects.toThrow(refusal);
    await administer(
      `grant usage on schema placement to placement_gateway;\ngrant select on all tables in schema placement to placement_gateway`,
      place,
    );
    await expect(migrate(bareGateway)).rejects.toThrow(refusal);
    await administer(afterwards.replaceAll('database placement', `database ${place}`), place);
    await migrate(bareGateway);
    const db = open(bareGateway);
    await createSeed(db).provider('cn1', { inventories: { VCPU: 4 } });
    await createSeed(db).claim('vm1', { cn1: { VCPU: 2 } });
    await expect(db.writes.unsafe('update schema_versions set version = 0')).rejects.toMatchObject({ code: '42501' });
  } finally {
    await administer(`drop database ${place} with (force)`, 'postgres');
  }
});

test('any schema works, even one named like the role or like a keyword of SQL', async () => {
  for (const schema of ['placement_gateway', 'user', 'placement_owner']) {
    await migrate(as('placement_owner', schema));
    const db = open(as('placement_gateway', schema));
    await createSeed(db).provider('cn1', { inventories: { VCPU: 4 } });
    await createSeed(db).claim('vm1', { cn1: { VCPU: 4 } });
    const places = await db.sql`
      select distinct n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'S') and n.nspname = ${schema} or c.oid in (
        select confrelid from pg_constraint where contype = 'f' and connamespace = ${schema}::regnamespace)`;
    expect(places).toEqual([{ schema }]);
  }
  expect(await open(gateway).sql`select nothing from public.users`.catch(({ code }: { code: string }) => code)).toBe('42501');
});
