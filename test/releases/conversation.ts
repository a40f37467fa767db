// What gateways of a release say to the write functions, and what they get: every call of every mutation, with its answer. A release keeps it
// (releases/<version>/conversation.json), and the functions of each later release must answer the same calls as well.
import { runAudit } from '../../src/commands/audit.ts';
import type { Db } from '../../src/db/sql/client.ts';
import { readKept } from '../../src/db/writes/kept-answers.ts';
import type { Row as Mutation } from '../contract/replay/row.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freshDice } from '../support/dice.ts';
import { startGateway } from '../support/gateway.ts';
import { createWriter } from '../support/mutations.ts';
import { everyOperation, writeAtRandom } from '../support/random-writes.ts';
import { createSeed } from '../support/seed.ts';

type Names = readonly [projects: string[], users: string[], types: string[]];

/** A call of one of the two functions that write, in the order in which they were sent. */
export type Call = { readonly operation: string; readonly request: object; readonly answer: object } | { readonly names: Names };

export interface Session {
  readonly mutation: string;
  readonly sentence: string;
  readonly calls: readonly Call[];
  /** The answers that are stored under keys after the last call. */
  readonly kept: readonly { readonly operation: string; readonly key: string; readonly answer: object }[];
  /** The events of all calls, as they are stored. */
  readonly events: readonly { readonly kind: string; readonly changes: object }[];
}

export interface Conversation {
  readonly sessions: readonly Session[];
  /** The statements that gateways send besides, without their values. */
  readonly statements: readonly string[];
}

/** Notes what `talk` sends in a cloud of its own. */
async function recordSession(
  about: Pick<Session, 'mutation' | 'sentence'>,
  statements: Set<string>,
  talk: (db: Db) => Promise<void>,
): Promise<Session> {
  return inDatabase(async (database) => {
    const calls: Call[] = [];
    await talk(noting(database.db, calls));
    for (const statement of database.statements) if (!statement.includes('apply_write(')) statements.add(statement);
    return { ...about, calls, kept: await keptIn(database), events: await eventsIn(database) };
  });
}

/** Sends a mutation with a key through a gateway. */
async function send({ mutation, before, input, fields }: Mutation, db: Db): Promise<void> {
  const gateway = await startGateway({ db }, 'jit');
  try {
    const { write } = createWriter(gateway, { db });
    await before?.({ seed: createSeed(db), write });
    await write(mutation, { ...input, idempotencyKey: 'k' }, `${fields} event { id kind }`);
  } finally {
    await gateway.close();
  }
}

/** Writes of all kinds, also those of REST and of commands: each is tried, and refused or done, and nearly always each is done at least once. */
async function writeEverything(db: Db): Promise<void> {
  const roll = freshDice('conversation');
  const [tried, done] = [new Set<string>(), new Set<string>()];
  for (let count = 0; done.size < everyOperation.length && count < 1500; count++) {
    const { operation, done: isDone } = await writeAtRandom(db, roll);
    tried.add(operation);
    if (isDone) done.add(operation);
  }
  if (tried.size < everyOperation.length)
    throw new Error(`never tried: ${everyOperation.filter((operation) => !tried.has(operation)).join(', ')}`);
}

/** What gateways send for these mutations. */
export async function record(mutations: readonly Mutation[]): Promise<Conversation> {
  const statements = new Set<string>();
  const sessions: Session[] = [];
  for (const row of mutations)
    sessions.push(await recordSession({ mutation: row.mutation, sentence: row.sentence }, statements, (db) => send(row, db)));
  sessions.push(await recordSession({ mutation: 'any', sentence: 'writes of all kinds' }, statements, writeEverything));
  return { sessions, statements: [...statements].sort() };
}

/** Makes the calls of a session again, and returns what a gateway of its release would miss in the answers, by their place. */
export async function faultsOf(session: Session, prepare: (database: TestDatabase) => Promise<void> = async () => {}): Promise<string[]> {
  return inDatabase(async (database) => {
    await prepare(database);
    const faults: string[] = [];
    const answerTo = async (operation: string, request: object) => {
      const sql = database.db.writes;
      const [row] = await sql<{ answer: object }[]>`select apply_write(${operation}, ${JSON.stringify(request)}::text::jsonb) as answer`;
      return row?.answer ?? null;
    };
    for (const [place, call] of session.calls.entries()) {
      try {
        if ('names' in call)
          await database.db
            .writes`select ensure_consumer_names(${call.names[0]}::text[], ${call.names[1]}::text[], ${call.names[2]}::text[])`;
        else faults.push(...lacks(call.answer, await answerTo(call.operation, call.request), `call ${place} (${call.operation})`));
      } catch (error) {
        faults.push(`call ${place}: ${error instanceof Error ? error.message : error}`);
      }
    }
    const asked = JSON.stringify(session.calls.map((call) => ('names' in call ? call.names : call.request)));
    faults.push(...lacks(inOrder(session.events, asked), inOrder(await eventsIn(database), asked), 'the events'));
    const { differences } = await runAudit(database.db, () => {}).catch((error: unknown) => ({ differences: String(error) }));
    if (differences !== 0) faults.push(`the audit finds ${differences} differences`);
    const now = await keptIn(database);
    for (const { operation, key, answer } of session.kept) {
      const other = now.find((one) => one.operation === operation && one.key === key);
      const where = `what ${operation} keeps under ${key}`;
      faults.push(...(other ? lacks(readable(answer), readable(other.answer), where) : [`${where} is missing`]));
      // A gateway of that release knows only the forms that it stores itself.
      faults.push(...lacks(answer, other?.answer ?? null, `${where}, as it is stored`));
    }
    return faults;
  });
}

