// An unavailable database, as callers of the REST API see it: never a 500, always Retry-After, and never a message that suggests that nothing was written
// if something was.
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/sql/client.ts';
import { startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { socketOf, useDatabase } from '../support/database.ts';
import { layFailingWire } from '../support/failing-wire.ts';
import { losingReads } from '../support/lost-reads.ts';
import { useRest } from '../support/rest.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const nowhere = openDatabase({ socketDirectory: '/nowhere', port: 1, user: 'nobody', database: 'none' });
afterAll(() => nowhere.close());

const { log } = createLogger({ level: 'silent' });
const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
const provider = uuidOf('cn1');
const inventory = { VCPU: { total: 8 } };
const asked: readonly (readonly [route: string, body?: object])[] = [
  ['GET /resource_providers'],
  [`GET /resource_providers/${provider}`],
  [`GET /resource_providers/${provider}/inventories`],
  [`GET /resource_providers/${provider}/usages`],
  [`GET /resource_providers/${provider}/traits`],
  [`GET /resource_providers/${provider}/aggregates`],
  [`GET /resource_providers/${provider}/allocations`],
  ['GET /resource_providers?resources=VCPU:1'],
  ['GET /allocation_candidates?resources=VCPU:1'],
  ['GET /traits'],
  ['GET /resource_classes'],
  ['GET /usages?project_id=p1'],
  [`GET /allocations/${provider}`],
  ['POST /resource_providers', { name: 'new', uuid: uuidOf('new') }],
  [`PUT /resource_providers/${provider}`, { name: 'renamed' }],
  [`PUT /resource_providers/${provider}/inventories`, { resource_provider_generation: 0, inventories: inventory }],
  [`PUT /resource_providers/${provider}/inventories/VCPU`, { resource_provider_generation: 1, total: 9 }],
  [`PUT /resource_providers/${provider}/traits`, { resource_provider_generation: 2, traits: ['HW_CPU_X86_AVX2'] }],
  [`PUT /resource_providers/${provider}/aggregates`, { resource_provider_generation: 3, aggregates: [uuidOf('a')] }],
  ['PUT /traits/CUSTOM_AWAY'],
  ['PUT /resource_classes/CUSTOM_AWAY'],
  [
    `PUT /allocations/${uuidOf('c')}`,
    {
      allocations: { [provider]: { resources: { VCPU: 1 } } },
      project_id: 'p',
      user_id: 'u',
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    },
  ],
  [`DELETE /allocations/${uuidOf('c')}`],
  [
    'POST /allocations',
    {
      [uuidOf('d')]: {
        allocations: { [provider]: { resources: { VCPU: 1 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      },
    },
  ],
  [`DELETE /allocations/${uuidOf('d')}`],
  ['POST /reshaper', { inventories: { [provider]: { resource_provider_generation: 6, inventories: inventory } }, allocations: {} }],
  [`DELETE /resource_providers/${provider}/traits`],
  [`DELETE /resource_providers/${provider}/inventories`],
];

const routes = asked.map(([route, body]) => ({ route, body }));

describe('a database that cannot be reached', () => {
  const rest = useRest({ db: nowhere });

  test.each(routes)('$route is 503 with Retry-After', async ({ route, body }) => {
    const { status, headers, message } = await rest.ask(route, { body });
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(message).toContain('The database is not available');
    expect(rest.bugs).toEqual([]);
  });
});

describe('a database that goes away after the write', () => {
  let reads: ReturnType<typeof losingReads>;
  beforeAll(() => {
    reads = losingReads(database.db);
  });
  const rest = useRest({
    get db() {
      return reads.db;
    },
  });
  afterAll(() => reads.close());

  test('does not matter: responses of writes consist of what the writes return', async () => {
    await createSeed(database.db).provider('cn1', {});
    for (const { route, body } of routes.filter(({ route: name }) => !name.startsWith('GET'))) {
      reads.mend();
      const { status, text } = await rest.ask(route, { body });
      expect(status, `${route}: ${text}`).toBeLessThan(300);
    }
    expect(rest.bugs).toEqual([]);
  });
});

describe('a database that does not accept sessions', () => {
  test.each([
    ['because it was dropped or renamed', '3D000'],
    ['because it does not allow connections', '55000'],
    ['because its password was changed', '28P01'],
    ['because it is starting', '57P03'],
    ['because all its connections are in use', '53300'],
  ])('%s is 503 with Retry-After, in both APIs', async (_, code) => {
    const refusing = createServer((socket) => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno, says 10.1.2.3\0\0`);
      const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([head, fields])));
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const db = openDatabase({ url: `postgres://nobody:secret@127.0.0.1:${(refusing.address() as AddressInfo).port}/none` });
    const { settings } = readSettings({ PLACEMENT_PORT: '0' });
    const server = await startServer({ settings, db, log });
    const write = 'mutation { createTrait(input: { name: "CUSTOM_A" }) { created } }';
    const answers = await Promise.all([
      fetch(`${server.url}/placement/traits`, { headers }),
      fetch(`${server.url}/placement/traits/CUSTOM_A`, { method: 'PUT', headers }),
      ...['{ resourceProviders(first: 1) { totalCount } }', write].map((query) =>
        fetch(`${server.url}/graphql`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }),
      ),
    ]);
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).not.toMatch(/10\.1\.2\.3|secret|FATAL/);
      // A GraphQL answer with data has the status 200, even if a field is null.
      if (answer.status === 200) expect(JSON.parse(text).errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retry: 'LATER' } }]);
      else expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
    await server.close();
    await db.close();
    refusing.close();
  });
});

test('a connection that ends during a write is 503 with Retry-After, and says that the outcome is unknown', async () => {
  const wire = await layFailingWire(socketOf(database.target));
  const db = openDatabase(wire.target, { writeConnections: 6 });
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  const server = await startServer({ settings, db, log });
  await database.own.begin(async (sql) => {
    await sql`lock table traits in access exclusive mode`;
    const answer = fetch(`${server.url}/placement/traits/CUSTOM_UNKNOWN`, { method: 'PUT', headers });
    await expect
      .poll(() => database.own`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      .toHaveLength(1);
    await wire.close();
    const refused = await answer;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).toContain('before the outcome of the write was known');
  });
  await server.close();
  await db.close();
});
