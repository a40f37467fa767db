// Quotas follow the unified limits of a real Keystone, as an operator sets them there.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/logs/process-log.ts';
import { replaceAllocations } from '../../src/operations/allocations/allocation-writes.ts';
import { findQuotas } from '../../src/operations/allocations/quotas.ts';
import { Scope } from '../../src/operations/scope/scope.ts';
import { limitsFollower } from '../../src/serving/limits.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { refusalOf, scopeOf } from '../support/ledger.ts';
import { createSeed, uuidOf } from '../support/seed.ts';
import { RealKeystone } from './real-keystone.ts';

const keystone = new RealKeystone();
const database = useDatabase();
const lines: { readonly level: string; readonly msg: string; readonly keystone?: string }[] = [];
const { log } = createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
/** Ids by name. */
const made: Record<string, string> = {};
let round: () => Promise<void>;

const make = async (noun: string, name: string, attributes: object) => {
  made[name] = await keystone.make(noun, { name, ...attributes });
};

beforeAll(async () => {
  await keystone.create();
  for (const name of ['service', 'shop', 'blog']) await make('project', name, { domain_id: 'default' });
  await make('user', 'placement', { domain_id: 'default', password: 'pass-of-placement' });
  const { roles } = (await keystone.call('GET', '/roles?name=reader')) as { roles: { id: string }[] };
  made.reader = roles[0]?.id ?? (await keystone.make('role', { name: 'reader' }));
  await make('service', 'nova', { type: 'compute' });
  await keystone.call('POST', '/regions', { region: { id: 'RegionTwo' } });
  const endpoint = { service_id: made.nova, interface: 'public', region_id: 'RegionOne', url: 'http://nova.example' };
  made.endpoint = await keystone.make('endpoint', endpoint);
  await createSeed(database.db).provider('host', { inventories: { VCPU: 1000, MEMORY_MB: 100_000 } });
  const { settings } = readSettings({
    PLACEMENT_AUTH: 'keystone',
    PLACEMENT_KEYSTONE_AUTH_URL: keystone.url,
    PLACEMENT_KEYSTONE_INTERFACE: 'public',
    PLACEMENT_KEYSTONE_USERNAME: 'placement',
    PLACEMENT_KEYSTONE_PASSWORD: 'pass-of-placement',
    PLACEMENT_KEYSTONE_PROJECT_NAME: 'service',
    PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID: made.endpoint,
  });
  round = limitsFollower(database.db, settings, log);
});
afterAll(() => keystone.remove());

/** A round as in the next minute, after those that a gateway which has failed leaves to others, and what the log said of it. */
async function follow(): Promise<string[]> {
  await database.own`delete from idempotency_keys`;
  for (let call = 0; call <= 15; call += 1) await round();
  return lines.splice(0).map(({ level, msg, keystone: fault }) => [level, msg, fault].filter(Boolean).join(': '));
}

const register = async (resource: string, limit: number, region = 'RegionOne') => {
  const limits = [{ service_id: made.nova, region_id: region, resource_name: resource, default_limit: limit }];
  const answer = await keystone.call('POST', '/registered_limits', { registered_limits: limits });
  made[`${resource} ${region}`] = (answer.registered_limits as { id: string }[])[0]?.id ?? '';
};
const limit = async (owner: object, resource: string, most: number) => {
  const limits = [{ ...owner, service_id: made.nova, region_id: 'RegionOne', resource_name: resource, resource_limit: most }];
  const answer = await keystone.call('POST', '/limits', { limits });
  return (answer.limits as { id: string }[])[0]?.id ?? '';
};
const quotasOf = async (project: string | null) => {
  const { parent, quotas } = await findQuotas(scopeOf(database.db), project);
  return [...(parent === null ? [] : [parent]), ...quotas.map((quota) => `${quota.resourceClass ?? quota.consumerType} ${quota.amount}`)];
};
const hold = (consumer: string, project: string, vcpu: number) =>
  replaceAllocations(new Scope({ db: database.db, identity: null, requestId: 'req-test', quotasOfRest: true }), {
    consumers: [
      {
        ...{ consumer: uuidOf(consumer), project, user: 'ann', consumerType: 'INSTANCE', expect: { unchecked: true } },
        hold: { allocations: [{ resourceProvider: uuidOf('host'), resources: [{ resourceClass: 'VCPU', amount: vcpu }] }] },
      },
    ],
  });
