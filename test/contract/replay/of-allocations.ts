// Rows for allocations, claims that search for candidates, and whole trees.
import { expect } from 'vitest';
import { claim, hold, isNew } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';
import { at, type Cloud, holder, holding, type Row, release, remove, rename, stock, take } from './row.ts';

const twoHosts = async ({ seed }: Cloud) => {
  await seed.provider('cn1', { inventories: { VCPU: 4 } });
  await seed.provider('cn2', { inventories: { VCPU: 4 } });
};
const providers = 'resourceProviders { name generation }';
const vcpus = (amount: number) => ({ groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }] });
const seeker = (consumer: string) => ({ consumer: uuidOf(consumer), expect: isNew, project: 'p1', user: 'u1', consumerType: 'INSTANCE' });
const candidate =
  '{ claimToken root { name generation } allocations { amount resourceProvider { name generation } resourceClass { name } } mappings { suffix resourceProviders { name } } }';

/** A candidate in the answer: VCPU of one host. */
const onHost = (name: string, generation: number, amount: number) => ({
  claimToken: expect.any(String),
  root: { name, generation },
  allocations: [{ amount, resourceProvider: { name, generation }, resourceClass: { name: 'VCPU' } }],
  mappings: [{ suffix: null, resourceProviders: [{ name }] }],
});

const quotas = (amount: number) => [{ resourceClass: 'VCPU', amount }];

