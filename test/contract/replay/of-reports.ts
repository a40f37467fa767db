// Rows for reports of hosts, services and pools, and for the import of older records.
import { renderNodeId } from '../../../src/graphql/node-id.ts';
import { uuidOf } from '../../support/seed.ts';
import { type Row, release, remove } from './row.ts';

/** A report of the node with some fields replaced. */
const reportOf = (others: object = {}) => ({
  computeNodeRecord: {
    fields: {
      ...{ uuid: uuidOf('cn1'), serviceHost: 'host 1', hypervisorHostname: 'cn1', hypervisorType: 'QEMU' },
      ...{ vcpus: 16, memoryMb: 4096, localGb: 100, ...others },
    },
  },
  traits: ['HW_CPU_X86_AVX2'],
});
const report = reportOf();
const node = `computeNode { uuid hypervisorHostname serviceHost vcpus memoryMb localGb vcpusUsed runningVms hasInventories resourceProvider { uuid name generation } }
  changed changes { action ... on ResourceProviderChange { traitNamesAdded inventories { resourceClassName } } } warnings { code inventory { total used resourceProvider { name } } }`;

/** A node in the answer. */
const asReported = (vcpus: number, generation: number, rest: object = {}) => ({
  ...{ uuid: uuidOf('cn1'), hypervisorHostname: 'cn1', serviceHost: 'host 1', vcpus, memoryMb: 4096, localGb: 100 },
  ...{ vcpusUsed: 0, runningVms: 0, hasInventories: true, resourceProvider: { uuid: uuidOf('cn1'), name: 'cn1', generation } },
  ...rest,
});

const share = {
  uuid: uuidOf('nfs'),
  name: 'nfs',
  inventories: [{ resourceClass: 'DISK_GB', total: 1000 }],
  aggregates: [uuidOf('rack')],
};
const pool = 'changed resourceProvider { uuid name generation } warnings { code }';

const service = (name: string, version: number) => ({ service: { fields: { host: name, binary: 'nova-compute', version } } });

const settings = (cell: string) => ({ cells: [uuidOf(cell)], weightMultipliers: { ram: 2 } });

const old = (hypervisorHostname: string, vcpus = 8) => ({ fields: { hypervisorHostname, vcpus, memoryMb: 512, localGb: 10 } });

