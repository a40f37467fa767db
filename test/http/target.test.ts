// Examination. A request target has one meaning: access rules, router, audit log and log agree on the path, or the request is refused. Over raw sockets.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTarget } from '../../src/http/target.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { freshSeed } from '../support/dice.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone } from '../support/fake-keystone.ts';
import { sendBytes, useListener } from '../support/listener.ts';

useListener();

describe('a target', () => {
  test.each([
    ['/placement/traits?name=in:A', '/placement/traits', 'name=in:A'],
    ['/graphql/', '/graphql/', ''],
    ['/graphql?a=b?c', '/graphql', 'a=b?c'],
    ['/%67raphql', '/graphql', ''],
    ['/projects/gr%C3%BCn%20(1)', '/projects/grün (1)', ''],
    ['/', '/', ''],
  ])('%s has one meaning', (url, path, search) => {
    expect(readTarget(url)).toEqual({ path, search, isClear: true });
  });

  test.each([
    ...['', '*', 'placement', 'http://localhost/graphql', 'localhost:8778', '//graphql', '/placement//traits', '/graphql//'],
    ...['/graphql#', '/graphql?a=b#c', '/graphql%23/usages', '/graphql;/usages', '/graphql%3B', '/graphql\\usages', '/graphql%5cusages'],
    ...['/a/..', '/a/../graphql', '/./graphql', '/%2e%2e/graphql', '/a/.%2E/graphql', '/placement%2Ftraits', '/graphql%3fquery=1'],
    ...['/a%252Fb', '/a%00', '/a%0ab', '/a%', '/a%zz', '/a%ff', '/a%c0%af', '/gr\xfcn', '/a b', '/{a}', '/a|b'],
  ])('%s is ambiguous', (url) => {
    expect(readTarget(url).isClear).toBe(false);
  });

  test('that is refused is known by what was sent before its query and its fragment', () => {
    expect(readTarget('/graphql#/usages?token=1').path).toBe('/graphql');
    expect(readTarget('//graphql?token=1#a').path).toBe('//graphql');
  });
});

const database = useDatabase();
const directory = mkdtempSync(join(tmpdir(), 'placement-target-'));
const auditLog = join(directory, 'audit.log');
const lines: Record<string, unknown>[] = [];
let server: RunningServer;
let keystone: FakeKeystone;
beforeAll(async () => {
  keystone = await startFakeKeystone();
  const environment = {
    PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0',
    PLACEMENT_AUDIT_LOG: auditLog,
    PLACEMENT_LOG_OPERATIONS: '1',
  };
  const { settings } = readSettings(settingsFor(keystone, environment));
  const { log } = createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
  server = await startServer({ settings, db: database.db, log });
});
afterAll(async () => {
  await server.close();
  await keystone.close();
  rmSync(directory, { recursive: true });
});

const roles = [
  { id: '1', name: 'admin' },
  { id: '2', name: 'service' },
];
/** A token, limited to one path if one is given. */
function allow(token: string, method: string, path: string | null): void {
  const credential = { id: 'c', restricted: true, access_rules: [{ id: 'r', service: 'placement', method, path }] };
  keystone.tokens.set(token, { roles, ...(path !== null && { application_credential: credential }) });
}

interface Said {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
}