export const rowsOfAllocations: readonly Row[] = [
  {
    mutation: 'replaceQuotas',
    sentence: 'the first quotas of a project, and then others',
    input: { expect: { generation: 0 }, project: 'p1', parentProject: 'above', quotas: quotas(10) },
    fields: 'quotaSettings { generation parentProjectExternalId quotas { resourceClassName consumerType userExternalId amount } }',
    answer: {
      quotaSettings: {
        ...{ generation: 1, parentProjectExternalId: 'above' },
        quotas: [{ resourceClassName: 'VCPU', consumerType: null, userExternalId: null, amount: 10 }],
      },
    },
    event: 'REPLACE_QUOTAS',
    meanwhile: ({ write }) => write('replaceQuotas', { expect: { generation: 1 }, project: 'p1', quotas: quotas(5) }),
    other: { quotas: quotas(20) },
  },
  {
    mutation: 'replaceAllocations',
    sentence: 'a consumer takes a host, moves to another, and its first host goes',
    before: twoHosts,
    input: { consumers: [claim('vm', 'cn1', 2), { ...claim('nobody', 'cn1', 1), hold: { allocations: [] } }] },
    fields: `consumers ${holder} ${providers}`,
    answer: {
      consumers: [holding('vm', 1, [['cn1', 2, 'VCPU', 2]]), null],
      resourceProviders: [{ name: 'cn1', generation: 2 }],
    },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      const moved = { consumer: uuidOf('vm'), expect: { generation: 1 }, hold: hold('cn2', 'VCPU', 1), project: 'p2', user: 'u2' };
      await cloud.write('replaceAllocations', { consumers: [moved] });
      await remove(cloud, 'cn1');
    },
    other: { consumers: [claim('vm', 'cn1', 3)] },
  },
  {
    mutation: 'replaceAllocations',
    sentence: 'all passes to another consumer, which releases it',
    before: async (cloud) => {
      await twoHosts(cloud);
      await cloud.seed.claim('vm', { cn1: { VCPU: 2 }, cn2: { VCPU: 1 } });
    },
    input: {
      consumers: [
        { consumer: uuidOf('twin'), expect: isNew, hold: { takeFrom: uuidOf('vm') }, consumerType: 'MIGRATION' },
        { consumer: uuidOf('vm'), expect: { generation: 1 }, hold: { allocations: [] } },
      ],
    },
    fields: `consumers ${holder} ${providers}`,
    answer: {
      consumers: [
        holding(
          'twin',
          1,
          [
            ['cn1', 3, 'VCPU', 2],
            ['cn2', 3, 'VCPU', 1],
          ],
          'MIGRATION',
        ),
        null,
      ],
      resourceProviders: [
        { name: 'cn1', generation: 3 },
        { name: 'cn2', generation: 3 },
      ],
    },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await release(cloud, 'twin');
      await remove(cloud, 'cn1');
    },
    other: { consumers: [claim('vm', 'cn1', 3)] },
  },
  {
    mutation: 'releaseAllocations',
    sentence: 'a consumer goes and comes back, and keeps what it holds',
    before: async (cloud) => {
      await twoHosts(cloud);
      await cloud.seed.claim('vm', { cn1: { VCPU: 2 } });
    },
    input: { consumers: ['vm', 'nobody'].map((name) => ({ consumer: uuidOf(name), expect: { unchecked: true } })) },
    fields: `releasedConsumerUuids ${providers}`,
    answer: { releasedConsumerUuids: [uuidOf('vm')], resourceProviders: [{ name: 'cn1', generation: 3 }] },
    event: 'RELEASE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await cloud.seed.claim('vm', { cn2: { VCPU: 2 } });
      await cloud.seed.claim('nobody', { cn2: { VCPU: 1 } });
    },
    other: { consumers: [{ consumer: uuidOf('nobody'), expect: { unchecked: true } }] },
  },
  {
    mutation: 'setExpiry',
    sentence: 'a consumer that expires is confirmed, and expires again later',
    before: async (cloud) => {
      await twoHosts(cloud);
      await cloud.write('replaceAllocations', { consumers: [{ ...claim('vm', 'cn1', 2), expiry: { afterSeconds: 600 } }] });
    },
    input: { consumers: [{ consumer: uuidOf('vm'), expect: { generation: 1 }, expiry: { never: true } }] },
    fields: `consumers { expiresAt ${holder.slice(1)}`,
    answer: { consumers: [{ expiresAt: null, ...holding('vm', 2, [['cn1', 2, 'VCPU', 2]]) }] },
    event: 'SET_EXPIRY',
    meanwhile: async (cloud) => {
      await cloud.write('setExpiry', { consumers: [{ consumer: uuidOf('vm'), expect: { generation: 2 }, expiry: { afterSeconds: 60 } }] });
      await release(cloud, 'vm');
    },
    other: { consumers: [{ consumer: uuidOf('vm'), expect: { generation: 1 }, expiry: { afterSeconds: 5 } }] },
  },
  {
    mutation: 'replaceReservation',
    sentence: 'a reservation is made, is moved, and goes',
    before: twoHosts,
    input: {
      ...{ reservation: uuidOf('day'), expect: isNew, project: 'p1', startsAt: '2098-01-01T09:00:00Z', endsAt: '2098-01-01T17:00:00Z' },
      hold: hold('cn1', 'VCPU', 2),
    },
    fields: 'reservation { uuid generation project { externalId } startsAt endsAt hasBegun }',
    answer: {
      reservation: {
        ...{ uuid: uuidOf('day'), generation: 1, project: { externalId: 'p1' }, hasBegun: false },
        ...{ startsAt: '2098-01-01T09:00:00Z', endsAt: '2098-01-01T17:00:00Z' },
      },
    },
    event: 'REPLACE_RESERVATION',
    meanwhile: async ({ write }) => {
      const expect = { generation: 1 };
      await write('replaceReservation', {
        reservation: uuidOf('day'),
        expect,
        endsAt: '2099-01-01T17:00:00Z',
        hold: hold('cn2', 'VCPU', 1),
      });
      await write('releaseReservation', { reservation: uuidOf('day'), expect: { generation: 2 } });
    },
    other: { hold: hold('cn1', 'VCPU', 3) },
  },
  {
    mutation: 'releaseReservation',
    sentence: 'a reservation goes, and is made again',
    before: async ({ seed }) => {
      await seed.provider('cn1', { inventories: { VCPU: 4 } });
      await seed.reservation('day', { cn1: { VCPU: 2 } });
    },
    input: { reservation: uuidOf('day'), expect: { generation: 1 } },
    fields: 'releasedUuid',
    answer: { releasedUuid: uuidOf('day') },
    event: 'RELEASE_RESERVATION',
    meanwhile: ({ seed }) => seed.reservation('day', { cn1: { VCPU: 1 } }),
    other: { expect: { unchecked: true } },
  },
  {
    mutation: 'claim',
    sentence: 'a host is found, and alternates, of which none is as it was in the end',
    before: async (cloud) => {
      await twoHosts(cloud);
      for (const name of ['cn3', 'cn4']) await cloud.seed.provider(name, { inventories: { VCPU: 4 } });
    },
    input: { consumers: [seeker('vm')], request: vcpus(2), alternates: 2 },
    fields: `claims { consumer ${holder} candidate ${candidate} alternateCandidates ${candidate} } ${providers}`,
    answer: {
      claims: [
        {
          consumer: holding('vm', 1, [['cn1', 2, 'VCPU', 2]]),
          candidate: onHost('cn1', 2, 2),
          alternateCandidates: [onHost('cn2', 1, 2), onHost('cn3', 1, 2)],
        },
      ],
      resourceProviders: [{ name: 'cn1', generation: 2 }],
    },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
      await rename(cloud, 'cn2');
      await stock(cloud, 'cn3', { VCPU: 1 });
    },
    other: { alternates: 1 },
  },
  {
    mutation: 'claim',
    sentence: 'two of three are served as far as there is room, and the third could be later',
    before: ({ seed }) => seed.provider('cn1', { inventories: { VCPU: 4 } }),
    input: { consumers: ['a', 'b', 'c'].map(seeker), request: vcpus(2), mode: 'BEST_EFFORT' },
    fields: `claims { consumer ${holder} candidate ${candidate} alternateCandidates ${candidate} } ${providers}
      userErrors { ... on NoCandidates { consumerUuid explanation { summary steps { rootsBefore rootsAfter } } } }`,
    answer: {
      claims: ['a', 'b'].map((name) => ({
        consumer: holding(name, 1, [['cn1', 2, 'VCPU', 2]]),
        candidate: onHost('cn1', 2, 2),
        alternateCandidates: [],
      })),
      resourceProviders: [{ name: 'cn1', generation: 2 }],
    },
    userErrors: [
      {
        ...{ __typename: 'NoCandidates', code: 'NO_CANDIDATES', path: ['consumers', '2'], retry: 'LATER' },
        message: expect.any(String),
        ...{ consumerUuid: uuidOf('c'), explanation: { summary: expect.any(String), steps: expect.any(Array) } },
      },
    ],
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: ({ seed }) => seed.provider('cn2', { inventories: { VCPU: 4 } }),
    other: { mode: 'ALL_OR_NOTHING' },
  },
];

