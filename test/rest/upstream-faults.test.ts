// Bugs of OpenStack Placement over the years, each with a test that the gateway does not have it. The numbers are those of upstream's bug tracker.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { type RestAnswer, useRest, uuid } from '../support/rest.ts';

const database = useDatabase();
const rest = useRest(database);
const [host, small] = [uuid(1), uuid(2)];
const capacity = 40;

beforeEach(async () => {
  await rest.succeed('POST /resource_providers', { body: { name: 'host', uuid: host } });
  await rest.succeed('POST /resource_providers', { body: { name: 'small', uuid: small } });
  await rest.succeed(`POST /resource_providers/${host}/inventories`, { body: { resource_class: 'VCPU', total: capacity } });
  await rest.succeed(`POST /resource_providers/${small}/inventories`, { body: { resource_class: 'VCPU', total: 4 } });
});

afterEach(async () => {
  expect(rest.bugs).toEqual([]);
  await expectSoundLedger(database.db);
  await database.own`truncate allocations, project_usages, consumers, inventories, resource_providers, events, event_subjects cascade`;
});

interface Claim {
  readonly provider?: string;
  readonly amount?: number;
  readonly generation?: number | null;
  readonly owner?: string;
}

function bodyOf({ provider = host, amount = 1, generation = null, owner = 'p' }: Claim = {}): object {
  const allocations = amount === 0 ? {} : { [provider]: { resources: { VCPU: amount } } };
  return { allocations, project_id: owner, user_id: owner, consumer_generation: generation, consumer_type: 'INSTANCE' };
}

