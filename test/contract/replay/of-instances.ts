// Rows for instances of Nova: their placement, allocations, moves and audits.
import { expect } from 'vitest';
import { renderClaimToken } from '../../../src/operations/allocations/claim-token.ts';
import { uuidOf } from '../../support/seed.ts';
import { type Cloud, holder, holding, host, type Row, release, remove, rename, take } from './row.ts';

const flavor = { fields: { vcpus: 2, memoryMb: 512, rootGb: 10 } };
const owner = { project: 'p1', user: 'u1' };
const vm = { instanceRecord: { fields: { uuid: uuidOf('vm'), ...owner, flavor } } };
/** The amounts of the flavor by class, in the order in which allocations are shown. */
const amounts = [
  ['VCPU', 2],
  ['MEMORY_MB', 512],
  ['DISK_GB', 10],
] as const;

const serviceOf = (version: number) => ({ service: { fields: { host: 'host 1', binary: 'nova-compute', version } } });

/** The instance with its flavor on one host. */
const running = (name: string, ofProvider: number, generation = 1, consumer = 'vm', type = 'INSTANCE') =>
  holding(
    consumer,
    generation,
    amounts.map(([resourceClass, amount]) => [name, ofProvider, resourceClass, amount]),
    type,
  );

/** The token of a candidate that takes the flavor of one host. */
const tokenOf = (name: string) =>
  renderClaimToken([{ resourceProvider: uuidOf(name), resources: amounts.map(([resourceClass, amount]) => ({ resourceClass, amount })) }]);

const hosts = async (cloud: Cloud) => {
  for (const name of ['cn1', 'cn2', 'cn3']) await host(cloud, name, 4, ['cell']);
};
const boot = ({ write }: Cloud, name: string) => write('claimInstance', { hostedInstance: vm, computeNode: uuidOf(name) });
const hostsWithVm = async (cloud: Cloud) => {
  await hosts(cloud);
  await boot(cloud, 'cn1');
};

const candidate = 'cell { uuid name } candidate { root { name generation } allocations { amount } } object';
const selection = (name: string, generation: number) => ({
  cell: { uuid: uuidOf('cell'), name: uuidOf('cell') },
  candidate: { root: { name, generation }, allocations: amounts.map(([, amount]) => ({ amount })) },
  object: expect.stringContaining(uuidOf(name)),
});

const partiesOf = (migration: string) => ({ migrationRecord: { fields: { uuid: uuidOf(migration), instance: uuidOf('vm') } } });
const parties = partiesOf('move');
/** The start of a move whose instance holds its source, and of one whose source already passed to the migration. */
const start = { ...parties, expect: { generation: 1 } };
const resume = { ...parties, expect: { isNew: true } };
const step = `changed instance ${holder} migration ${holder}`;
/** The source is the migration's, the destination the instance's. */
const moving = async (cloud: Cloud) => {
  await hostsWithVm(cloud);
  await cloud.write('startMigration', { ...start, selection: { claimToken: tokenOf('cn2') } });
};
/** Releases everything and deletes the hosts. */
const endOfAll = async (cloud: Cloud) => {
  await release(cloud, 'vm', 'move');
  for (const name of ['cn1', 'cn2']) await remove(cloud, name);
};

/** In the audit of a host: a deleted consumer, and an unknown one. */
const removedOne = { consumerUuid: uuidOf('deleted'), verdict: 'STALE', reason: 'DELETED', removed: true, consumer: null };
const kept = {
  ...{ consumerUuid: uuidOf('stranger'), verdict: 'SUSPECT', reason: 'UNKNOWN', removed: false },
  consumer: { uuid: uuidOf('stranger'), generation: 1 },
};
const audited = (auditedAllocations: readonly object[], ...kinds: readonly string[]) => ({
  auditedAllocations,
  auditedInstances: [
    {
      ...{ instanceUuid: uuidOf('vm'), state: 'MISSING', repaired: true },
      expectedAmounts: amounts.map(([resourceClass, amount]) => ({ resourceClass, amount })),
      instance: running('cn1', 7),
    },
  ],
  events: kinds.map((kind) => ({ id: expect.any(String), kind })),
});