export const rowsOfReports: readonly Row[] = [
  {
    mutation: 'reportComputeNode',
    sentence: 'a new node, which reports something else and goes',
    input: report,
    fields: node,
    answer: {
      computeNode: asReported(16, 1),
      changed: true,
      changes: [
        {
          ...{ action: 'CREATED', traitNamesAdded: ['COMPUTE_NODE', 'HW_CPU_X86_AVX2', 'OWNER_NOVA'] },
          inventories: ['DISK_GB', 'MEMORY_MB', 'VCPU'].map((resourceClassName) => ({ resourceClassName })),
        },
      ],
      warnings: [],
    },
    event: 'APPLY_REPORT',
    meanwhile: async (cloud) => {
      await cloud.write('reportComputeNode', reportOf({ serviceHost: 'host 2', vcpus: 8 }));
      await remove(cloud, 'cn1');
    },
    other: reportOf({ vcpus: 8 }),
  },
  {
    mutation: 'reportComputeNode',
    sentence: 'a node with less than is used of it, which goes',
    before: async ({ write, seed }) => {
      await write('reportComputeNode', report);
      await seed.claim('vm', { cn1: { VCPU: 12 } });
    },
    input: reportOf({ vcpus: 2 }),
    fields: node,
    answer: {
      computeNode: asReported(2, 3, { vcpusUsed: 12, runningVms: 1 }),
      changed: true,
      changes: [{ action: 'CHANGED', traitNamesAdded: [], inventories: [{ resourceClassName: 'VCPU' }] }],
      warnings: [{ code: 'SHRUNK_BELOW_USE', inventory: { total: 2, used: 12, resourceProvider: { name: 'cn1' } } }],
    },
    event: 'APPLY_REPORT',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
    },
    other: reportOf({ vcpus: 1 }),
  },
  {
    mutation: 'reportComputeNode',
    sentence: 'a node of which nothing changed but its service, and which goes',
    before: ({ write }) => write('reportComputeNode', reportOf({ serviceHost: 'host 0' })),
    input: report,
    fields: node,
    answer: { computeNode: asReported(16, 1), changed: true, changes: [], warnings: [] },
    event: 'APPLY_REPORT',
    meanwhile: (cloud) => remove(cloud, 'cn1'),
    other: reportOf({ vcpus: 8 }),
  },
  {
    mutation: 'reportComputeNode',
    sentence: 'a node of which nothing changed, and which goes',
    before: ({ write }) => write('reportComputeNode', report),
    input: report,
    fields: node,
    answer: { computeNode: asReported(16, 1), changed: false, changes: [], warnings: [] },
    event: null,
    meanwhile: async (cloud) => {
      await cloud.seed.claim('vm', { cn1: { VCPU: 2 } });
      await release(cloud, 'vm');
      await remove(cloud, 'cn1');
    },
    other: reportOf({ vcpus: 8 }),
  },
  {
    mutation: 'deleteComputeNode',
    sentence: 'a node goes, and comes back under its uuid, which stays',
    before: ({ write }) => write('reportComputeNode', report),
    input: { computeNode: uuidOf('cn1') },
    fields: 'deletedId',
    answer: { deletedId: renderNodeId('ComputeNode', uuidOf('cn1')) },
    event: 'DELETE_RESOURCE_PROVIDER',
    meanwhile: ({ write }) => write('reportComputeNode', report),
    other: { computeNode: uuidOf('cn2') },
  },
  {
    mutation: 'deleteComputeNode',
    sentence: 'a node goes, and another takes over what is held of it, which goes',
    before: async ({ write, seed }) => {
      await write('reportComputeNode', report);
      await write('reportComputeNode', reportOf({ uuid: uuidOf('cn2'), hypervisorHostname: 'cn2' }));
      await seed.claim('vm', { cn1: { VCPU: 2 } });
    },
    input: { computeNode: uuidOf('cn1'), handOver: { computeNode: uuidOf('cn2') } },
    fields: 'deletedId',
    answer: { deletedId: renderNodeId('ComputeNode', uuidOf('cn1')) },
    event: 'DELETE_RESOURCE_PROVIDER',
    meanwhile: async (cloud) => {
      await release(cloud, 'vm');
      await remove(cloud, 'cn2');
    },
    other: { computeNode: uuidOf('cn1'), handOver: { evacuated: true } },
  },
  {
    mutation: 'importComputeNodes',
    sentence: 'one of two records is new, and none is the next time',
    before: ({ write }) => write('importComputeNodes', { records: [old('old 1', 4)] }),
    input: { records: ['old 1', 'old 2'].map((name) => old(name)) },
    fields: 'imported',
    answer: { imported: 1 },
    event: 'IMPORT_RECORDS',
    meanwhile: ({ write }) => write('reportComputeNode', reportOf({ uuid: null, hypervisorHostname: 'old 2' })),
    other: { records: [old('old 3')] },
  },
  {
    mutation: 'reportService',
    sentence: 'a service reports, an older one joins, and it is removed',
    before: ({ write }) => write('reportService', service('host 0', 62)),
    input: service('host 1', 60),
    fields: 'changed minimumComputeVersion',
    answer: { changed: true, minimumComputeVersion: 60 },
    event: 'REPORT_SERVICE',
    meanwhile: async ({ write }) => {
      await write('reportService', service('host 2', 50));
      await write('deleteService', { host: 'host 1', binary: 'nova-compute' });
    },
    other: service('host 1', 61),
  },
  {
    mutation: 'reportService',
    sentence: 'a service reports what is known, and then is removed',
    before: ({ write }) => write('reportService', service('host 1', 60)),
    input: service('host 1', 60),
    fields: 'changed minimumComputeVersion',
    answer: { changed: false, minimumComputeVersion: 60 },
    event: null,
    meanwhile: ({ write }) => write('deleteService', { host: 'host 1', binary: 'nova-compute' }),
    other: service('host 1', 61),
  },
  {
    mutation: 'deleteService',
    sentence: 'the last service goes and comes back, and then stays',
    before: ({ write }) => write('reportService', service('host 1', 60)),
    input: { host: 'host 1', binary: 'nova-compute' },
    fields: 'deletedId',
    answer: { deletedId: renderNodeId('Service', 'nova-compute/host 1') },
    event: 'REPORT_SERVICE',
    meanwhile: ({ write }) => write('reportService', service('host 1', 60)),
    other: { host: 'host 2' },
  },
  {
    mutation: 'replaceNovaSettings',
    sentence: 'the first settings, and then others',
    input: { expect: { generation: 0 }, settings: settings('cell 1') },
    fields: 'settings { generation cellUuids pciPassthrough { aliases { name } } weightMultipliers { ram cpu } }',
    answer: {
      settings: { generation: 1, cellUuids: [uuidOf('cell 1')], pciPassthrough: null, weightMultipliers: { ram: 2, cpu: null } },
    },
    event: 'REPLACE_SETTINGS',
    meanwhile: ({ write }) => write('replaceNovaSettings', { expect: { generation: 1 }, settings: settings('cell 2') }),
    other: { settings: settings('cell 3') },
  },
  {
    mutation: 'replaceNovaSettings',
    sentence: 'settings that are the same, and then are others',
    before: ({ write }) => write('replaceNovaSettings', { expect: { unchecked: true }, settings: settings('cell 1') }),
    input: { expect: { unchecked: true }, settings: settings('cell 1') },
    fields: 'settings { generation cellUuids }',
    answer: { settings: { generation: 1, cellUuids: [uuidOf('cell 1')] } },
    event: null,
    meanwhile: ({ write }) => write('replaceNovaSettings', { expect: { generation: 1 }, settings: {} }),
    other: { settings: settings('cell 3') },
  },
  {
    mutation: 'reportPool',
    sentence: 'a new pool, which reports something else and goes',
    input: share,
    fields: pool,
    answer: { changed: true, resourceProvider: { uuid: uuidOf('nfs'), name: 'nfs', generation: 1 }, warnings: [] },
    event: 'APPLY_PROVIDER_TREE',
    meanwhile: async (cloud) => {
      await cloud.write('reportPool', { ...share, name: 'another name' });
      await remove(cloud, 'nfs');
    },
    other: { name: 'ceph' },
  },
  {
    mutation: 'reportPool',
    sentence: 'a pool of which nothing changed, and which goes',
    before: ({ write }) => write('reportPool', share),
    input: share,
    fields: pool,
    answer: { changed: false, resourceProvider: { uuid: uuidOf('nfs'), name: 'nfs', generation: 1 }, warnings: [] },
    event: null,
    meanwhile: (cloud) => remove(cloud, 'nfs'),
    other: { name: 'ceph' },
  },
];