const claim = (consumer: string, asked?: Claim) => rest.ask(`PUT /allocations/${consumer}`, { body: bodyOf(asked) });
const statusesOf = (answers: readonly RestAnswer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const consumers = (count: number) => Array.from({ length: count }, (_, index) => uuid(100 + index));

describe('a claim that failed poisons its consumer (1779725, 1778576, 1778591): here', () => {
  test.each<[string, Claim, number]>([
    ['an unknown provider', { provider: uuid(99) }, 400],
    ['too large an amount', { amount: capacity + 1 }, 409],
    ['an expected generation', { generation: 3 }, 409],
    ['nothing at all', { amount: 0 }, 204],
  ])('a claim with %s leaves nothing behind, and the consumer is still new for the next one', async (_, asked, status) => {
    expect(await claim(uuid(50), asked)).toMatchObject({ status });
    expect((await database.own`select from consumers`).length).toBe(0);
    expect(await claim(uuid(50))).toMatchObject({ status: 204 });
  });
});

describe('a DELETE loses against a PUT, or the other way round: here', () => {
  test('a guarded PUT and a concurrent DELETE happen in some order, and nothing is left in either case', async () => {
    for (const consumer of consumers(20)) {
      await claim(consumer);
      const [put, released] = await Promise.all([
        claim(consumer, { generation: 1, amount: 2 }),
        rest.ask(`DELETE /allocations/${consumer}`),
      ]);
      expect([204, 409]).toContain(put.status);
      expect(released.status).toBe(204);
      expect((await rest.succeed(`GET /allocations/${consumer}`)).json).toEqual({ allocations: {} });
    }
    expect((await rest.succeed(`GET /resource_providers/${host}/usages`)).json).toMatchObject({ usages: { VCPU: 0 } });
  });
});

describe('many claims of one provider end in conflicts (1719933, 2006467): here', () => {
  test('as many succeed as there is room for, and the others are refused for lack of room, none because of a conflict', async () => {
    const answers = await Promise.all(consumers(64).map((consumer) => claim(consumer)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(capacity);
    const refused = answers.filter(({ status }) => status !== 204);
    expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual(refused.map(() => '409 placement.undefined_code'));
    expect(refused.every(({ message }) => message.includes('would exceed the capacity'))).toBe(true);
  });

  test('the same holds for claims without generations, at old versions', async () => {
    // Such claims are written one by one: few, so that none waits too long on a busy machine.
    const body = { allocations: [{ resource_provider: { uuid: small }, resources: { VCPU: 1 } }] };
    const answers = await Promise.all(consumers(16).map((consumer) => rest.ask(`PUT /allocations/${consumer}`, { version: '1.0', body })));
    expect(statusesOf(answers)).toEqual([...new Array(4).fill(204), ...new Array(12).fill(409)]);
  });
});

test('several amounts of one request are each compared with the capacity (1778743): here their sum is', async () => {
  const [first, second] = consumers(2) as [string, string];
  const body = { [first]: bodyOf({ provider: small, amount: 3 }), [second]: bodyOf({ provider: small, amount: 3 }) };
  expect(await rest.ask('POST /allocations', { body })).toMatchObject({ status: 409 });
  expect((await rest.succeed(`GET /resource_providers/${small}/usages`)).json).toMatchObject({ usages: { VCPU: 0 } });
});

test('usage of a provider over its capacity cannot be reduced (2104040, 1924123): here an amount that does not grow fits', async () => {
  const [first, second] = consumers(2) as [string, string];
  await claim(first, { provider: small, amount: 4 });
  await rest.succeed(`PUT /resource_providers/${small}/inventories/VCPU`, { body: { total: 2, resource_provider_generation: 2 } });
  expect(await claim(second, { provider: small })).toMatchObject({ status: 409 });
  expect(await claim(first, { provider: small, amount: 5, generation: 1 })).toMatchObject({ status: 409 });
  expect(await claim(first, { provider: small, amount: 4, generation: 1 })).toMatchObject({ status: 204 });
  expect(await claim(first, { provider: small, amount: 3, generation: 2 })).toMatchObject({ status: 204 });
  const moved = { [first]: bodyOf({ amount: 0, generation: 3 }), [second]: bodyOf({ provider: small, amount: 3 }) };
  expect(await rest.ask('POST /allocations', { body: moved })).toMatchObject({ status: 204 });
});

test('concurrent first claims of a new project fail (2009159): here all succeed', async () => {
  const answers = await Promise.all(consumers(32).map((consumer) => claim(consumer, { owner: 'new' })));
  expect(statusesOf(answers)).toEqual(new Array(32).fill(204));
});

test('new aggregates set concurrently recurse without end (1804453, 1818498): here all are set', async () => {
  const aggregates = [uuid(70), uuid(71), uuid(72)];
  const answers = await Promise.all(
    [host, small].flatMap((provider) =>
      Array.from({ length: 8 }, () => rest.ask(`PUT /resource_providers/${provider}/aggregates`, { version: '1.18', body: aggregates })),
    ),
  );
  expect(statusesOf(answers)).toEqual(new Array(16).fill(200));
});

test('traits set concurrently with the same generation give 500: here one write succeeds and the others get a conflict', async () => {
  const traits = ['COMPUTE_NODE', 'HW_NUMA_ROOT', 'STORAGE_DISK_SSD', 'STORAGE_DISK_HDD'];
  const answers = await Promise.all(
    traits.map((trait) =>
      rest.ask(`PUT /resource_providers/${host}/traits`, { body: { traits: [trait], resource_provider_generation: 1 } }),
    ),
  );
  expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
});

test('two concurrent moves make a loop of parents (1779635, 1779818): here one of them is refused', async () => {
  const answers = await Promise.all([
    rest.ask(`PUT /resource_providers/${host}`, { body: { name: 'host', parent_provider_uuid: small } }),
    rest.ask(`PUT /resource_providers/${small}`, { body: { name: 'small', parent_provider_uuid: host } }),
  ]);
  expect(statusesOf(answers)).toEqual([200, 400]);
});

test('a refused claim still changes project and user (1779717): here it changes nothing', async () => {
  await claim(uuid(50));
  const before = (await rest.succeed(`GET /allocations/${uuid(50)}`)).json;
  expect(await claim(uuid(50), { generation: 1, amount: capacity + 1, owner: 'elsewhere' })).toMatchObject({ status: 409 });
  expect((await rest.succeed(`GET /allocations/${uuid(50)}`)).json).toEqual(before);
});

test('allocations of consumers without a type cannot be read (2009167): here the type is unknown', async () => {
  const body = { allocations: { [host]: { resources: { VCPU: 1 } } }, project_id: 'p', user_id: 'u' };
  await rest.succeed(`PUT /allocations/${uuid(50)}`, { version: '1.12', body });
  expect((await rest.succeed(`GET /allocations/${uuid(50)}`)).json).toMatchObject({ consumer_type: 'unknown' });
  expect((await rest.succeed('GET /usages?project_id=p')).json).toEqual({ usages: { unknown: { VCPU: 1, consumer_count: 1 } } });
});

test('a repeated limit is checked by its last value but used by its first, which gives 500: here it is refused', async () => {
  expect(await rest.ask('GET /allocation_candidates?resources=VCPU:1&limit=many&limit=1')).toMatchObject({ status: 400 });
});

test.each([null, 'x', 1, [], {}])('%j as the inventory under an invalid class may give 500: here it is refused', async (inventory) => {
  const inventories = { resource_provider_generation: 1, inventories: { 'no-class': inventory } };
  const asReshape = { inventories: { [host]: inventories }, allocations: {} };
  expect(await rest.ask(`PUT /resource_providers/${host}/inventories`, { body: inventories })).toMatchObject({ status: 400 });
  expect(await rest.ask('POST /reshaper', { body: asReshape })).toMatchObject({ status: 400 });
});

describe('the ledger agrees with the tables', () => {
  test('after a class in use was renamed, and its allocation released under the new name', async () => {
    await rest.succeed('POST /resource_classes', { version: '1.6', body: { name: 'CUSTOM_OLD' } });
    await rest.succeed(`POST /resource_providers/${host}/inventories`, { body: { resource_class: 'CUSTOM_OLD', total: 4 } });
    const body = { ...bodyOf(), allocations: { [host]: { resources: { CUSTOM_OLD: 2 } } } };
    await rest.succeed(`PUT /allocations/${uuid(50)}`, { body });
    await rest.succeed('PUT /resource_classes/CUSTOM_OLD', { version: '1.6', body: { name: 'CUSTOM_NEW' } });
    await expectSoundLedger(database.db);
    expect(await rest.ask('GET /allocation_candidates?resources=CUSTOM_NEW:1')).toMatchObject({
      json: { provider_summaries: { [host]: { resources: { CUSTOM_NEW: { capacity: 4, used: 2 } } } } },
    });
    await rest.succeed(`DELETE /allocations/${uuid(50)}`);
    await rest.succeed(`DELETE /resource_providers/${host}/inventories/CUSTOM_NEW`);
  });

  test('for a consumer that has the uuid of the provider on which it claims', async () => {
    expect(await claim(host)).toMatchObject({ status: 204 });
    expect(await claim(host, { generation: 1, amount: 2 })).toMatchObject({ status: 204 });
  });
});

test('candidates on a sharing provider that is a child give 500: here they are found', async () => {
  const [aggregate, shared] = [uuid(8), uuid(9)];
  const setAggregates = (provider: string, generation: number) =>
    rest.succeed(`PUT /resource_providers/${provider}/aggregates`, {
      body: { aggregates: [aggregate], resource_provider_generation: generation },
    });
  await rest.succeed('POST /resource_providers', { body: { name: 'shared', uuid: shared, parent_provider_uuid: small } });
  await rest.succeed(`POST /resource_providers/${shared}/inventories`, { body: { resource_class: 'DISK_GB', total: 100 } });
  await rest.succeed(`PUT /resource_providers/${shared}/traits`, {
    body: { traits: ['MISC_SHARES_VIA_AGGREGATE'], resource_provider_generation: 1 },
  });
  await setAggregates(shared, 2);
  await setAggregates(host, 1);
  for (const version of ['1.10', '1.28', '1.29', '1.39']) {
    const { json } = await rest.succeed('GET /allocation_candidates?resources=VCPU:1,DISK_GB:10', { version });
    const { allocation_requests: requests } = json as { allocation_requests: { allocations: object }[] };
    expect(
      requests.map(({ allocations }) => JSON.stringify(allocations)).filter((text) => text.includes(host) && text.includes(shared)),
    ).toHaveLength(1);
  }
});
