// The whole state is exported to a file and imported again: identical to the byte, as of one moment, resumable, and only from an intact file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasWritesOfCallers } from '../../src/bridge/ledger.ts';
import { runAudit } from '../../src/commands/audit.ts';
import { runExport } from '../../src/commands/export.ts';
import { importFile } from '../../src/commands/import-file.ts';
import { consumers, resourceProviders } from '../../src/db/schema/schema.ts';
import { ForestKeeper } from '../../src/operations/forest/forest.ts';
import { createTestDatabase, type TestDatabase, useDatabase } from '../support/database.ts';
import { type Dice, freshDice } from '../support/dice.ts';
import { pictureFromScratch, pictureOf } from '../support/forest-picture.ts';
import { historiesOf, sampled } from '../support/profile.ts';
import { writeAtRandom } from '../support/random-writes.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-export-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Has the cloud, of which an export is in the file `cloud`. */
const from = useDatabase();
let cloud: string;
beforeAll(async () => {
  await seedCloud(from);
  cloud = await exportOf(from, 'cloud');
});

let target: TestDatabase | undefined;
const to = () => target ?? expect.fail();
beforeEach(async () => {
  target = await createTestDatabase();
  return () => to().drop();
});

const silent = { at: () => {}, clear: () => {} };
const exportOf = async ({ target: database }: TestDatabase, name: string) => {
  await runExport(database, join(home, name), silent);
  return readFileSync(join(home, name), 'utf8');
};
const importOf = (name: string, options: Partial<Parameters<typeof importFile>[1]> = {}) =>
  importFile(to().db, { file: join(home, name), resume: false, progress: silent, ...options });
const rowsOf = async ({ db }: TestDatabase) => {
  const [row] = await db.sql<{ providers: number; consumers: number }[]>`
    select (select count(*)::int from resource_providers) as providers, (select count(*)::int from consumers) as consumers`;
  return row;
};

async function writeHistory({ db }: TestDatabase, roll: Dice, writes: number): Promise<void> {
  for (let n = 0; n < writes; n++) await writeAtRandom(db, roll);
}

async function seedCloud({ db }: TestDatabase): Promise<void> {
  const seed = createSeed(db);
  for (let n = 0; n < 12; n++) {
    await seed.provider(`cn${n}`, { inventories: { VCPU: 100, CUSTOM_GPU: 4 }, traits: ['CUSTOM_FAST'], aggregates: ['rack'] });
    await seed.provider(`numa${n}`, { parent: `cn${n}`, inventories: { MEMORY_MB: 1000 } });
    await seed.claim(`vm${n}`, { [`cn${n}`]: { VCPU: 2 }, [`numa${n}`]: { MEMORY_MB: 10 } }, { project: `p${n % 3}` });
  }
  await seed.reservation('night', { cn0: { VCPU: 10 }, cn1: { VCPU: 5, CUSTOM_GPU: 2 } });
  await seed.claim('guest', { cn1: { VCPU: 2, CUSTOM_GPU: 1 } }, { reservation: 'night' });
  await seed.reservation('lost', { cn2: { CUSTOM_GPU: 1 } });
  await seed.write('drop_reserved_amounts', { provider: uuidOf('cn2'), resourceClass: 'CUSTOM_GPU' });
  await seed.write('name_aggregate', { aggregate: uuidOf('rack'), name: 'Rack "1"\u2028\\' });
}

test.each(historiesOf(4))(
  'the state after any history of writes comes back identical to the byte, and audit finds nothing (history %i)',
  async (number) => {
    const one = await createTestDatabase();
    try {
      await writeHistory(one, freshDice(`history ${number}`), sampled(150));
      const first = await exportOf(one, 'history');
      await importOf('history', { batchEntries: 5 });
      expect(await exportOf(to(), 'again')).toBe(first);
      expect(await runAudit(to().db, () => {})).toMatchObject({ differences: 0 });
    } finally {
      await one.drop();
    }
  },
);

/** By type of the column, values that no import gives by itself. */
const unusualValues: Readonly<Record<string, string>> = {
  'timestamp with time zone': `'2020-01-02 03:04:05.678901+00'`,
  bigint: '9000000000',
  text: `'unusual ' || id`,
};
const tables = { resource_providers: resourceProviders, consumers } as const;
/** All columns of a table but for keys. */
const columnsOf = (table: keyof typeof tables) =>
  Object.values(getTableColumns(tables[table])).filter(({ name }) => !/(^|_)(uu)?id$/.test(name));
const unusual = (table: keyof typeof tables) =>
  columnsOf(table).map(
    (column) => `${column.name} = ${unusualValues[column.getSQLType()] ?? expect.fail(`say what to write to ${column.name}`)}`,
  );
