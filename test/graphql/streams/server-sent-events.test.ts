// Subscriptions as server-sent events: for scripts, with curl.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { portOf } from '../../support/listener.ts';
import { createSeed } from '../../support/seed.ts';

const database = useDatabase();
let server: RunningServer;
const start = (streamPing = 100) =>
  startServer({
    settings: readSettings({ PLACEMENT_PORT: '0' }).settings,
    db: database.db,
    log: createLogger({ level: 'error', write: () => {} }).log,
    streamPing,
  });
beforeAll(async () => {
  server = await start();
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 16 } });
});
afterAll(() => server.close());

const subscription = 'subscription { events { cursor reset omittedCount events { kind } } }';

function post(body: unknown, headers: Readonly<Record<string, string>> = {}, url = server.url, signal?: AbortSignal) {
  return fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** Collects the text of a stream as it comes; `ended` resolves when there is no more. */
function collect(response: Response): { text: string; readonly ended: Promise<void> } {
  const collected = { text: '', ended: Promise.resolve() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) collected.text += decoder.decode(piece as Uint8Array);
  };
  collected.ended = read().catch(() => {});
  return collected;
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

test('a stream sends events, and is kept alive', async () => {
  const abort = new AbortController();
  const response = await post({ query: subscription }, {}, server.url, abort.signal);
  expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream',
    'no-store',
  ]);
  const stream = collect(response);
  await eventually(() => expect(stream.text).toMatch(/^event: next\ndata: \{"data":\{"events":\{"cursor":"[\w-]+","reset":false/m));
  await createSeed(database.db).claim('a', { cn1: { VCPU: 1 } });
  await eventually(() => expect(stream.text).toContain('"kind":"REPLACE_ALLOCATIONS"'));
  await eventually(() => expect(stream.text).toMatch(/^:\n\n/m));
  abort.abort();
  await stream.ended;
});

test.each([
  ['no token', { query: subscription }, { 'x-auth-token': '' }, 401, 'UNAUTHENTICATED'],
  ['a query', { query: '{ serviceInfo { version } }' }, {}, 400, 'BAD_REQUEST'],
  ['an invalid document', { query: 'subscription { nothing }' }, {}, 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['bad arguments', { query: 'subscription { events(atMost: -1) { reset } }' }, {}, 400, 'BAD_USER_INPUT'],
  ['no text', { query: 1 }, {}, 400, 'BAD_REQUEST'],
  ['a list', [], {}, 400, 'BAD_REQUEST'],
  ['a request that accepts only JSON', { query: subscription }, { accept: 'application/json' }, 406, 'NOT_ACCEPTABLE'],
  ['a page of another origin', { query: subscription }, { origin: 'http://evil.example' }, 403, 'FORBIDDEN'],
])('%s is refused with a status and an error as in other answers', async (_, body, headers, status, code) => {
  const response = await post(body, headers);
  const { errors } = (await response.json()) as { errors: { extensions: { code: string; requestId: string } }[] };
  expect([response.status, errors[0]?.extensions.code]).toEqual([status, code]);
  expect(errors[0]?.extensions.requestId).toMatch(/^req-/);
});

test('a subscription as an ordinary request is refused, with the addresses that serve it', async () => {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query: subscription }),
  });
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text).toContain('WebSocket at GET /graphql');
  expect(text).toContain('POST /graphql/stream');
});

test('a stream ends when the gateway stops, without a `complete` event', async () => {
  const own = await start();
  const stream = collect(await post({ query: subscription }, {}, own.url));
  await eventually(() => expect(stream.text).toContain('event: next'));
  await own.close();
  await stream.ended;
  expect(stream.text).not.toContain('event: complete');
});

async function mapCursor(): Promise<string> {
  const map = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query: '{ cloudMap(resourceClasses: []) { cursor } }' }),
  });
  const { data } = (await map.json()) as { data: { cloudMap: { cursor: string } } };
  return data.cloudMap.cursor;
}

test('a stream answers at once, before there is anything to report', async () => {
  const own = await start(24 * 3600 * 1000);
  const abort = new AbortController();
  const query = `subscription { cloudMapChanges(after: "${await mapCursor()}", resourceClasses: []) { names } }`;
  const response = await post({ query }, {}, own.url, abort.signal);
  expect(response.status).toBe(200);
  abort.abort();
  await own.close();
});

test('a stream that has ended says so', async () => {
  const seed = createSeed(database.db);
  await seed.write('create_resource_class', { name: 'CUSTOM_GONE' });
  const query = `subscription { cloudMapChanges(after: "${await mapCursor()}", resourceClasses: ["CUSTOM_GONE"]) { reset names } }`;
  const stream = collect(await post({ query }));
  await seed.provider('cn2');
  await expect.poll(() => stream.text).toContain('"names":["cn2"]');
  await seed.write('delete_resource_class', { name: 'CUSTOM_GONE' });
  await stream.ended;
  expect(stream.text).toMatch(/"reset":true,"names":\[\]\}\}\}\n\nevent: complete\ndata:\n\n$/);
});

test('a stream whose client disconnected before it began ends', async () => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' } };
  const map = await fetch(`${server.url}/graphql`, { ...asked, body: '{"query":"{ cloudMap(resourceClasses: []) { cursor } }"}' });
  const { data } = (await map.json()) as { data: { cloudMap: { cursor: string } } };
  // There are no events to send.
  const query = `subscription { cloudMapChanges(after: "${data.cloudMap.cursor}", resourceClasses: []) { cursor } }`;
  const lines: { msg?: string }[] = [];
  const own = await startServer({
    settings: readSettings({ PLACEMENT_PORT: '0' }).settings,
    db: database.db,
    log: createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) }).log,
  });
  const body = JSON.stringify({ query });
  const head = ['Host: localhost', 'Content-Type: application/json', 'X-Auth-Token: admin', `Content-Length: ${body.length}`];
  // A stream begins only after a statement, so its client is gone by then.
  const client = connect(portOf(own), '127.0.0.1', () =>
    client.end(`POST /graphql/stream HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`),
  );
  client.resume();
  await eventually(() =>
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['a subscription begins', 'a subscription ends'])),
  );
  await own.close();
});