export const rowsOfInstances: readonly Row[] = [
  {
    mutation: 'selectDestinations',
    sentence: 'a host and an alternate of its cell; then the hosts go, the cell gets a name and the services are new',
    before: async (cloud) => {
      await hosts(cloud);
      await cloud.write('reportService', serviceOf(16));
    },
    input: {
      instances: [{ instance: uuidOf('vm'), ...owner }],
      requestFrom: { flavorToRequest: { flavor } },
      cells: [uuidOf('cell')],
      alternates: 1,
    },
    fields: `destinations { instance ${holder} selected { ${candidate} } alternates { ${candidate} } } warnings { code subject message }`,
    answer: {
      destinations: [{ instance: running('cn1', 4), selected: selection('cn1', 4), alternates: [selection('cn2', 3)] }],
      warnings: [{ code: 'OWNERS_NOT_CHECKED', subject: null, message: expect.stringContaining('the oldest has ') }],
    },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await cloud.write('reportService', serviceOf(99));
      await cloud.write('nameAggregate', { aggregate: uuidOf('cell'), name: 'cell 1' });
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
      await rename(cloud, 'cn2');
    },
    other: { alternates: 2 },
  },
  {
    mutation: 'selectDestinations',
    sentence: 'a host and an alternate of the cells of the settings, which then are others and would refuse the flavor',
    needs: 'replaceNovaSettings',
    before: async (cloud) => {
      await hosts(cloud);
      await cloud.write('reportService', serviceOf(16));
      await cloud.write('replaceNovaSettings', { expect: { generation: 0 }, settings: { cells: [uuidOf('cell')] } });
    },
    input: {
      instances: [{ instance: uuidOf('vm'), ...owner }],
      requestFrom: {
        flavorToRequest: { flavor: { fields: { ...flavor.fields, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'card:1' }] } } },
      },
      alternates: 1,
    },
    fields: `destinations { instance ${holder} selected { ${candidate} } alternates { ${candidate} } } warnings { code subject }`,
    answer: {
      destinations: [{ instance: running('cn1', 4), selected: selection('cn1', 4), alternates: [selection('cn2', 3)] }],
      warnings: [
        { code: 'EXTRA_SPEC_NOT_CHECKED', subject: 'pci_passthrough:alias' },
        { code: 'OWNERS_NOT_CHECKED', subject: null },
      ],
    },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await cloud.write('replaceNovaSettings', { expect: { generation: 1 }, settings: { pciPassthrough: { aliases: [] } } });
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
    },
    other: { alternates: 2 },
  },
  {
    mutation: 'claimAlternate',
    sentence: 'the first alternate is full, the second is taken, and goes',
    before: async (cloud) => {
      await hostsWithVm(cloud);
      await take(cloud, 'cn2', 4);
    },
    input: { instance: uuidOf('vm'), expect: { generation: 1 }, selections: ['cn2', 'cn3'].map((name) => ({ claimToken: tokenOf(name) })) },
    fields: `place changed instance ${holder}`,
    answer: { place: 1, changed: true, instance: running('cn3', 4, 2) },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm', 'somebody else on cn2');
      await remove(cloud, 'cn3');
    },
    other: { selections: [{ claimToken: tokenOf('cn3') }] },
  },
  {
    mutation: 'claimAlternate',
    sentence: 'the instance holds an alternate already, and then something else',
    before: hostsWithVm,
    input: { instance: uuidOf('vm'), expect: { generation: 1 }, selections: ['cn3', 'cn1'].map((name) => ({ claimToken: tokenOf(name) })) },
    fields: `place changed instance ${holder}`,
    answer: { place: 1, changed: false, instance: running('cn1', 4) },
    event: null,
    meanwhile: async (cloud) => {
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
    },
    other: { selections: [{ claimToken: tokenOf('cn1') }] },
  },
  {
    mutation: 'claimInstance',
    sentence: 'an instance holds its flavor, then nothing, and its host goes',
    before: hosts,
    input: { hostedInstance: vm, computeNode: uuidOf('cn1') },
    fields: `changed instance ${holder}`,
    answer: { changed: true, instance: running('cn1', 4) },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
    },
    other: { computeNode: uuidOf('cn2') },
  },
  {
    mutation: 'claimInstance',
    sentence: 'an instance that holds its flavor already, and then nothing',
    before: hostsWithVm,
    input: { hostedInstance: vm, computeNode: uuidOf('cn1') },
    fields: `changed instance ${holder}`,
    answer: { changed: false, instance: running('cn1', 4) },
    event: null,
    meanwhile: async (cloud) => {
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
    },
    other: { computeNode: uuidOf('cn2') },
  },
  {
    mutation: 'startMigration',
    sentence: 'source and destination in one step, which is reverted',
    before: hostsWithVm,
    input: { ...start, selection: { claimToken: tokenOf('cn2') } },
    fields: step,
    answer: { changed: true, instance: running('cn2', 4, 2), migration: running('cn1', 5, 1, 'move', 'MIGRATION') },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await cloud.write('endMigration', { ...parties, outcome: 'REVERTED' });
      await endOfAll(cloud);
    },
    other: { selection: { claimToken: tokenOf('cn3') } },
  },
  {
    mutation: 'startMigration',
    sentence: 'the destination after the source, and all of it goes',
    before: async (cloud) => {
      await hostsWithVm(cloud);
      await cloud.write('startMigration', start);
    },
    input: { ...resume, selection: { claimToken: tokenOf('cn2') } },
    fields: step,
    answer: { changed: true, instance: running('cn2', 4), migration: running('cn1', 5, 1, 'move', 'MIGRATION') },
    event: 'REPLACE_ALLOCATIONS',
    meanwhile: endOfAll,
    other: { selection: { claimToken: tokenOf('cn3') } },
  },
  {
    mutation: 'startMigration',
    sentence: 'a move that has begun, and all of it goes',
    before: moving,
    input: { ...resume, selection: { claimToken: tokenOf('cn2') } },
    fields: step,
    answer: { changed: false, instance: running('cn2', 4, 2), migration: running('cn1', 5, 1, 'move', 'MIGRATION') },
    event: null,
    meanwhile: endOfAll,
    other: { selection: { claimToken: tokenOf('cn3') } },
  },
  {
    mutation: 'endMigration',
    sentence: 'the source goes, and then the instance',
    before: moving,
    input: { ...parties, outcome: 'CONFIRMED' },
    fields: step,
    answer: { changed: true, instance: running('cn2', 4, 2), migration: null },
    event: 'RELEASE_ALLOCATIONS',
    meanwhile: endOfAll,
    other: partiesOf('another move'),
  },
  {
    mutation: 'endMigration',
    sentence: 'a move that is over, and then the instance goes',
    before: async (cloud) => {
      await moving(cloud);
      await cloud.write('endMigration', { ...parties, outcome: 'CONFIRMED' });
    },
    input: { ...parties, outcome: 'CONFIRMED' },
    fields: step,
    answer: { changed: false, instance: running('cn2', 4, 2), migration: null },
    event: null,
    meanwhile: endOfAll,
    other: partiesOf('another move'),
  },
  {
    mutation: 'endMigration',
    sentence: 'the instance is back at its source, and goes',
    before: moving,
    input: { ...parties, outcome: 'REVERTED' },
    fields: step,
    answer: { changed: true, instance: running('cn1', 6, 3), migration: null },
    event: 'MOVE_ALLOCATIONS',
    meanwhile: endOfAll,
    other: partiesOf('another move'),
  },
  {
    mutation: 'endMigration',
    sentence: 'a move that never began, and then the instance goes',
    before: hostsWithVm,
    input: { ...parties, outcome: 'REVERTED' },
    fields: step,
    answer: { changed: false, instance: running('cn1', 4), migration: null },
    event: null,
    meanwhile: endOfAll,
    other: partiesOf('another move'),
  },
  {
    mutation: 'auditComputeNode',
    sentence: 'one who is deleted goes, one who is missing gets what it should; then both change, and the host goes',
    before: async (cloud) => {
      await hosts(cloud);
      await cloud.seed.claim('deleted', { cn1: { VCPU: 1 } });
      await cloud.seed.claim('stranger', { cn1: { VCPU: 1 } });
    },
    input: {
      ...{ computeNode: uuidOf('cn1'), host: 'host 1', removeStale: true, repair: true },
      instances: [vm],
      known: [{ instance: uuidOf('deleted'), deleted: true }],
    },
    fields: `auditedAllocations { consumerUuid verdict reason removed consumer { uuid generation } }
      auditedInstances { instanceUuid state repaired expectedAmounts { resourceClass amount } instance ${holder} } events { id kind }`,
    answer: audited([removedOne, kept], 'RELEASE_ALLOCATIONS', 'REPLACE_ALLOCATIONS'),
    event: 'RELEASE_ALLOCATIONS',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm', 'stranger');
      await cloud.seed.claim('deleted', { cn2: { VCPU: 1 } });
      await remove(cloud, 'cn1');
    },
    other: { removeStale: false },
  },
];
