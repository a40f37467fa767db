// A gateway whose quotas follow Keystone: who reads in a minute, what the log says, and what callers of the gateway see.
import { beforeEach, describe, expect, test } from 'vitest';
import { selectLimitsAge } from '../../src/db/quotas.ts';
import { startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { ledgerGauges } from '../../src/metrics/ledger.ts';
import { findQuotas } from '../../src/operations/allocations/quotas.ts';
import { limitsFollower } from '../../src/serving/limits.ts';
import { keepHouse } from '../../src/serving/upkeep.ts';
import { readSettings, type Settings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { settingsFor } from '../support/fake-keystone.ts';
import { fake, useFakeKeystone } from '../support/fake-keystone-callers.ts';
import { scopeOf } from '../support/ledger.ts';

useFakeKeystone();
const database = useDatabase();
const lines: string[] = [];
const { log } = createLogger({
  level: 'info',
  write: (line) => {
    const { level, msg, keystone } = JSON.parse(line);
    lines.push([level, msg, keystone].filter(Boolean).join(': '));
  },
});
let status: number;
let most: number;
let owners: string[];

beforeEach(async () => {
  await database.own`delete from records where kind in ('project_quotas', 'default_quotas')`;
  await database.own`delete from idempotency_keys`;
  lines.length = 0;
  [status, most, owners] = [200, 10, []];
  fake.keystone.onValidate = ({ url = '', headers }, response) => {
    if (headers['x-subject-token'] !== undefined) return false;
    const limit = { resource_name: 'class:VCPU', default_limit: most, region_id: null };
    const body = {
      ...{ endpoint: { service_id: 'nova' }, model: { name: 'flat' } },
      ...{
        registered_limits: [limit, { ...limit, resource_name: 'server_groups' }],
        limits: owners.map((project_id) => ({ ...limit, project_id, domain_id: null, resource_limit: 1 })),
      },
    };
    response.writeHead(url.includes('limits') ? status : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
});

const nextMinute = () =>
  database.own`update idempotency_keys set key = gen_random_uuid()::text, created_at = created_at - interval '1 minute'`;
const settings = (more: Record<string, string> = { PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID: 'e1' }) =>
  readSettings(settingsFor(fake.keystone, more)).settings;
const gateway = (more = {}) => limitsFollower(database.db, settings({ PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID: 'e1', ...more }), log);
/** As often as a gateway that has failed leaves rounds to others at most, and once more. */
const insist = async (round: () => Promise<void>) => {
  for (let call = 0; call <= 15; call += 1) await round();
};
const defaults = async () => (await findQuotas(scopeOf(database.db), null)).quotas.map(({ amount }) => amount);
const unfollowed = 'warn: quotas do not follow the limits of Keystone: those that were set last are kept';

describe('limits', () => {
  test('are read by one gateway in a minute, and by the other in the next', async () => {
    const [one, other] = [gateway(), gateway()];
    await one();
    expect(await defaults()).toEqual([10]);
    most = 11;
    await Promise.all([one(), other()]);
    expect(await defaults()).toEqual([10]);
    expect(fake.keystone.logIns).toHaveLength(1);
    await nextMinute();
    await other();
    expect(await defaults()).toEqual([11]);
    expect(lines).toEqual([
      'info: these limits of Keystone are no quotas here',
      'info: quotas were replaced by the limits of Keystone',
      'info: these limits of Keystone are no quotas here',
      'info: quotas were replaced by the limits of Keystone',
    ]);
  });

  test('that cannot be read leave quotas as they are: a line at the first failure and at each other reason, and one when they are read again', async () => {
    const round = gateway();
    await round();
    lines.length = 0;
    [status, most] = [403, 11];
    for (let failures = 0; failures < 3; failures += 1) {
      await nextMinute();
      await insist(round);
    }
    expect(await defaults()).toEqual([10]);
    expect(await selectLimitsAge(database.db)).toBeGreaterThanOrEqual(180);
    expect(lines.splice(0)).toEqual([
      `${unfollowed}: the service user may not read registered_limits: give it the role reader on the system`,
    ]);
    status = 500;
    await nextMinute();
    await insist(round);
    expect(lines.splice(0)).toEqual([`${unfollowed}: it answered registered_limits with 500`]);
    status = 200;
    await nextMinute();
    await insist(round);
    expect(lines).toEqual(['info: quotas were replaced by the limits of Keystone', 'info: quotas follow the limits of Keystone again']);
    expect(await selectLimitsAge(database.db)).toBeLessThan(60);
  });

  test('are read by a gateway that can, although two that cannot come before it in each minute', async () => {
    const wrong = { PLACEMENT_KEYSTONE_PASSWORD: 'wrong' };
    const gateways = [gateway(wrong), gateway(wrong), gateway()];
    for (let minute = 0; minute < 24; minute += 1) {
      await nextMinute();
      for (let tick = 0; tick < 3; tick += 1) for (const round of gateways) await round();
    }
    const [followed] = await database.own`select count(answer)::int as count, count(*)::int as begun from idempotency_keys`;
    expect(followed?.count).toBeGreaterThanOrEqual(followed?.begun / 3);
  });

  test('a failure between two replacements leaves the first, and the log says both', async () => {
    owners = ['p1', 'p2'];
    const round = gateway();
    await database.own`alter table records add constraint failing check (name <> 'p2') not valid`;
    await round();
    expect(lines.splice(0).slice(1)).toEqual(['info: quotas were replaced by the limits of Keystone', unfollowed]);
    await database.own`alter table records drop constraint failing`;
    await nextMinute();
    await round();
    expect(lines).toEqual(['info: quotas were replaced by the limits of Keystone', 'info: quotas follow the limits of Keystone again']);
  });

  test('are not read while another Placement leads, and their age is no metric then', async () => {
    const ages = async () => {
      const gauges = await ledgerGauges(database.db, true, null, true)();
      return gauges.filter(({ name }) => name === 'placement_keystone_limits_age_seconds');
    };
    await gateway()();
    await nextMinute();
    most = 11;
    lines.length = 0;
    await database.own`insert into bridge (url, mode) values ('http://placement.example', 'following')`;
    await gateway()();
    expect([await defaults(), await ages(), lines]).toEqual([[10], [], []]);
    await database.own`update bridge set mode = 'leading'`;
    await gateway()();
    expect([await defaults(), await ages()]).toEqual([[11], [expect.anything()]]);
    await database.own`delete from bridge`;
  });

  test('are read by a gateway that keeps house, from its start', async () => {
    keepHouse(database.db, settings(), log);
    await expect.poll(defaults).toEqual([10]);
  });
});

test('callers may not replace quotas, and the age of the limits is a metric of gateways that follow them', async () => {
  await gateway()();
  fake.keystone.tokens.set('admin', { roles: [{ id: '1', name: 'admin' }] });
  const server = await startServer({ settings: settings(), db: database.db, log });
  const headers = { 'x-auth-token': 'admin', authorization: 'Bearer admin', 'content-type': 'application/json' };
  const query = 'mutation { replaceQuotas(input: { expect: { generation: 1 }, quotas: [] }) { userErrors { code message } } }';
  const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  expect(await answer.json()).toEqual({
    data: {
      replaceQuotas: {
        userErrors: [
          { code: 'INVALID_INPUT', message: 'The quotas follow the limits of Keystone: set registered limits and limits there' },
        ],
      },
    },
  });
  expect(Number(/^placement_keystone_limits_age_seconds (.*)$/m.exec(await metricsOf(settings()))?.[1])).toBeLessThan(60);
  await server.close();
  expect(await metricsOf(settings({}))).not.toContain('placement_keystone_limits_age_seconds');
});

/** What a gateway with these settings publishes. */
async function metricsOf(of: Settings): Promise<string> {
  const server = await startServer({ settings: of, db: database.db, log });
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: { 'x-auth-token': 'admin' } })).text();
  await server.close();
  expect(metrics).toContain('placement_database_up');
  return metrics;
}