/** The statements of gateways that a database cannot even parse. */
export async function refusedStatements(
  statements: readonly string[],
  prepare: (database: TestDatabase) => Promise<void> = async () => {},
): Promise<string[]> {
  return inDatabase(async (database) => {
    await prepare(database);
    const refused: string[] = [];
    for (const [place, statement] of statements.entries()) {
      const error: unknown = await database.own
        .unsafe(`prepare s${place} as ${statement}`)
        .simple()
        .then(
          () => null,
          (cause: unknown) => cause,
        );
      if (error !== null) refused.push(`${error instanceof Error ? error.message : error}: ${statement}`);
    }
    return refused;
  });
}

function readable(answer: object): object {
  try {
    return readKept(answer);
  } catch (error) {
    return { unreadable: String(error) };
  }
}

/** Values that differ from one database to the next: ids, transactions and moments. */
const isOwnToDatabase = (key: string) => /(^id|Id|Ids|^at|At|xid|requestId)$/.test(key);
const isMoment = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(value);

/** What a reader of one value would miss in another: whatever it has must be there, of the same type and value. More does no harm. */
function lacks(known: unknown, now: unknown, where: string, key = ''): string[] {
  if (Array.isArray(known) && Array.isArray(now)) {
    if (known.length !== now.length) return [`${where} has ${now.length} elements, not ${known.length}`];
    return known.flatMap((value, place) => lacks(value, now[place], `${where}[${place}]`, key));
  }
  if (isObject(known) && isObject(now)) {
    return Object.entries(known).flatMap(([field, value]) =>
      field in now ? lacks(value, now[field], `${where}.${field}`, field) : [`${where}.${field} is missing`],
    );
  }
  if (typeof known !== typeof now || (known === null) !== (now === null))
    return [`${where} is ${JSON.stringify(now)}, not ${JSON.stringify(known)}`];
  return known === now || isOwnToDatabase(key) || (isMoment(known) && isMoment(now))
    ? []
    : [`${where} is ${JSON.stringify(now)}, not ${JSON.stringify(known)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

async function inDatabase<Result>(run: (database: TestDatabase) => Promise<Result>): Promise<Result> {
  const database = await createTestDatabase();
  try {
    return await run(database);
  } finally {
    await database.drop();
  }
}

async function keptIn({ own }: TestDatabase): Promise<Session['kept']> {
  return own<Session['kept'][number][]>`select operation, key, answer from idempotency_keys order by operation, key`;
}

/** Events by their subjects and content: without the uuids that the database made, which no request names. What later releases add beside them does not count. */
function inOrder(events: Session['events'], asked: string): unknown[] {
  return events
    .map((event) => {
      const settled = withoutMadeUuids(event, asked) as { kind: string; changes: { consumers?: object; providers?: object } };
      return { settled, key: JSON.stringify([settled.kind, settled.changes.consumers, settled.changes.providers, settled]) };
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ settled }) => settled);
}

/** With a number in place of each such uuid among the names of an object: their order is by what they stand for, since they themselves are random. */
function withoutMadeUuids(value: unknown, asked: string): unknown {
  const named = (text: string) =>
    text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uuid) => (asked.includes(uuid) ? uuid : 'made'));
  if (typeof value === 'string') return named(value);
  if (Array.isArray(value)) return value.map((element) => withoutMadeUuids(element, asked));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [named(name), withoutMadeUuids(inner, asked)] as const);
  const texts = new Map(entries.map((entry) => [entry, JSON.stringify(entry)]));
  const sorted = entries.toSorted((one, other) => ((texts.get(one) ?? '') < (texts.get(other) ?? '') ? -1 : 1));
  let made = 0;
  return Object.fromEntries(sorted.map(([name, inner]) => [name === 'made' ? `made ${made++}` : name, inner]));
}

async function eventsIn({ own }: TestDatabase): Promise<Session['events']> {
  return own<Session['events'][number][]>`select kind, changes from events order by id`;
}

/** The same database, whose calls of the write functions are noted. */
function noting(db: Db, calls: Call[]): Db {
  const writes = new Proxy(db.writes, {
    apply: async (target, self, args: [readonly string[], ...unknown[]]) => {
      const rows = (await Reflect.apply(target, self, args)) as { answer?: object }[];
      const [[text = ''], ...values] = args;
      if (text.includes('ensure_consumer_names')) calls.push({ names: values as unknown as Names });
      if (text.includes('apply_write('))
        calls.push({ operation: String(values[0]), request: requestIn(values[1]), answer: rows[0]?.answer ?? {} });
      return rows;
    },
  });
  return { ...db, sql: db.sql, orm: db.orm, writes };
}

/** A request is sent as text, or as a value that the driver makes one of. */
function requestIn(sent: unknown): object {
  return typeof sent === 'string' ? JSON.parse(sent) : (sent as { readonly value: object }).value;
}
