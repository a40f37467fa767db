// Compute nodes as Nova's old records, and their reports.
import { invalidInput, relabel } from '../../domain/errors.ts';
import { renderComputeNode } from '../../nova/compute-nodes/compute-node-object.ts';
import { findComputeNode, listComputeNodes, reportComputeNode } from '../../nova/compute-nodes/compute-nodes.ts';
import { importComputeNodes } from '../../nova/compute-nodes/old-records.ts';
import { listPciDevices } from '../../nova/pci/pci-devices.ts';
import { osPciStats, poolsOf } from '../../nova/pci/pci-pools.ts';
import { supportsPciRequests } from '../../nova/pci/pci-support.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const computeNodeResolvers = {
  Query: {
    computeNode: (_, { uuid, name }, scope) => {
      if (typeof uuid === 'string' && typeof name !== 'string') return findComputeNode(scope, { uuid });
      if (typeof uuid !== 'string' && typeof name === 'string') return findComputeNode(scope, { name });
      throw invalidInput([], 'give exactly one of uuid and name');
    },
    computeNodes: (_, args, scope) => listComputeNodes(scope, args),
  },
  Mutation: {
    reportComputeNode: mutation({ computeNode: null, changed: false, changes: [], warnings: [] }, (input, scope) =>
      reportComputeNode(scope, input),
    ),
    importComputeNodes: mutation({ imported: 0 }, async ({ records }, scope) => ({ imported: await importComputeNodes(scope, records) })),
  },
  ComputeNode: {
    id: ({ uuid }) => renderNodeId('ComputeNode', uuid),
    serviceHost: ({ facts }) => facts?.host ?? null,
    hypervisorType: ({ facts }) => facts?.hypervisorType ?? null,
    hypervisorVersion: ({ facts }) => facts?.hypervisorVersion ?? null,
    resourceProvider: ({ uuid, hasInventories }, _, { loaders }) => (hasInventories ? loaders.providerByUuid.load(uuid) : null),
    pciDevicePools: async ({ uuid }, _, scope) => poolsOf(await listPciDevices(scope, uuid)),
    pciStats: async ({ uuid }, _, scope) => JSON.stringify(osPciStats(await listPciDevices(scope, uuid))),
    supportsPciRequests: ({ uuid, facts }, { requests, numaCells }, scope) =>
      supportsPciRequests(scope, { computeNode: uuid, sockets: facts?.sockets ?? {}, requests, numaCells }),
    object: (node, { version }, scope) =>
      relabel(
        async () => renderComputeNode(node, await listPciDevices(scope, node.uuid), version),
        () => ['version'],
      ),
  },
  ComputeNodeConnection: connectionResolvers,
  PciDevicePool: { tags: ({ tags }) => Object.entries(tags).map(([key, value]) => ({ key, value })) },
} satisfies Resolvers;
