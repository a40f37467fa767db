// The metrics as Prometheus gets them: what is in them, who may read them, and that no caller can put words into them. What deploy/ holds knows only metrics
// that there are.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { beginLimitRound } from '../../src/db/quotas.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { ageEvents } from '../support/chunks.ts';
import { createTestDatabase, useDatabase } from '../support/database.ts';
import { sendBytes } from '../support/listener.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'silent' });
const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };

const start = (environment: Record<string, string> = {}) =>
  startServer({
    settings: { ...readSettings({ PLACEMENT_PORT: '0', ...environment }).settings, keystoneLimitsEndpointId: 'e1' },
    db: database.db,
    log,
  });
const read = async (server: RunningServer, path = '/metrics') => (await fetch(`${server.url}${path}`, { headers })).text();
const ask = (server: RunningServer, body: object) =>
  fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });

/** The values of a metric by its labels. */
function valuesOf(text: string, name: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(lines.map((line) => [/\{(.*)\}/.exec(line)?.[1] ?? '', Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

let server: RunningServer;
beforeAll(async () => {
  server = await start();
  await createSeed(database.db).provider('cn"1', {
    inventories: { VCPU: { total: 8, reserved: 1, allocationRatio: 1.2 }, MEMORY_MB: 1024 },
  });
  await createSeed(database.db).claim('c', { 'cn"1': { VCPU: 3 } });
  await database.own.unsafe(`insert into bridge (url, mode) values ('http://placement.example', 'ended')`);
  await beginLimitRound(database.db);
});
afterAll(() => server.close());

test('operations are counted and timed by API, operation, status and code', async () => {
  const before = await read(server);
  await fetch(`${server.url}/placement/traits/NO_SUCH`, { headers });
  await ask(server, { query: '{ resourceProviders(first: 1) { nodes { name } } }' });
  await ask(server, { query: 'mutation { deleteTrait(input: { name: "CUSTOM_NONE" }) { userErrors { code } } }' });
  const after = await read(server);
  const grown = (name: string, labels: string) => (valuesOf(after, name).get(labels) ?? 0) - (valuesOf(before, name).get(labels) ?? 0);
  expect(grown('placement_operation_seconds_count', 'surface="rest",operation="GET /traits/{name}"')).toBe(1);
  expect(grown('placement_operation_seconds_count', 'surface="graphql",operation="resourceProviders"')).toBe(1);
  expect(grown('placement_refusals_total', 'surface="graphql",code="NOT_FOUND"')).toBe(1);
  expect(grown('placement_answers_total', 'surface="rest",status="404"')).toBe(1);
  expect(grown('placement_statement_seconds_count', 'pool="reads"')).toBeGreaterThan(0);
  expect(grown('placement_statement_rows_total', 'pool="reads"')).toBeGreaterThan(0);
});

test('no label contains what callers send', async () => {
  const word = 'sesame';
  await fetch(`${server.url}/placement/${word}`, { headers });
  await fetch(`${server.url}/${word}`, { headers });
  await fetch(`${server.url}/placement/traits/CUSTOM_${word}`, { headers, method: 'PUT' });
  await ask(server, {
    query: `query ${word} { ${word}: __typename ...${word}Fields } fragment ${word}Fields on Query { serviceInfo { version } }`,
  });
  await ask(server, { query: `{ ${word} }` });
  await ask(server, { query: `{ ${word}: serviceInfo { version } }`, operationName: word });
  expect(await read(server)).not.toContain(word);
});

test('the process, the forest, connections, queues and the database have metrics', async () => {
  await ask(server, {
    query: '{ allocationCandidates(input: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) { truncated } }',
  });
  const text = await read(server);
  const value = (name: string, labels = '') => valuesOf(text, name).get(labels);
  expect(value('placement_workers')).toBe(1);
  expect(value('placement_database_up', 'embedded="true"')).toBe(1);
  expect(value('placement_bridge_mode', 'mode="ended"')).toBe(1);
  expect(value('placement_keystone_limits_age_seconds')).toBeLessThan(60);
  expect(value('placement_forest_providers')).toBe(1);
  expect(value('placement_forest_age_seconds')).toBeLessThan(60);
  expect(value('placement_memory_bytes', 'kind="resident"')).toBeGreaterThan(1e7);
  expect(value('placement_waiting', 'kind="claims"')).toBe(0);
  expect(value('placement_event_partitions')).toBeGreaterThan(0);
  expect(value('placement_events_overdue_seconds')).toBe(0);
  expect(value('placement_database_bytes')).toBeGreaterThan(1e6);
  expect(value('placement_wal_bytes')).toBeGreaterThan(1e6);
  expect([value('placement_replicas'), value('placement_replicas_in_use'), value('placement_disk_full')]).toEqual([0, 0, 0]);
  expect(value('placement_feed_changes')).toBeGreaterThan(0);
  expect(value('placement_database_connections', 'pool="reads",state="free"')).toBeGreaterThan(0);
});

test('the cloud has metrics with the names and values of openstack-exporter', async () => {
  const text = await read(server, '/metrics/openstack');
  const labels = 'hostname="cn\\"1",resourcetype="VCPU"';
  const value = (name: string) => valuesOf(text, `openstack_placement_${name}`).get(labels);
  expect(value('resource_total')).toBe(8);
  expect(value('resource_reserved')).toBe(1);
  expect(value('resource_usage')).toBe(3);
  expect(text).toContain(`openstack_placement_resource_allocation_ratio{${labels}} 1.2000000476837158\n`);
  expect(text).toContain('# HELP openstack_placement_resource_total resource_total\n# TYPE openstack_placement_resource_total gauge\n');
  expect(valuesOf(text, 'openstack_placement_up').get('')).toBe(1);
  const { body } = { body: await (await fetch(`${server.url}/placement/resource_providers/${uuidOf('cn"1')}`, { headers })).json() };
  expect(value('resource_generation')).toBe((body as { generation: number }).generation);
});

test('what each consumer holds is current, and read from memory if nothing was written since', async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn2', { inventories: { VCPU: 8, DISK_GB: 100 } });
  await seed.claim('a', { cn2: { VCPU: 2, DISK_GB: 10 }, 'cn"1': { VCPU: 1 } });
  const held = async () => {
    const values = valuesOf(await read(server, '/metrics/openstack'), 'openstack_placement_resource_provider_allocations');
    return Object.fromEntries([...values].filter(([labels]) => /"(cn2|cn\\"1)"/.test(labels)));
  };
  const labels = (host: string, consumer: string, resourceClass: string) =>
    `hostname="${host}",uuid="${uuidOf(consumer)}",resourcetype="${resourceClass}"`;
  const before = {
    [labels('cn\\"1', 'c', 'VCPU')]: 3,
    [labels('cn\\"1', 'a', 'VCPU')]: 1,
    [labels('cn2', 'a', 'VCPU')]: 2,
    [labels('cn2', 'a', 'DISK_GB')]: 10,
  };
  expect(await held()).toEqual(before);
  const statements = async () => valuesOf(await read(server), 'placement_statement_rows_total').get('pool="reads"') ?? 0;
  const rowsOf = async (what: () => Promise<unknown>) => {
    const rows = await statements();
    await what();
    return (await statements()) - rows;
  };
  const rowsOfNothing = await rowsOf(async () => {});
  const rowsWithout = await rowsOf(() => read(server, '/metrics/openstack?without=resource_provider_allocations'));
  expect(await rowsOf(held)).toBe(rowsWithout);
  expect(rowsWithout).toBeGreaterThan(rowsOfNothing);
  // Another consumer with the same amounts: no usage changes.
  await seed.claim('b', { cn2: { VCPU: 2, DISK_GB: 10 } });
  const given = await fetch(`${server.url}/placement/allocations/${uuidOf('a')}`, { method: 'DELETE', headers });
  expect(given.status).toBe(204);
  const { [labels('cn\\"1', 'a', 'VCPU')]: _, [labels('cn2', 'a', 'VCPU')]: vcpu, [labels('cn2', 'a', 'DISK_GB')]: disk, ...kept } = before;
  expect(await held()).toEqual({ ...kept, [labels('cn2', 'b', 'VCPU')]: vcpu, [labels('cn2', 'b', 'DISK_GB')]: disk });
});

test('what consumers hold can be left out, and needs a right of its own', async () => {
  const name = 'openstack_placement_resource_provider_allocations';
  expect(await read(server, '/metrics/openstack')).toContain(`# TYPE ${name} gauge\n`);
  expect(await read(server, '/metrics/openstack?without=resource_provider_allocations')).not.toContain(name);
  const other = await fetch(`${server.url}/metrics/openstack?without=up`, { headers });
  expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('resource_provider_allocations')]);
  const policy = join(mkdtempSync(join(tmpdir(), 'placement-policy-')), 'policy.yaml');
  writeFileSync(policy, `'placement:graphql:resource_providers:allocations:read': '!'\n`);
  const strict = await start({ PLACEMENT_POLICY_FILE: policy });
  try {
    const statusOf = async (query: string) => (await fetch(`${strict.url}/metrics/openstack${query}`, { headers })).status;
    expect([await statusOf(''), await statusOf('?without=resource_provider_allocations')]).toEqual([403, 200]);
  } finally {
    await strict.close();
  }
});

test('metrics need a token on the port of the APIs, and none on their own port', async () => {
  for (const path of ['/metrics', '/metrics/openstack']) {
    const response = await fetch(`${server.url}${path}`);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, expect.any(String)]);
  }
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  const other = await start({ PLACEMENT_METRICS: 'off', PLACEMENT_METRICS_PORT: String(port) });
  try {
    expect((await fetch(`${other.url}/metrics`, { headers })).status).toBe(404);
    const own = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await own.text()).toContain('placement_workers 1\n');
    const safe = [/^x-content-type-options: nosniff\r$/im, /^cross-origin-resource-policy: same-origin\r$/im];
    for (const asked of ['GET /metrics HTTP/1.1\r\nHost: a', 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9', 'no HTTP']) {
      const said = await sendBytes(`${asked}\r\nConnection: close\r\n\r\n`, { port });
      for (const header of safe) expect(said).toMatch(header);
    }
  } finally {
    await other.close();
  }
});

