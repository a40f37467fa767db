// Common to all requests: how they are read, headers of all answers, logs, health checks, and shutdown.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/sql/client.ts';
import { startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import {
  ask,
  call,
  database,
  jsonHeaders,
  lines,
  log,
  portOf,
  refusal,
  schema,
  send,
  sendBytes,
  server,
  slow,
  start,
  useListener,
} from '../support/listener.ts';

useListener();

describe('a request', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'message/rfc822',
    'application/graphql',
  ])('of type %s is refused', async (type) => {
    expect(refusal(await send('{"query":"{ hello }"}', { 'content-type': type }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('without a type is refused', async () => {
    const answer = await call({ headers: { 'x-auth-token': 'admin' }, body: '{"query":"{ hello }"}' });
    expect(refusal(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each([
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br, gzip' },
    { 'content-encoding': 'nonsense' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json; charset="utf-7"' },
  ])('with %j is refused', async (headers) => {
    expect(refusal(await send('{"query":"{ hello }"}', headers))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('in UTF-8 is read, named or not', async () => {
    const body = JSON.stringify({ query: '{ hello(name: "Ünï") }' });
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
      expect((await send(body, { 'content-type': type })).json.data).toEqual({ hello: 'hello Ünï' });
    }
  });

  test.each([
    ['cut short', '{"query":"{ hello'],
    ['followed by more', '{"query":"{ hello }"} x'],
    ['two documents', '{"query":"{ hello }"}{"query":"{ hello }"}'],
    ['empty', ''],
    ['an empty object', '{}'],
    ['a number', '5'],
    ['null', 'null'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0x71, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a prototype', '{"query":"{ hello }","variables":{"__proto__":{"polluted":1}}}'],
    ['a query that is no text', '{"query":{"kind":"Document"}}'],
    ['variables that are no object', '{"query":"{ hello }","variables":[1]}'],
    ['variables that are text', '{"query":"{ hello }","variables":"{}"}'],
    ['extensions that are no object', '{"query":"{ hello }","extensions":5}'],
    ['no query', '{"operationName":"a"}'],
  ])('whose body is %s is refused', async (_, body) => {
    expect(refusal(await send(body))).toEqual([400, 'BAD_REQUEST']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each(['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{}}}'])(
    'with the variables %s is told why not',
    async (variables) => {
      const { json } = await send(`{"query":"{ hello }","variables":${variables}}`);
      expect(json.errors?.[0]?.message).toMatch(/^The body contains the key __proto__/);
    },
  );

  test('with a syntax error is refused', async () => {
    expect(refusal(await ask('qwerty cop { abc }'))).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
  });

  test.each([
    ['ten operations', JSON.stringify(Array.from({ length: 10 }, () => ({ query: '{ hello }' })))],
    ['ten thousand empty objects', JSON.stringify(Array.from({ length: 10_000 }, () => ({})))],
    ['a hundred thousand arrays in each other', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['nothing', '[]'],
  ])('with a list of %s is refused', async (_, body) => {
    expect(refusal(await send(body))).toEqual([400, 'BATCH_DISABLED']);
  });

  test('with deeply nested variables is refused', async () => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    const answer = await send(`{"query":"query ($n: Int!) { twice(n: $n) }","variables":{"n":${nested}}}`);
    expect(refusal(answer)).toEqual([400, 'TOO_COMPLEX']);
  });

  test('of more than 4 MiB is refused, with or without a content-length', async () => {
    const padded = (length: number) => `{"query":"{ hello }"}${' '.repeat(length - 21)}`;
    const limit = 4 * 1024 * 1024;
    expect((await send(padded(limit))).status).toBe(200);
    expect(refusal(await send(padded(limit + 1), { connection: 'close' }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const chunked = { 'transfer-encoding': 'chunked', connection: 'close' };
    expect(refusal(await send(padded(limit + 1), chunked))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('with %s runs nothing', async (method) => {
    const answer = await call({ method, path: '/graphql?query=mutation%20%7B%20claim%20%7D', headers: jsonHeaders });
    expect(refusal(answer)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    expect(lines).toEqual([]);
  });

  test('to open a WebSocket with a protocol other than that of subscriptions is refused', async () => {
    const said = await sendBytes(
      'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      { port: portOf(server) },
    );
    expect(said).toMatch(/^HTTP\/1.1 400 /);
  });

  test('that offers to upgrade to another protocol, as some clients always do, is answered in HTTP/1.1', async () => {
    const body = '{"query":"{ hello }"}';
    const offer =
      'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nX-Auth-Token: admin\r\n';
    const posted = `POST /graphql HTTP/1.1\r\n${offer}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await sendBytes(posted, { port: portOf(server) })).toMatch(/^HTTP\/1\.1 200 .*\{"data":\{"hello":"hello world"\}\}/s);
    expect(await sendBytes(`GET /placement/ HTTP/1.1\r\n${offer}\r\n`, { port: portOf(server) })).toMatch(/^HTTP\/1\.1 200 .*max_version/s);
  });

  test('from another origin gets no CORS headers', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-auth-token' };
      const answer = await call({ method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('to an unknown address gets a JSON 404', async () => {
    const { status, json } = await call({ method: 'GET', path: '/nothing/here' });
    expect([status, json.errors]).toMatchObject([404, [{ status: 404, title: 'Not Found', request_id: expect.any(String) }]]);
  });

  test.each(['a b', 'a:b:c', '%', '[', 'a/b'])('with the Host %j never ends in a 500', async (host) => {
    expect((await ask('{ hello }', {}, { host })).status).toBeLessThan(500);
  });

  test('with a malformed path is refused', async () => {
    expect(refusal(await call({ method: 'GET', path: '/%E0%A4%A' }))).toEqual([400, 'BAD_REQUEST']);
  });

  test.each([
    'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /graphql HTTP/1.1\r\nHost: a\r\nX-Auth-Token: admin\r\n more\r\nContent-Length: 0\r\n\r\n',
    'POST /graphql HTTP/1.1\nHost: a\nContent-Length: 0\n\n',
  ])('that could be read in two ways is refused and hung up on: %j', async (bytes) => {
    expect(await sendBytes(bytes, { port: portOf(server) })).toMatch(/^HTTP\/1.1 400 /);
  });

  test('for a tunnel is refused, and its connection is closed', async () => {
    const said = await sendBytes('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', { port: portOf(server) });
    expect(said).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/);
    expect(said).toContain('METHOD_NOT_ALLOWED');
  });

  test('with 60 KiB in the URL and headers is answered, and every answer has nosniff and a same-site policy', async () => {
    const answer = await call({ method: 'GET', path: `/healthz?${'x'.repeat(30_000)}`, headers: { more: 'x'.repeat(30_000) } });
    expect(answer.status).toBe(200);
    for (const path of ['/healthz', '/graphql', '/placement/', '/placement/traits', '/nothing']) {
      expect((await call({ method: 'GET', path })).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  test('with a hundred kilobytes of headers is refused', async () => {
    const headers = Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1`).join('\r\n');
    expect(await sendBytes(`GET /healthz HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`, { port: portOf(server) })).toMatch(
      /^HTTP\/1.1 431 [\s\S]*at most 65536 bytes/,
    );
  });

  test('that arrives too slowly is abandoned', async () => {
    const impatient = await start({ headers: 100, request: 200 });
    try {
      const head = 'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';
      expect(await sendBytes(head, { port: portOf(impatient) })).toMatch(/^HTTP\/1.1 408 /);
      expect(await sendBytes(`${head}\r\n{`, { port: portOf(impatient) })).toMatch(/^HTTP\/1.1 408 /);
    } finally {
      await impatient.close();
    }
  });
});

describe('an answer', () => {
  const requestId = /^req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test('always carries a request id of the gateway', async () => {
    const given = 'req-11111111-1111-4111-8111-111111111111';
    const ids = [
      await ask('{ hello }', {}, { 'x-openstack-request-id': given }),
      await call({ method: 'GET', path: '/nothing' }),
      await call({ method: 'GET', path: '/healthz' }),
      await send('{'),
    ].map(({ headers }) => headers['x-openstack-request-id']);
    for (const id of ids) expect(id).toMatch(requestId);
    expect(new Set([...ids, given]).size).toBe(5);
  });

  test('to a request that fails on a bug contains no SQL, and the log has the error under the request id', async () => {
    const answer = await ask('{ sql hello }');
    expect(refusal(answer)).toEqual([200, 'INTERNAL_SERVER_ERROR']);
    expect(answer.json.data).toEqual({ sql: null, hello: 'hello world' });
    expect(answer.text).not.toMatch(/secret|select|stack|postgres/i);
    const [bug] = lines.filter(({ level }) => level === 'error');
    expect(bug).toMatchObject({
      requestId: answer.headers['x-openstack-request-id'],
      err: { message: expect.stringContaining('secret_table') },
    });
  });

  test('does not reveal the server software', async () => {
    const { json } = await call({
      path: '/graphql?debug=1',
      headers: { ...jsonHeaders, 'x-apollo-tracing': '1', 'apollo-federation-include-trace': 'ftv1' },
      body: '{"query":"{ hello }"}',
    });
    expect(json).toEqual({ data: { hello: 'hello world' } });
  });
});

describe('the log', () => {
  test('has one line for each operation, with both request ids', async () => {
    const given = 'req-11111111-1111-4111-8111-111111111111';
    const { headers } = await ask('query Greeting { hello }', {}, { 'x-openstack-request-id': given, 'x-auth-token': 'admin:blue' });
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: headers['x-openstack-request-id'],
        globalRequestId: given,
        surface: 'graphql',
        operation: 'hello',
        kind: 'query',
        name: 'Greeting',
        ms: expect.any(Number),
        statements: 0,
        rows: 0,
        user: 'admin',
        project: 'blue',
        msg: 'operation',
      },
    ]);
  });

  test('has the codes of errors', async () => {
    await ask('{ nothing }');
    expect(lines).toMatchObject([{ errors: ['GRAPHQL_VALIDATION_FAILED'], code: 'GRAPHQL_VALIDATION_FAILED' }]);
  });

  test('ignores request ids of another form', async () => {
    await ask('{ hello }', {}, { 'x-openstack-request-id': 'req-1; DROP' });
    expect(lines[0]).not.toHaveProperty('globalRequestId');
  });

  test("has one line for each event, whatever the caller's name contains", async () => {
    const raw: string[] = [];
    const { log: rawLog } = createLogger({ level: 'info', write: (line) => raw.push(line) });
    rawLog.info({ user: 'a\nb\u001b[2J"}' }, 'x');
    expect(raw.join('').trimEnd().split('\n')).toHaveLength(1);
    expect(raw[0]).not.toContain('\u001b');
    const forTerminal: string[] = [];
    createLogger({ level: 'info', forTerminal: true, write: (line) => forTerminal.push(line) }).log.info({ user: 'a\nb\u001b[2J' }, 'x');
    expect(forTerminal.join('')).toMatch(/^\d\d:\d\d:\d\d info {2}x user=a\uFFFDb\uFFFD\[2J\n$/);
  });
});

describe('health', () => {
  test('is reported without a token', async () => {
    expect((await call({ method: 'GET', path: '/healthz' })).json).toEqual({ status: 'ok' });
    const ready = await call({ method: 'GET', path: '/readyz' });
    expect([ready.status, ready.json]).toEqual([200, { status: 'ready' }]);
  });

  test('is alive but not ready while the database is unavailable', async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0' });
    const vacant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => vacant.once('listening', resolve));
    const { port } = vacant.address() as AddressInfo;
    await new Promise((resolve) => vacant.close(resolve));
    const db = openDatabase({ url: `postgres://nobody:hunter2@127.0.0.1:${port}/nothing` });
    const lonely = await startServer({ settings, db, log, schema });
    try {
      const ready = await call({ method: 'GET', path: '/readyz' }, lonely.url);
      expect([ready.status, ready.json.status]).toEqual([503, 'not ready']);
      expect((await call({ method: 'GET', path: '/healthz' }, lonely.url)).status).toBe(200);
      const answer = await call({ headers: jsonHeaders, body: '{"query":"{ sql }"}' }, lonely.url);
      expect(refusal(answer)).toEqual([200, 'UNAVAILABLE']);
      const rest = await call(
        { method: 'GET', path: '/placement/traits', headers: { ...jsonHeaders, 'openstack-api-version': 'placement 1.39' } },
        lonely.url,
      );
      expect([ready, rest].map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
        [503, '1'],
        [503, '1'],
      ]);
      expect(answer.text).not.toMatch(/hunter2|127\.0\.0\.1|ECONN/);
    } finally {
      await lonely.close();
      await db.close();
    }
  });
});

describe('the listener', () => {
  test('answers requests in progress before it closes, and accepts no new ones', async () => {
    const closing = await start();
    const answer = call({ headers: jsonHeaders, body: '{"query":"{ slow }"}' }, closing.url);
    await expect.poll(() => slow.length).toBe(1);
    const closed = closing.close();
    slow.pop()?.();
    expect((await answer).json.data).toEqual({ slow: 'done' });
    await closed;
    await expect(sendBytes('', { port: portOf(closing) })).rejects.toThrow('ECONNREFUSED');
  });

  test('reports that its port is in use', async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: String(portOf(server)) });
    await expect(startServer({ settings, db: database.db, log, schema })).rejects.toThrow('EADDRINUSE');
  });
});
