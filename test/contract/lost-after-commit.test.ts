// Examination. Every mutation that writes, with connections to the database that break right after its (first) commit: the payload is returned with
// everything that is known without reading, and each missing field has an error that says that the write was done. A mutation of several writes is completed
// by sending it again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ExecutorName, type Gateway, startGateway } from '../support/gateway.ts';
import { countEvents } from '../support/ledger.ts';
import { losingReads } from '../support/lost-reads.ts';
import { createWriter, mutationOf, type Payload } from '../support/mutations.ts';
import { createSeed } from '../support/seed.ts';
import { rows } from './replay/every-row.ts';
import { rowsOfInstances } from './replay/of-instances.ts';
import { rowsOfReports } from './replay/of-reports.ts';
import type { Row } from './replay/row.ts';

let database: TestDatabase;
let whole: Gateway;
beforeEach(async () => {
  database = await createTestDatabase();
  whole = await startGateway(database, 'jit');
});
afterEach(async () => {
  await whole.close();
  await database.drop();
});

async function prepare({ before }: Row): Promise<void> {
  const { write } = createWriter(whole, database);
  await before?.({ seed: createSeed(database.db), write });
}

/** The answer to a mutation with a key through a gateway that loses its connections once something is written. */
async function sendAndLose({ mutation, input, fields }: Row, what: 'reads' | 'reads and writes', executor: ExecutorName) {
  const losing = losingReads(database.db, what);
  const gateway = await startGateway(losing, executor);
  try {
    const keyed = { ...input, idempotencyKey: 'the one key' };
    return await gateway.ask<{ payload: Payload | null }>(mutationOf(mutation, `${fields} replayed event { id kind }`), { input: keyed });
  } finally {
    await gateway.close();
    await losing.close();
  }
}

/** The mutation of several writes: it has an answer only when all are done. */
const ofParts = rows.filter(({ mutation }) => mutation === 'auditComputeNode');
/** The first row of each mutation of one write in which it writes. */
const writing = [
  ...new Map(
    rows
      .filter((row) => row.event !== null && !ofParts.includes(row))
      .toReversed()
      .map((row) => [row.mutation, row]),
  ).values(),
].reverse();
/** Those that have more to write after their first write. */
const ofNova = new Set<Row>([...rowsOfInstances, ...rowsOfReports]);

const lost = [
  ['nothing can be read or written', 'reads and writes', 'jit', writing],
  ['nothing can be read, but more can be written', 'reads', 'graphql-js', writing.filter((row) => ofNova.has(row))],
] as const;

describe.each(lost)('after which %s', (_words, what, executor, chosen) => {
  test.each([...chosen])('$mutation is told', async (row) => {
    await prepare(row);
    const before = await countEvents(database.db);
    const { status, data, errors = [] } = await sendAndLose(row, what, executor);
    expect(await countEvents(database.db)).toBeGreaterThan(before);
    expect({ status, payload: data?.payload, errors }).toMatchObject({ status: 200, payload: { replayed: false, event: null } });
    for (const { path, extensions } of errors)
      expect({ path, ...extensions }).toMatchObject({ code: 'ANSWER_INCOMPLETE', written: true, retry: 'AFTER_READ' });
    const unread = errors.map(({ path }) => path?.[1]);
    expect(unread).toContain('event');
    const answer: Readonly<Record<string, unknown>> = { ...row.answer };
    for (const field of Object.keys(answer)) if (data?.payload?.[field] === null && answer[field] !== null) expect(unread).toContain(field);
  });
});

describe.each(['reads', 'reads and writes'] as const)('when %s end after the first of several writes', (what) => {
  test.each(ofParts)('$mutation is to be sent again, and then told whole', async (row) => {
    await prepare(row);
    const { data, errors = [] } = await sendAndLose(row, what, 'jit');
    expect(data?.payload ?? null).toBeNull();
    expect(errors).toMatchObject([{ path: ['payload'], extensions: { code: 'OUTCOME_UNKNOWN', retry: 'LATER' } }]);
    const again = await createWriter(whole, database).write(row.mutation, { ...row.input, idempotencyKey: 'the one key' }, row.fields);
    expect(again).toEqual({ ...row.answer, userErrors: [] });
  });
});
