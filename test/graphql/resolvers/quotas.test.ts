// Quotas as clients set and read them, who may, and claims that they refuse.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, useCallers } from '../../support/personas.ts';
import { useRest } from '../../support/rest.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const ask = useCallers(() => database);
const rest = useRest(database);
const restWithQuotas = useRest(database, { PLACEMENT_REST_QUOTAS: 'on' });

/** Of the project of the callers, and of the one above. */
const set = `mutation {
  above: replaceQuotas(input: { expect: { generation: 0 }, project: "above", quotas: [{ resourceClass: "VCPU", amount: 20 }] }) { userErrors { code } }
  own: replaceQuotas(input: { expect: { generation: 0 }, project: "blue", parentProject: "above", quotas: [{ consumerType: "INSTANCE", amount: 2 }, { resourceClass: "VCPU" }] }) {
    quotaSettings { generation parentProjectExternalId quotas { resourceClassName consumerType userExternalId amount } }
    event { kind changes { nodes { action } } }
    userErrors { code }
  }
  defaults: replaceQuotas(input: { expect: { generation: 0 }, quotas: [{ resourceClass: "VCPU", amount: 5 }, { resourceClass: "DISK_GB", amount: 50 }] }) { userErrors { code } }
}`;

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('host', { inventories: { VCPU: 100, DISK_GB: 100 } });
  await seed.claim('first', { host: { VCPU: 8 } }, { project: 'blue' });
  await seed.claim('sibling', { host: { VCPU: 4 } }, { project: 'green' });
  const { data } = await ask('admin', set);
  expect(data).toEqual({
    above: { userErrors: [] },
    own: {
      quotaSettings: {
        ...{ generation: 1, parentProjectExternalId: 'above' },
        quotas: [
          { resourceClassName: null, consumerType: 'INSTANCE', userExternalId: null, amount: 2 },
          { resourceClassName: 'VCPU', consumerType: null, userExternalId: null, amount: null },
        ],
      },
      event: { kind: 'REPLACE_QUOTAS', changes: { nodes: [{ action: 'CREATED' }] } },
      userErrors: [],
    },
    defaults: { userErrors: [] },
  });
});

const uses =
  '{ project(externalId: "blue") { quotaUses { projectExternalId isDefault quota { resourceClassName consumerType amount } used available } } }';
const use = (resourceClassName: string | null, amount: number | null, used: number, available: number | null, more: object = {}) => ({
  ...{ projectExternalId: 'blue', isDefault: false, quota: { resourceClassName, consumerType: null, amount }, used, available },
  ...more,
});
const ofInstances = use(null, 2, 1, 1, { quota: { resourceClassName: null, consumerType: 'INSTANCE', amount: 2 } });

describe('what is used of quotas', () => {
  test('is shown with what is left, for the project and the one above', async () => {
    expect((await ask('admin', uses)).data).toEqual({
      project: {
        quotaUses: [
          use('VCPU', null, 8, null),
          use('DISK_GB', 50, 0, 50, { isDefault: true }),
          ofInstances,
          use('VCPU', 20, 8, 12, { projectExternalId: 'above' }),
          use('DISK_GB', 50, 0, 50, { isDefault: true, projectExternalId: 'above' }),
        ],
      },
    });
  });

  test('is shown to readers of the project without what other projects hold', async () => {
    expect((await ask('reader', uses)).data).toEqual({
      project: { quotaUses: [use('VCPU', null, 8, null), use('DISK_GB', 50, 0, 50, { isDefault: true }), ofInstances] },
    });
    expect(refusalOf(await ask('reader', '{ quotaSettings(project: "blue") { generation } }'))).toContain('FORBIDDEN');
  });
});