const excess = (details: object) => [expect.objectContaining({ code: 'QUOTA_EXCEEDED', details: expect.objectContaining(details) })];
const unfollowed = 'warn: quotas do not follow the limits of Keystone: those that were set last are kept';

describe('quotas', () => {
  test('stay as they are until the service user may read the system, and there are registered limits; the log says what to do', async () => {
    expect(await follow()).toEqual([
      `${unfollowed}: it refused the log-in of the service user: check its name, password and domain, and that it has the role reader on the system`,
    ]);
    await keystone.call('PUT', `/system/users/${made.placement}/roles/${made.reader}`);
    // The log-in is not tried again for some seconds.
    await expect
      .poll(async () => (await follow()).at(-1), { timeout: 30_000 })
      .toBe(
        `${unfollowed}: the service of the endpoint ${made.endpoint} has no registered limits for servers or class:… in the region RegionOne`,
      );
    await register('server_key_pairs', 100);
    await register('class:VCPU', 1, 'RegionTwo');
    expect(await follow()).toEqual([]);
    expect(await quotasOf(null)).toEqual([]);
  });

  test('are the registered limits and the limits of projects, and hold in claims', async () => {
    await register('class:VCPU', 10);
    await register('class:MEMORY_MB', -1);
    await register('class:CUSTOM_NONE', 5);
    await register('servers', 3);
    made.ofShop = await limit({ project_id: made.shop }, 'class:VCPU', 20);
    await limit({ project_id: made.shop }, 'servers', -1);
    // Without a second level it bounds nothing.
    await limit({ domain_id: 'default' }, 'class:VCPU', 0);
    expect(await follow()).toEqual([
      'info: these limits of Keystone are no quotas here',
      'info: quotas were replaced by the limits of Keystone',
      'info: quotas follow the limits of Keystone again',
    ]);
    expect(await quotasOf(null)).toEqual(['VCPU 10', 'MEMORY_MB null', 'INSTANCE 3']);
    expect(await quotasOf(made.shop ?? '')).toEqual(['VCPU 20', 'INSTANCE null']);
    await hold('a', made.shop ?? '', 20);
    expect(await refusalOf(database.db, () => hold('b', made.shop ?? '', 1))).toEqual(excess({ project: made.shop, amount: 20, used: 20 }));
    await hold('c', made.blog ?? '', 1);
    expect(await refusalOf(database.db, () => hold('d', made.blog ?? '', 10))).toEqual(excess({ project: made.blog, amount: 10, used: 1 }));
  });

  test('follow a change, and are not written again without one', async () => {
    await keystone.call('PATCH', `/limits/${made.ofShop}`, { limit: { resource_limit: 21 } });
    expect(await follow()).toEqual(['info: quotas were replaced by the limits of Keystone']);
    expect(await follow()).toEqual([]);
    await hold('b', made.shop ?? '', 1);
    await keystone.call('DELETE', `/limits/${made.ofShop}`);
    await follow();
    expect(await quotasOf(made.shop ?? '')).toEqual(['INSTANCE null']);
    expect(await refusalOf(database.db, () => hold('d', made.shop ?? '', 1))).toEqual(excess({ amount: 10, used: 21 }));
  });

  test('hold while Keystone is down, and follow it again when it is back: one line for each', async () => {
    await keystone.stop();
    // Until the connections that were kept open are known to be closed.
    await sleep(1000);
    expect(await follow()).toEqual([`${unfollowed}: it refused the connection`]);
    expect(await follow()).toEqual([]);
    expect(await refusalOf(database.db, () => hold('d', made.shop ?? '', 1))).toEqual(excess({ amount: 10, used: 21 }));
    keystone.configure({ model: 'strict_two_level' });
    await keystone.start();
  });

  test('of a domain bound its projects together where Keystone enforces two levels', async () => {
    expect((await follow()).at(-1)).toBe('info: quotas follow the limits of Keystone again');
    expect(await quotasOf('default')).toEqual(['VCPU 0']);
    expect(await quotasOf(made.blog ?? '')).toEqual(['default']);
    expect(await refusalOf(database.db, () => hold('e', made.blog ?? '', 1))).toEqual(
      excess({ project: 'default', resourceClass: 'VCPU', amount: 0, used: 22 }),
    );
    expect(await follow()).toEqual([]);
  });
});
