// Examination. The pools when connections fail: whatever is cut, garbled or silent, no call hangs beyond its deadline, the process lives, and every
// connection of the pool comes back.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { connectionFault } from '../../../src/db/writes/apply-write.ts';
import { OutcomeUnknown, Unavailable } from '../../../src/domain/errors.ts';
import { socketOf, useDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { type FailingWire, failures, layFailingWire } from '../../support/failing-wire.ts';
import { replay } from '../../support/replayed-server.ts';

const database = useDatabase();
const deadlines = { connect: 3000, wait: 4000, answer: 6000, silence: 300 };
/** More than all deadlines together: whoever waits longer hangs. */
const hang = 16_000;

const uncaught: unknown[] = [];
const note = (reason: unknown) => uncaught.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

let wire: FailingWire;
let db: Db;
beforeEach(async () => {
  wire = await layFailingWire(socketOf(database.target));
  db = openDatabase(wire.target, { readConnections: 3, writeConnections: 3, deadlines });
});
afterEach(async () => {
  await db.close();
  await wire.close();
  expect(uncaught.splice(0)).toEqual([]);
});

/** What became of a call: its value or its error, or `hangs`. */
async function outcomeOf(call: PromiseLike<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, hang, 'hangs');
  });
  const outcome = await Promise.race([Promise.resolve(call).catch((error: unknown) => error), late]);
  clearTimeout(timer);
  return outcome;
}

/** With deadlines that no work of a busy machine exceeds, except for silence and for waiting. */
async function openPatient(): Promise<Db> {
  const target = { ...wire.target, settings: { statement_timeout: '0' } };
  const patient = openDatabase(target, {
    ...{ readConnections: 3, writeConnections: 3 },
    deadlines: { ...deadlines, connect: 20_000, wait: 1200, answer: 600_000 },
  });
  for (const sql of [patient.sql, patient.writes]) await expect.poll(() => outcomeOf(useAll(sql))).toHaveLength(3);
  return patient;
}

const question = (sql = db.sql) => sql`select name, id, ${7}::int as seven from resource_classes where id < 3 order by id`;
const rows = [
  { name: 'VCPU', id: 0, seven: 7 },
  { name: 'MEMORY_MB', id: 1, seven: 7 },
  { name: 'DISK_GB', id: 2, seven: 7 },
];

