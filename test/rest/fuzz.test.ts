// Examination. Whatever a client sends, the answer has the right form and is never a 500, and refused requests change no rows.
// FUZZ_REQUESTS is the number of requests; `npm run fuzz` sends a hundred thousand.
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statuses } from '../../tools/rest-statuses.ts';
import { brokenHttp } from '../support/broken-http.ts';
import { useDatabase } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { type Generations, pool, type RandomRequest, randomRequests, withCurrentGenerations } from '../support/random-requests.ts';
import { type RestAnswer, useRest } from '../support/rest.ts';
import { digestQuery } from '../support/row-digest.ts';
import { allowedOrigin, webFaultOf } from '../support/web-headers.ts';

const requests = Number(process.env.FUZZ_REQUESTS ?? 2000);
/** The number of requests that are sent as raw bytes to a socket of their own. */
const broken = Math.ceil(requests / 10);
/** Milliseconds: far more than any answer takes. */
const answerDeadline = 20_000;

const database = useDatabase();
const rest = useRest(database, { PLACEMENT_CORS_ALLOWED_ORIGIN: allowedOrigin });

interface State extends Generations {
  /** A digest that changes with any row. */
  readonly digest: string;
}

let stateQuery = '';

async function readState(): Promise<State> {
  const [row] =
    await database.own.unsafe<{ digest: string; providers: Record<string, number>; consumers: Record<string, number> }[]>(stateQuery);
  if (!row) throw new Error('no state');
  return { digest: row.digest, providers: new Map(Object.entries(row.providers)), consumers: new Map(Object.entries(row.consumers)) };
}

beforeAll(async () => {
  const generations = (table: string, name: string) =>
    `(select coalesce(jsonb_object_agg(uuid, generation), '{}') from ${table}) as ${name}`;
  stateQuery = await digestQuery(database.own, [generations('resource_providers', 'providers'), generations('consumers', 'consumers')]);
});
afterAll(() => expect(rest.bugs).toEqual([]));

/** Restores two trees of three providers with room, as far as possible, because random requests delete more than they create. */
async function furnish(): Promise<void> {
  for (const [index, uuid] of pool.uuids.slice(0, 6).entries()) {
    const parent = index % 3 === 0 ? null : pool.uuids[index - (index % 3)];
    await rest.ask('POST /resource_providers', { body: { name: `seed${index}`, uuid, parent_provider_uuid: parent } });
    const { providers } = await readState();
    const inventories = Object.fromEntries(['VCPU', 'MEMORY_MB', 'DISK_GB'].map((name) => [name, { total: 1000 }]));
    const body = { resource_provider_generation: providers.get(uuid) ?? 0, inventories };
    await rest.ask(`PUT /resource_providers/${uuid}/inventories`, { body });
  }
}

/** The result of a promise; throws if it takes longer than a client waits. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer came')), answerDeadline);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const insides = /\b(relation "|sqlstate|pg_\w+|drizzle|failed query|node_modules|apply_write|ECONN\w+)|\.ts:\d|\bat \w+ \(/i;

/** Refusals that any operation may return. */
const ofAnyOperation: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 413, 415, 421, 431]);

/** The fault of an answer, whatever the request; null if there is none. */
function faultOf({ method, route }: RandomRequest, { status, headers, text }: RestAnswer): string | null {
  const type = headers['content-type'];
  const id = headers['x-openstack-request-id'];
  if (status >= 500 || status < 200) return `status ${status}`;
  if (!id) return 'no request id';
  const told = statuses[`${route.method} ${route.path}`];
  const isTold = told && (status in told.success || status in told.refusals || ofAnyOperation.has(status));
  if (method === route.method && !isTold) return `status ${status}, which the reference does not tell of`;
  if (insides.test(text)) return `insides: ${insides.exec(text)?.[0]}`;
  if (status === 204) return text === '' ? null : 'a body where there is none';
  if (method === 'HEAD') return text === '' ? null : 'a body to HEAD';
  if (status < 300) return type === undefined || type === 'application/json' ? null : `type ${type}`;
  if (status === 405 && !headers.allow) return '405 without allow';
  if (type === 'text/html; charset=UTF-8') return text.startsWith('<html>') ? null : 'no HTML';
  if (type === 'text/plain; charset=UTF-8') return text.startsWith(`${status} `) ? null : 'no text';
  return type === 'application/json' ? faultOfError(JSON.parse(text), status, String(id)) : `type ${type}`;
}

function faultOfError(document: unknown, status: number, id: string): string | null {
  if (status === 401) return 'message' in Object(document) ? null : 'not the document of a 401';
  const [error] = (document as { errors?: Record<string, unknown>[] }).errors ?? [];
  if (error?.status !== status || error.request_id !== id) return 'status or request id are others in the body';
  return typeof error.title === 'string' && typeof error.detail === 'string' ? null : 'no title or detail';
}

test(
  'every answer has the right form and is in time, and a refused request changes no row',
  async () => {
    const done = new Map<string, number>();
    const encoded = { br: 0, gzip: 0 };
    let [sent, refused, stateIsOld] = [0, 0, true];
    let state = await readState();
    await fc.assert(
      fc.asyncProperty(randomRequests, async (request) => {
        if (sent++ % 200 === 0) await furnish();
        if (stateIsOld || sent % 200 === 1) state = await readState();
        const { method, path, headers, version, route } = request;
        const body = withCurrentGenerations(request, state);
        const answer = await inTime(rest.ask(`${method} ${path}`, { version: `1.${version}`, headers, body }));
        expect(faultOf(request, answer) ?? webFaultOf(headers, answer), answer.text.slice(0, 500)).toBeNull();
        const encoding = answer.headers['content-encoding'];
        if (encoding === 'br' || encoding === 'gzip') encoded[encoding]++;
        const isWrite = answer.status < 300 && /^(PUT|POST|DELETE)$/.test(method);
        if (answer.status < 300) done.set(`${route.method} ${route.path}`, (done.get(`${route.method} ${route.path}`) ?? 0) + 1);
        else refused++;
        stateIsOld = isWrite;
        if (!isWrite && method !== 'GET') expect((await readState()).digest).toBe(state.digest);
      }),
      { numRuns: requests, endOnFailure: true },
    );
    // Otherwise the test would not reach the routes behind the first checks.
    const share = refused / requests;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.9);
    expect(Math.min(encoded.br, encoded.gzip)).toBeGreaterThan(0);
    if (process.env.FUZZ_REPORT)
      process.stdout.write(`${JSON.stringify({ requests, refused, done: Object.fromEntries(done) }, null, 1)}\n`);
    await expectSoundLedger(database.db);
  },
  Math.max(400_000, requests * 60),
);

/** Everything that the server sends in response to these bytes, until it closes the connection. */
async function say(bytes: string): Promise<string> {
  const { hostname, port } = new URL(rest.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may close the connection before it has read everything.
  socket.on('error', () => {});
  socket.end(bytes, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

test(
  'malformed HTTP is answered, changes no row, and leaves no connection open',
  async () => {
    const before = await readState();
    await fc.assert(
      fc.asyncProperty(brokenHttp, async (bytes) => {
        const said = await inTime(say(bytes));
        const statuses = [...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        expect(statuses.length, bytes.slice(0, 300)).toBeGreaterThan(0);
      }),
      { numRuns: broken, endOnFailure: true },
    );
    expect((await readState()).digest).toBe(before.digest);
  },
  Math.max(400_000, broken * 60),
);