describe('a claim beyond a quota', () => {
  const claim = (consumer: string) => `mutation { replaceAllocations(input: { consumers: {
    consumer: "${uuidOf(consumer)}", expect: { isNew: true }, project: "blue", user: "u1", consumerType: "INSTANCE",
    hold: { allocations: { resourceProvider: "${uuidOf('host')}", resources: { resourceClass: "VCPU", amount: 13 } } }
  } }) { userErrors { code path retry message ... on QuotaExceeded { consumerUuid projectExternalId quota { resourceClassName amount } used requested } } } }`;

  test('is refused with whose quota it is, what is used of it and what was asked', async () => {
    expect((await ask('admin', claim('second'))).data?.replaceAllocations).toEqual({
      userErrors: [
        {
          ...{ code: 'QUOTA_EXCEEDED', path: ['consumers', '0'], retry: 'LATER' },
          message: 'Project above may have 20 of VCPU: it has 8, and the write would add 13. Release some, or have the quota raised.',
          ...{ consumerUuid: uuidOf('second'), projectExternalId: 'above' },
          ...{ quota: { resourceClassName: 'VCPU', amount: 20 }, used: 8, requested: 13 },
        },
      ],
    });
  });

  test('is refused in REST only if quotas are on there, with the words of oslo.limit', async () => {
    const route = `PUT /allocations/${uuidOf('third')}`;
    const body = {
      ...{ allocations: { [uuidOf('host')]: { resources: { VCPU: 13 } } }, project_id: 'blue', user_id: 'u1' },
      ...{ consumer_generation: null, consumer_type: 'INSTANCE' },
    };
    const refused = await restWithQuotas.ask(route, { body });
    expect([refused.status, refused.code, refused.message]).toEqual([
      403,
      'placement.quota_exceeded',
      'Project above is over a limit for [Resource VCPU is over limit of 20 due to current usage 8 and delta 13]',
    ]);
    expect((await rest.ask(route, { body })).status).toBe(204);
    const released = { ...body, allocations: { [uuidOf('host')]: { resources: { VCPU: 1 } } }, consumer_generation: 1 };
    expect((await restWithQuotas.ask(route, { body: released })).status).toBe(204);
    expect((await restWithQuotas.ask(`DELETE /allocations/${uuidOf('third')}`)).status).toBe(204);
  });
});

test('a quota for an aggregate is set, shown and refused with its uuid and name', async () => {
  const seed = createSeed(database.db);
  await seed.provider('zoned', { inventories: { VCPU: 100 }, aggregates: ['east', 'unnamed'] });
  await seed.write('name_aggregate', { aggregate: uuidOf('east'), name: 'East' });
  const { data } = await ask(
    'admin',
    `mutation { replaceQuotas(input: { expect: { generation: 0 }, project: "red", quotas: [
      { resourceClass: "VCPU", aggregate: "${uuidOf('east')}", amount: 4 }, { aggregate: "${uuidOf('unnamed')}", amount: 2 }
    ] }) { quotaSettings { quotas { resourceClassName aggregateUuid aggregateName } } userErrors { code } }
    unknown: replaceQuotas(input: { expect: { unchecked: true }, project: "red", quotas: { aggregate: "${uuidOf('nowhere')}", amount: 1 } }) {
      userErrors { code path ... on NotFound { noun key } }
    } }`,
  );
  const [east, unnamed] = [
    { aggregateUuid: uuidOf('east'), aggregateName: 'East' },
    { aggregateUuid: uuidOf('unnamed'), aggregateName: uuidOf('unnamed') },
  ];
  expect(data).toEqual({
    replaceQuotas: {
      quotaSettings: {
        quotas: [
          { resourceClassName: 'VCPU', ...east },
          { resourceClassName: null, ...unnamed },
        ],
      },
      userErrors: [],
    },
    unknown: { userErrors: [{ code: 'NOT_FOUND', path: ['quotas', '0', 'aggregate'], noun: 'AGGREGATE', key: uuidOf('nowhere') }] },
  });
  await seed.claim('zoned one', { zoned: { VCPU: 3 } }, { project: 'red' });
  const shown = await ask('admin', '{ project(externalId: "red") { quotaUses { isDefault used available quota { aggregateName } } } }');
  expect(shown.data).toEqual({
    project: {
      quotaUses: expect.arrayContaining([
        { isDefault: false, used: 3, available: 1, quota: { aggregateName: 'East' } },
        { isDefault: false, used: 1, available: 1, quota: { aggregateName: uuidOf('unnamed') } },
        { isDefault: true, used: 3, available: 2, quota: { aggregateName: null } },
      ]),
    },
  });
  const body = {
    ...{ allocations: { [uuidOf('zoned')]: { resources: { VCPU: 2 } } }, project_id: 'red', user_id: 'u1' },
    ...{ consumer_generation: null, consumer_type: 'INSTANCE' },
  };
  const refused = await restWithQuotas.ask(`PUT /allocations/${uuidOf('zoned two')}`, { body });
  expect([refused.status, refused.code, refused.message]).toEqual([
    403,
    'placement.quota_exceeded',
    `Project red is over a limit for [Resource VCPU in aggregate ${uuidOf('east')} is over limit of 4 due to current usage 3 and delta 2]`,
  ]);
});