const columnsIn = ({ own }: TestDatabase, table: keyof typeof tables) =>
  own.unsafe(`select uuid, ${columnsOf(table).map(({ name }) => name)} from ${table} order by uuid`);

test('exports one moment, however long it takes and whatever is written meanwhile', async () => {
  const before = await exportOf(from, 'before');
  const writing = createSeed(from.db).claim('late', { cn0: { VCPU: 1 } });
  const during = await exportOf(from, 'during');
  await writing;
  expect([before, await exportOf(from, 'after')]).toContain(during);
});

test('an export without reservations has no trace of them, so that 0.1.0 can read it, and one with them names them', async () => {
  await createSeed(to().db).provider('cn0', { inventories: { VCPU: 100 } });
  await createSeed(to().db).claim('vm0', { cn0: { VCPU: 1 } });
  expect(await exportOf(to(), 'without')).not.toContain('reservation');
  expect(cloud).toContain('"reservation":2,');
  expect(cloud.match(new RegExp(`"reservation":"${uuidOf('night')}"`, 'g'))).toHaveLength(1);
});

test('a gateway that runs meanwhile sees the imported objects', async () => {
  const keeper = new ForestKeeper(to().db);
  await keeper.current();
  await importOf('cloud');
  expect(pictureOf(await keeper.current())).toEqual(await pictureFromScratch(to().db));
  expect(keeper.providerCount).toBe(24);
});

describe('gateways that run beside an import', () => {
  /** Of eight consumers on as many hosts, the first two have expired, and a reservation of the first host has ended. */
  const exportExpired = async () => {
    const one = await createTestDatabase();
    const seed = createSeed(one.db);
    for (let n = 0; n < 8; n++) await seed.provider(`h${n}`, { inventories: { VCPU: 10 } });
    await seed.reservation('over', { h0: { VCPU: 5 } });
    for (let n = 0; n < 8; n++) await seed.claim(`c${n}`, { [`h${n}`]: { VCPU: 1 } });
    await one.own.unsafe(`
      update consumers set expires_at = now() - interval '1 hour' where uuid in ('${uuidOf('c0')}', '${uuidOf('c1')}');
      update reservations set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'`);
    await exportOf(one, 'expired');
    await one.drop();
  };
  const housekeep = async () => {
    const { write } = createSeed(to().db);
    await write('release_expired', { most: 100, skip: 0 });
    await write('end_reservations', { most: 100 });
  };
  const left = async () => ({ ...(await rowsOf(to())), ...(await runAudit(to().db, () => {})) });

  test('release what has expired, and the import succeeds', async () => {
    await exportExpired();
    let housekeeping: Promise<void> | null = null;
    const at = () => {
      housekeeping ??= housekeep().finally(() => {
        housekeeping = null;
      });
    };
    await importOf('expired', { batchEntries: 1, progress: { at, clear: () => {} } });
    await housekeeping;
    expect(await left()).toMatchObject({ providers: 8, consumers: 6, differences: 0 });
  });

  test('do not keep it from continuing after an interruption', async () => {
    await exportExpired();
    const at = (phase: string, done: number) => {
      if (phase === 'import' && done >= 416) throw new Error('interrupted');
    };
    await expect(importOf('expired', { batchEntries: 2, progress: { at, clear: () => {} } })).rejects.toThrow('interrupted');
    const before = await rowsOf(to());
    await housekeep();
    expect((await rowsOf(to()))?.consumers).toBeLessThan(before?.consumers ?? 0);
    await importOf('expired', { resume: true });
    await housekeep();
    expect(await left()).toMatchObject({ providers: 8, consumers: 6, differences: 0 });
  });
});

test('what was imported was written by callers: no Placement is followed that would undo it', async () => {
  await importOf('cloud');
  expect(await hasWritesOfCallers(to().db)).toBe(true);
});

describe('an import that was interrupted', () => {
  const interruptAt = (place: number) => ({
    at: (phase: string, done: number) => {
      if (phase === 'import' && done >= place) throw new Error('interrupted');
    },
    clear: () => {},
  });

  test.each([1, 408, 420, 435])('after %i entries continues with --resume, and only with it', async (place) => {
    await expect(importOf('cloud', { progress: interruptAt(place), batchEntries: 5 })).rejects.toThrow('interrupted');
    const rows = await rowsOf(to());
    if ((rows?.providers ?? 0) > 0) await expect(importOf('cloud')).rejects.toThrow('continue with --resume');
    await importOf('cloud', { resume: true });
    expect(await exportOf(to(), 'resumed')).toBe(cloud);
  });

  test('does not continue with another file', async () => {
    await importOf('cloud');
    await createSeed(from.db).claim('later', { cn0: { VCPU: 1 } });
    await exportOf(from, 'other');
    await expect(importOf('other', { resume: true })).rejects.toThrow('something else than the beginning of this file');
    await expect(importOf('other')).rejects.toThrow('not empty');
  });
});