/** A change of a tree at a provider, in the answer: only the given fields. */
const changeOf = (provider: string, change: object) => ({ resourceProviderUuid: uuidOf(provider), inventories: [], ...change });
const renamed = (before: string | null, after: string | null) => ({ name: { before, after } });

export const rowsOfTrees: readonly Row[] = [
  {
    mutation: 'reshape',
    sentence: 'VCPU and who holds it pass from a host to its NUMA cell, which has too little; then all of it goes',
    before: async ({ seed }) => {
      await seed.provider('cn1', { inventories: { VCPU: 8, DISK_GB: 10 } });
      await seed.provider('cn1_numa0', { parent: 'cn1', inventories: { MEMORY_MB: 512 } });
      await seed.claim('vm', { cn1: { VCPU: 2 } });
      await seed.claim('other', { cn1_numa0: { MEMORY_MB: 256 } });
    },
    input: {
      resourceProviders: [
        { ...at('cn1'), inventories: [{ resourceClass: 'DISK_GB', total: 10 }] },
        {
          ...at('cn1_numa0'),
          inventories: [
            { resourceClass: 'VCPU', total: 8 },
            { resourceClass: 'MEMORY_MB', total: 128 },
          ],
        },
      ],
      consumers: [{ consumer: uuidOf('vm'), expect: { generation: 1 }, hold: hold('cn1_numa0', 'VCPU', 2) }],
    },
    fields: `consumers ${holder} resourceProviders { name generation inventories { total used resourceClass { name } } }
      warnings { code inventory { total used resourceProvider { name } } }`,
    answer: {
      consumers: [holding('vm', 2, [['cn1_numa0', 5, 'VCPU', 2]])],
      resourceProviders: [
        { name: 'cn1', generation: 5, inventories: [{ total: 10, used: 0, resourceClass: { name: 'DISK_GB' } }] },
        {
          ...{ name: 'cn1_numa0', generation: 5 },
          inventories: [
            { total: 8, used: 2, resourceClass: { name: 'VCPU' } },
            { total: 128, used: 256, resourceClass: { name: 'MEMORY_MB' } },
          ],
        },
      ],
      warnings: [{ code: 'SHRUNK_BELOW_USE', inventory: { total: 128, used: 256, resourceProvider: { name: 'cn1_numa0' } } }],
    },
    event: 'RESHAPE',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm', 'other');
      await remove(cloud, 'cn1_numa0');
      await stock(cloud, 'cn1', { VCPU: 8 });
    },
    other: { consumers: [] },
  },
  {
    mutation: 'applyProviderTree',
    sentence: 'a tree loses one provider and gets another, one inventory is too small; then others change it',
    before: async (cloud) => {
      await cloud.seed.provider('cn1', { inventories: { VCPU: 4 } });
      await cloud.seed.provider('old gpu', { parent: 'cn1' });
      await take(cloud, 'cn1', 3);
    },
    input: {
      root: uuidOf('cn1'),
      resourceProviders: [
        { uuid: uuidOf('cn1'), name: 'compute 1', expect: { generation: 2 }, inventories: [{ resourceClass: 'VCPU', total: 2 }] },
        { uuid: uuidOf('gpu'), name: 'new gpu', parentName: 'compute 1', inventories: [{ resourceClass: 'VGPU', total: 1 }] },
      ],
    },
    fields: `applied root { uuid name generation } changes { action
      ... on ResourceProviderChange { resourceProviderUuid name { before after } inventories { resourceClassName before { total } after { total } } } }
      warnings { code inventory { total used resourceProvider { name generation } } }`,
    answer: {
      applied: true,
      root: { uuid: uuidOf('cn1'), name: 'compute 1', generation: 3 },
      changes: [
        changeOf('cn1', {
          ...{ action: 'CHANGED', ...renamed('cn1', 'compute 1') },
          inventories: [{ resourceClassName: 'VCPU', before: { total: 4 }, after: { total: 2 } }],
        }),
        changeOf('gpu', {
          ...{ action: 'CREATED', ...renamed(null, 'new gpu') },
          inventories: [{ resourceClassName: 'VGPU', before: null, after: { total: 1 } }],
        }),
        changeOf('old gpu', { action: 'DELETED', ...renamed('old gpu', null) }),
      ],
      warnings: [{ code: 'SHRUNK_BELOW_USE', inventory: { total: 2, used: 3, resourceProvider: { name: 'compute 1', generation: 3 } } }],
    },
    event: 'APPLY_PROVIDER_TREE',
    meanwhile: async (cloud) => {
      await release(cloud, 'somebody else on cn1');
      await remove(cloud, 'gpu');
      await remove(cloud, 'cn1');
    },
    other: { dryRun: true },
  },
  {
    mutation: 'applyProviderTree',
    sentence: 'a tree that is so already, and is renamed',
    before: ({ seed }) => seed.provider('cn1', { inventories: { VCPU: 4 } }),
    input: { root: uuidOf('cn1'), resourceProviders: [{ uuid: uuidOf('cn1'), name: 'cn1' }] },
    fields: 'applied root { uuid name generation } changes { action } warnings { code }',
    answer: { applied: true, root: { uuid: uuidOf('cn1'), name: 'cn1', generation: 1 }, changes: [], warnings: [] },
    event: null,
    meanwhile: (cloud) => rename(cloud, 'cn1'),
    other: { resourceProviders: [{ uuid: uuidOf('cn1'), name: 'cn2' }] },
  },
];