async function send(token: string, method: string, target: string, body: string): Promise<Said> {
  const headers = [
    `X-Auth-Token: ${token}`,
    'Host: localhost',
    'Connection: close',
    'OpenStack-API-Version: placement 1.39',
    ...(method === 'GET' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  const text = await sendBytes(`${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${method === 'GET' ? '' : body}`, {
    port: Number(new URL(server.url).port),
  });
  const [, status = '0'] = /^HTTP\/1.1 (\d+)/.exec(text) ?? [];
  const [, requestId = ''] = /x-openstack-request-id: (\S+)/i.exec(text) ?? [];
  return { status: Number(status), requestId, text };
}

const asked = '{"query":"{ traits(first: 1) { nodes { name } } }"}';
const inQuery = 'query=%7B%20traits(first:1)%20%7B%20nodes%20%7B%20name%20%7D%20%7D%20%7D';

test.each([
  [
    'POST',
    '/**/allocations',
    '/graphql#/allocations',
    '{"query":"mutation { createResourceProvider(input: { name: \\"x\\" }) { __typename } }"}',
  ],
  ['GET', '/**/usages', `/graphql#/usages?${inQuery}`, ''],
  ['GET', '/**/usages', '/metrics#/usages', ''],
  ['GET', '/**/usages', `/graphql?${inQuery}#/usages`, ''],
  ['GET', '/**/usages', '/placement/traits;/usages', ''],
  ['GET', '/**/traits', '/placement/usages%2f..%2ftraits', ''],
])('an application credential for %s %s cannot send %s', async (method, rule, target, body) => {
  allow('bound', method, rule);
  const { status, text } = await send('bound', method, target, body);
  expect([status, text]).toEqual([400, expect.stringContaining('could be read in several ways')]);
});

test('an ambiguous target below /placement is refused in the form of REST', async () => {
  allow('free', 'GET', null);
  const { text } = await send('free', 'GET', '/placement//traits', '');
  expect(text).toMatch(/^HTTP\/1.1 400 .*"errors":\[\{"status":400,"title":"Bad Request".*"request_id":"req-/s);
});

const part = fc.constantFrom(
  ...['/placement', '/traits', '/traits/CUSTOM_A', '/usages', '/allocations', '/resource_providers', '/graphql', '/metrics', '/reshaper'],
  ...['/placement/traits', '/placement/traits/CUSTOM_B', '/placement/resource_classes/CUSTOM_C', '/schema.graphql', '/Graphql', '/healthz'],
);
const mark = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '#',
    ';',
    '\\',
    '?',
    '/',
    '//',
    '/..',
    '/.',
    '*',
    '@',
    '&',
    '%23',
    '%3B',
    '%5c',
    '%3f',
    '%2F',
    '%2f%2f',
    '/%2e%2e',
    '/%2E',
  ],
  ...['%25', '%2523', '%00', '%0d%0a', '%67', '%C3%BC', '%ff', '%c0%af', '%', '\x7f', '\xff', '/../..', '/.%2e/', ':80', '%20', '+', '%2b'],
);
const targets = fc
  .tuple(
    fc.constantFrom('', '', '', '', 'http://localhost', 'HTTP://evil.example:80', '//evil.example', '*', 'localhost:443'),
    fc.array(fc.tuple(part, mark), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', `?${inQuery}`, `?${inQuery}#/usages`, '?', ';a=b'),
  )
  .map(([before, parts, after]) => before + parts.flat().join('') + after);
/** Few of those are unambiguous: these always are, and are sent as they are. */
const written = fc
  .tuple(
    fc.constantFrom('/placement/traits/CUSTOM_B', '/placement/resource_classes/CUSTOM_C', '/traits/CUSTOM_D'),
    fc.constantFrom('', '%67', '%C3%BC', '%20', ':80', '+'),
  )
  .map((parts) => parts.join(''));
/** And these reach the surfaces that have no log of paths. */
const unlogged = [
  ...['GET /metrics', 'GET /%6detrics', 'GET /metrics/openstack', 'GET /schema%2egraphql', 'POST /graphql/', 'POST /graph%71l'],
  `GET /graphql?${inQuery}`,
].map((line) => line.split(' ') as [string, string]);
const method = fc.constantFrom('GET', 'POST', 'PUT');
const requests = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(method, targets) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('PUT'), written) },
  { weight: 1, arbitrary: fc.constantFrom(...unlogged) },
);

const parts = {
  graphql: /^\/graphql\/?$/,
  metrics: /^\/metrics$/,
  cloud: /^\/metrics\/openstack$/,
  schema: /^\/schema\.graphql$/,
} as const;
type Part = keyof typeof parts;

/** Which part of the gateway, besides REST, gave an answer; null if it gave no data. */
function partOf({ status, text, requestId }: Said): Part | null {
  if (lines.some((line) => line.requestId === requestId && line.surface === 'graphql')) return 'graphql';
  if (status !== 200) return null;
  if (text.includes('\n# TYPE openstack_placement_')) return 'cloud';
  if (text.includes('\n# TYPE placement_')) return 'metrics';
  return text.includes('\ntype Query ') ? 'schema' : null;
}

test('for random targets, the path that is allowed, served, logged and audited is the same', async () => {
  const answered = new Set<Part>();
  const served: { readonly what: string; readonly path: string; readonly requestId: string }[] = [];
  let refused = 0;
  for (const [method, target] of [...unlogged, ...fc.sample(requests, { seed: freshSeed('targets'), numRuns: 500 })]) {
    const what = `${method} ${JSON.stringify(target)}`;
    // Rules that allow no existing path report which path they saw.
    allow('bound', method, '/nowhere');
    lines.length = 0;
    const bound = await send('bound', method, target, asked);
    const line = lines.map(({ msg }) => String(msg)).find((msg) => msg.startsWith('the access rules of an application credential'));
    if (line === undefined) {
      // The caller was not authenticated: the path is public, or refused.
      expect(bound.status, what).not.toBe(503);
      if (bound.status < 400) expect(target, what).toMatch(/^\/((healthz|placement)\/?)?(\?|$)/);
      refused += 1;
      continue;
    }
    const path = line.slice(line.indexOf(`${method} `) + method.length + 1);
    // Who asks nothing is told so, whoever it is.
    const status = method === 'GET' && parts.graphql.test(path) && !target.includes(inQuery) ? 400 : 401;
    expect([bound.status, decodeURIComponent(target.split('?', 1)[0] ?? '')], what).toEqual([status, path]);
    // A rule for exactly this path allows what a token without rules may do.
    allow('free', method, null);
    allow('exact', method, path);
    const free = await send('free', method, target, asked);
    const exact = await send('exact', method, target, asked);
    expect(exact.status === 401, what).toBe(false);
    for (const said of [free, exact]) {
      const { requestId } = said;
      served.push({ what, path, requestId });
      const part = partOf(said);
      if (part) {
        answered.add(part);
        expect(path, what).toMatch(parts[part]);
      }
      const logged = lines.find((one) => one.requestId === requestId && one.surface === 'rest');
      if (!logged) continue;
      expect(String(logged.path).split('?', 1)[0], what).toBe(path);
      const [, route = ''] = String(logged.operation).split(' ');
      const pattern = new RegExp(`^(?:/placement)?${route.replace(/\{\w+\}/g, '[^/]+')}/?$`);
      if (logged.operation !== 'none') expect(path, what).toMatch(pattern);
    }
  }
  expect(refused).toBeGreaterThan(0);
  expect(served.length).toBeGreaterThan(0);
  expect([...answered].toSorted()).toEqual(Object.keys(parts).toSorted());
  // Lines reach the file later than answers, in the same order.
  const { requestId: last } = await send('free', 'PUT', '/placement/traits/CUSTOM_LAST', asked);
  await expect.poll(() => readFileSync(auditLog, 'utf8'), { timeout: 30_000 }).toMatch(new RegExp(`${last}.*\\n`));
  const audited = readFileSync(auditLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { requestId: string; request: string | null });
  const pathOf = new Map(audited.map(({ requestId, request }) => [requestId, request?.slice(request.indexOf(' ') + 1)]));
  const known = served.filter(({ requestId }) => pathOf.has(requestId));
  expect(known.length).toBeGreaterThan(0);
  for (const { what, path, requestId } of known) expect(pathOf.get(requestId), what).toBe(path);
});