describe('a damaged file is refused, and nothing is written', () => {
  const spoilt = async (spoil: (lines: string[]) => string) => {
    writeFileSync(join(home, 'spoilt'), spoil(cloud.split(/(?<=\n)/)));
    return importOf('spoilt');
  };
  const recordOf = (body: string) =>
    `{"record":{"kind":"project_quotas","name":"p0","uuid":"${uuidOf('quotas')}","updatedAt":"2026-01-01T00:00:00Z","body":${body}}}\n`;
  afterEach(async () => {
    expect(await rowsOf(to())).toEqual({ providers: 0, consumers: 0 });
  });

  test.each<[what: string, spoil: (lines: string[]) => string, told: RegExp]>([
    ['is empty', () => '', /line 0 of .* the file was cut off/],
    ['is cut between lines', (lines) => lines.slice(0, 50).join(''), /line 50 of .* the file was cut off/],
    ['is cut within a line', (lines) => lines.slice(0, 50).join('').slice(0, -3), /line 50 of .* is damaged or cut off/],
    ['lacks a line', (lines) => lines.toSpliced(30, 1).join(''), /one of the lines 1 to \d+ of .* is damaged or missing/],
    ['has a line twice', (lines) => lines.toSpliced(30, 0, lines[30] ?? '').join(''), /one of the lines 1 to \d+/],
    [
      'has lines in another order',
      (lines) => lines.toSpliced(2, 0, lines.at(-2) ?? '').join(''),
      /line 4 of .* has resourceClass, after consumer/,
    ],
    ['has another number in it', (lines) => lines.join('').replace('"total":100', '"total":101'), /one of the lines 1 to \d+/],
    ['has a line that is not JSON', (lines) => lines.with(20, 'x\n').join(''), /line 21 of .* is damaged/],
    ['has more after its end', (lines) => [...lines, lines[4]].join(''), /line \d+ of .* comes after the end/],
    ['is of a later format', (lines) => lines.join('').replace('"format":1', '"format":2'), /line 1 of .* this release reads 1/],
    ['has an invalid value', (lines) => lines.with(9, '{"trait":7}\n').join(''), /line 10 of .* is not what an export writes/],
    ...Object.entries({ user: 7, consumerType: 7, resourceClass: 7, aggregate: '"rack"', amount: 1.5 }).map(
      ([field, value]): [string, (lines: string[]) => string, RegExp] => [
        `has a quota with a malformed ${field}`,
        (lines) => lines.toSpliced(-1, 0, recordOf(`{"parent":null,"quotas":[{},{"${field}":${value}}]}`)).join(''),
        new RegExp(`line \\d+ of .* is not what an export writes: .*body\\.quotas\\[1\\]\\.${field}`),
      ],
    ),
    [
      'has quotas in another form',
      (lines) => lines.toSpliced(-1, 0, recordOf('{"parent":7,"quotas":{}}')).join(''),
      /line \d+ of .* is not what an export writes: .*body\.parent.*body\.quotas/,
    ],
  ])('when it %s', async (_what, spoil, told) => {
    await expect(spoilt(spoil)).rejects.toThrow(told);
  });
});

test('keeps every column of providers and consumers, devices, records and services', async () => {
  await from.own.unsafe(`
    update resource_providers set ${unusual('resource_providers')};
    update consumers set ${unusual('consumers')};
    insert into devices (resource_provider_id, address, body) select id, '0000:81:00.0', '{"status": "available", "vendorId": "10de"}' from resource_providers limit 3;
    insert into records (kind, name, uuid, body, updated_at) values ('node', 'a', '${uuidOf('a')}', '{"x": [1.5, "é"]}', '2022-01-01');
    insert into services (host, program, version, disabled, disabled_reason, updated_at) values ('h2', 'nova-compute', 66, true, 'broken', '2019-01-01'),
      ('h1', 'nova-compute', 67, false, null, '2019-01-02');`);
  const first = await exportOf(from, 'all');
  for (const text of ['2020-01-02T03:04:05.678901+00:00', '9000000000', '10de', '[1.5, "é"]', '"disabledReason":"broken"']) {
    expect(first).toContain(text);
  }
  await importOf('all');
  expect(await exportOf(to(), 'all again')).toBe(first);
  expect(await runAudit(to().db, () => {})).toMatchObject({ differences: 0 });
  for (const table of ['resource_providers', 'consumers'] as const) {
    expect(await columnsIn(to(), table)).toEqual(await columnsIn(from, table));
  }
});