test('without tokens, the metrics port answers only to the names of this machine', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  const other = await start({ PLACEMENT_AUTH: 'noauth', PLACEMENT_METRICS_PORT: String(port), PLACEMENT_ALLOWED_HOSTS: 'cloud.example' });
  const statusUnder = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      httpGet(`http://127.0.0.1:${port}/metrics`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
  try {
    expect([await statusUnder('evil.example'), await statusUnder('localhost'), await statusUnder('cloud.example')]).toEqual([
      421, 200, 200,
    ]);
  } finally {
    await other.close();
  }
});

const path = (name: string) => new URL(`../../deploy/${name}`, import.meta.url);
const textOf = (name: string) => readFileSync(path(name), 'utf8');
const metricsIn = (expression: string) => expression.match(/\b(?:openstack_)?placement_[a-z_]+/g) ?? [];

test('the dashboard and the alerts use only metrics that exist', async () => {
  const text = (await read(server)) + (await read(server, '/metrics/openstack'));
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    ),
  );
  const { groups } = parse(textOf('alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  };
  const { panels } = JSON.parse(textOf('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const expressions = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  const asked = expressions.flatMap(metricsIn);
  expect(asked.length).toBeGreaterThan(40);
  expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test(`promtool accepts the metrics, the alerts and the example of a configuration${hasPromtool ? '' : ' (not run: there is no promtool; it is in the package prometheus)'}`, async ({
  skip,
}) => {
  skip(!hasPromtool, 'promtool is not installed');
  // The names are openstack-exporter's, of which promtool does not like one.
  const disliked = 'openstack_placement_resource_total non-counter metrics should not have "_total" suffix';
  for (const [name, complaints] of [
    ['/metrics', ''],
    ['/metrics/openstack', disliked],
  ] as const) {
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await read(server, name), encoding: 'utf8' });
    expect(`${stdout}${stderr}`.trim()).toBe(complaints);
  }
  execFileSync('promtool', ['check', 'rules', path('alerts.yml').pathname]);
  execFileSync('promtool', ['check', 'config', '--syntax-only', path('prometheus.yml').pathname]);
});

test('events kept beyond their retention are counted', async () => {
  const old = await createTestDatabase();
  const short = await startServer({
    settings: readSettings({ PLACEMENT_PORT: '0', PLACEMENT_EVENT_RETENTION_DAYS: '5' }).settings,
    db: old.db,
    log,
  });
  try {
    await createSeed(old.db).provider('cn1');
    await ageEvents(old, 40);
    await createSeed(old.db).provider('cn2');
    const overdue = valuesOf(await read(short), 'placement_events_overdue_seconds').get('') ?? 0;
    expect(overdue / 86_400).toBeGreaterThan(5);
    expect(overdue / 86_400).toBeLessThan(40);
  } finally {
    await short.close();
    await old.drop();
  }
});
