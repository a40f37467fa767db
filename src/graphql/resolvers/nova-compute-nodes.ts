// Compute nodes in their old shape, and what nodes, pools and services report.
import { invalidInput } from '../../domain/errors.ts';
import { renderComputeNode } from '../../nova/compute-nodes/compute-node-object.ts';
import { findComputeNode, listComputeNodes, reportComputeNode } from '../../nova/compute-nodes/compute-nodes.ts';
import { importComputeNodes } from '../../nova/compute-nodes/old-records.ts';
import { listPciDevices } from '../../nova/pci/pci-devices.ts';
import { osPciStats, poolsOf } from '../../nova/pci/pci-pools.ts';
import { reportPool } from '../../nova/services/pools.ts';
import { minimumComputeVersion, parseService, removeService, reportService } from '../../nova/services/services.ts';
import { connectionResolvers } from '../connections.ts';
import type { MutationResolvers, Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const novaComputeNodeResolvers = {
  Query: {
    computeNode: (_, { uuid, name }, scope) => {
      if (typeof uuid === 'string' && typeof name !== 'string') return findComputeNode(scope, { uuid });
      if (typeof uuid !== 'string' && typeof name === 'string') return findComputeNode(scope, { name });
      throw invalidInput([], 'give exactly one of uuid and name');
    },
    computeNodes: (_, args, scope) => listComputeNodes(scope, args),
    minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope),
  },
  ComputeNode: {
    host: ({ facts }) => facts?.host ?? null,
    hypervisorType: ({ facts }) => facts?.hypervisorType ?? null,
    hypervisorVersion: ({ facts }) => facts?.hypervisorVersion ?? null,
    resourceProvider: ({ uuid, hasInventories }, _, { loaders }) => (hasInventories ? loaders.providerByUuid.load(uuid) : null),
    pciDevicePools: async ({ uuid }, _, scope) => poolsOf(await listPciDevices(scope, uuid)),
    pciStats: async ({ uuid }, _, scope) => JSON.stringify(osPciStats(await listPciDevices(scope, uuid))),
    object: async (node, { version }, scope) => renderComputeNode(node, await listPciDevices(scope, node.uuid), version),
  },
  ComputeNodeConnection: connectionResolvers,
  // Read only when asked for: most who report do not.
  ReportServicePayload: { minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope) },
  RemoveServicePayload: { minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope) },
  ReportPoolPayload: { resourceProvider: ({ pool }, _, { loaders }) => (pool === null ? null : loaders.providerByUuid.load(pool)) },
  PciDevicePool: { tags: ({ tags }) => Object.entries(tags).map(([key, value]) => ({ key, value })) },
} satisfies Resolvers;

export const novaReportMutations = {
  reportComputeNode: mutation({ computeNode: null, changed: false, changes: [], warnings: [] }, (input, scope) =>
    reportComputeNode(scope, input),
  ),
  importComputeNodes: mutation({ imported: 0 }, async ({ records }, scope) => ({ imported: await importComputeNodes(scope, records) })),
  reportService: mutation({ changed: false }, async (input, scope) => ({ changed: await reportService(scope, parseService(input)) })),
  removeService: mutation({ removed: false }, async (input, scope) => ({ removed: await removeService(scope, input) })),
  reportPool: mutation({ pool: null, changed: false, warnings: [] }, (input, scope) => reportPool(scope, input)),
} satisfies Pick<MutationResolvers, 'reportComputeNode' | 'importComputeNodes' | 'reportService' | 'removeService' | 'reportPool'>;