/** Uses all connections of a pool at once. */
const useAll = (sql = db.sql) =>
  Promise.all(Array.from({ length: 3 }, () => sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.05)`));
/** Opens all of them: on a busy machine, one may be free again before another is open. */
const openAll = (sql = db.sql) => expect.poll(async () => new Set((await useAll(sql)).map(([row]) => row?.pid)).size).toBe(3);

const third = freshDice('bytes')(3);

describe.each(failures)('a connection that meets %s', (failure) => {
  test('at any byte of its greeting or of an answer hurts only the statement that is on it', async () => {
    const server = await replay(socketOf(database.target), async (target) => {
      const recorded = openDatabase(target);
      expect(await question(recorded.sql)).toEqual(rows);
      await recorded.close();
    });
    const once = async (byte: number) => {
      const failing = await layFailingWire(server.target);
      const own = openDatabase(failing.target, {
        readConnections: 1,
        deadlines: { ...deadlines, connect: 200, answer: 400, silence: 100 },
      });
      failing.failAt(byte, failure);
      const outcome = await outcomeOf(question(own.sql));
      await own.close();
      await expect.poll(() => failing.open, { timeout: hang }).toBe(0);
      await failing.close();
      return outcome;
    };
    // Whoever is kept waiting costs time, not work.
    const together = 50;
    // Every third byte; other runs have the others.
    const bytes = Array.from({ length: server.length }, (_, byte) => byte).filter((byte) => byte % 3 === third);
    for (let byte = 0; byte < bytes.length; byte += together) {
      const outcomes = await Promise.all(bytes.slice(byte, byte + together).map(once));
      for (const outcome of outcomes) if (!Array.isArray(outcome)) expect(outcome, `from byte ${bytes[byte]} on`).toBeInstanceOf(Error);
    }
    await server.close();
  });

  test('at some byte makes no connection unusable', async () => {
    for (const byte of [0, 1, 9, 200, 430]) {
      wire.failAt(byte, failure);
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(question())));
      expect(outcomes).not.toContain('hangs');
      wire.mend();
      await expect.poll(() => outcomeOf(useAll()), { timeout: hang }).toHaveLength(3);
      expect(await question()).toEqual(rows);
    }
  });
});

describe('connections that fall silent', () => {
  test('are replaced while new ones are available: the outcome of what was sent is unknown, and what follows is answered', async () => {
    await Promise.all([openAll(), openAll(db.writes)]);
    wire.silence();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(question(db.writes))));
    for (const outcome of outcomes) {
      if (outcome instanceof Error) expect(connectionFault(outcome)).toBeInstanceOf(OutcomeUnknown);
      else expect(outcome).toEqual(rows);
    }
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toHaveLength(3);
    expect(await outcomeOf(question())).toEqual(rows);
  });

  test('are replaced before they are used, once one has been found', async () => {
    await Promise.all([openAll(), openAll(db.writes)]);
    wire.silence();
    expect(await outcomeOf(question())).toBeInstanceOf(Error);
    for (let turn = 0; turn < 4; turn++) expect(await outcomeOf(question(turn % 2 === 0 ? db.sql : db.writes))).toEqual(rows);
  });

  test('together with the whole server are abandoned, and nothing waits for long', async () => {
    await Promise.all([openAll(), openAll(db.writes)]);
    wire.silence();
    wire.swallow(true);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(question(db.writes))));
    const faults = outcomes.map((outcome) => connectionFault(outcome)?.name);
    expect([...new Set(faults)].toSorted()).toEqual(['OutcomeUnknown', 'Unavailable']);
    expect(faults.filter((name) => name === 'OutcomeUnknown')).toHaveLength(3);
    wire.mend();
    expect(await outcomeOf(question(db.writes))).toEqual(rows);
  });

  test('in the middle of a statement are noticed, too', async () => {
    const greeting = await replay(socketOf(database.target), async (target) => {
      const recorded = openDatabase(target);
      await recorded.probe('reads', 5000);
      await recorded.close();
    });
    wire.failAt(greeting.length, 'silence');
    const patient = openDatabase(wire.target, { deadlines: { ...deadlines, answer: 60_000 } });
    const outcome = outcomeOf(question(patient.sql));
    await expect.poll(() => wire.open).toBe(1);
    wire.mend();
    expect(await outcome).toMatchObject({ message: expect.stringContaining('dark') });
    await patient.close();
    await greeting.close();
  });

  test('because the server is busy are left open', async () => {
    const patient = await openPatient();
    await expect(patient.sql`select pg_sleep(2.4), 1 as one`).resolves.toMatchObject([{ one: 1 }]);
    await patient.close();
  });

  test('because the server is busy for too long are abandoned in the end', async () => {
    const outcome = await outcomeOf(db.writes`select pg_sleep(12)`);
    expect(connectionFault(outcome)).toBeInstanceOf(OutcomeUnknown);
    expect(await outcomeOf(question(db.writes))).toEqual(rows);
  });
});

test('a server that refuses sessions refuses all statements at once', async () => {
  await wire.close();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(question(db.writes))));
  for (const outcome of outcomes) {
    expect(connectionFault(outcome)).toBeInstanceOf(Unavailable);
    // One that had waited would say that all connections are in use.
    expect(outcome).toMatchObject({ message: expect.stringMatching(/ECONNREFUSED|ENOENT/) });
  }
});

describe('a statement', () => {
  test('does not wait for ever for a connection, and has not been sent then', async () => {
    const patient = await openPatient();
    const slow = Array.from({ length: 3 }, () => patient.writes`select pg_sleep(2.4)`.execute());
    const late = await outcomeOf(question(patient.writes));
    expect(connectionFault(late)).toBeInstanceOf(Unavailable);
    expect(await Promise.all(slow)).toHaveLength(3);
    await patient.close();
  });

  test('goes to the connection that was used last: its plans are cached there, and idle ones may be closed', async () => {
    await useAll();
    const processes = new Set<number>();
    for (let nth = 0; nth < 4; nth++) {
      const [row] = await db.sql<{ process: number }[]>`select pg_backend_pid() as process`;
      processes.add(row?.process ?? 0);
    }
    expect(processes.size).toBe(1);
  });

  test('that is malformed is refused, and its connection stays in use', async () => {
    const patient = await openPatient();
    const processes = new Set<number | undefined>();
    await expect
      .poll(async () => {
        for (const [row] of await useAll(patient.sql)) processes.add(row?.pid);
        return processes.size;
      })
      .toBe(3);
    await expect(patient.sql`select nonsense`).rejects.toMatchObject({ code: '42703' });
    await expect(patient.sql`select ${'x'}::int`).rejects.toMatchObject({ code: '22P02' });
    for (const [row] of await useAll(patient.sql)) expect(processes).toContain(row?.pid);
    await patient.close();
  });
});

describe('a probe', () => {
  test('is answered while all connections are in use', async () => {
    const patient = await openPatient();
    const slow = Promise.allSettled(Array.from({ length: 3 }, () => patient.sql`select pg_sleep(600)`.execute()));
    await new Promise((resolve) => setTimeout(resolve, 800));
    // On a busy machine it may be late, but it is never behind them.
    await expect.poll(() => patient.probe('reads', 400).then(() => 'answered')).toBe('answered');
    const ended = await database.own`
      select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(600)' and state = 'active'`;
    expect(ended).toHaveLength(3);
    await slow;
    await patient.close();
  });

  test('fails soon on a silent connection, and the next one is answered by another', async () => {
    await useAll();
    wire.silence();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect(db.probe('reads', 400)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await expect.poll(() => db.probe('reads', 400).then(() => 'answered')).toBe('answered');
  });
});
