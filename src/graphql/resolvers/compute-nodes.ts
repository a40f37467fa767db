// Compute nodes as Nova's old records, and their reports.
import { invalidInput, relabel } from '../../domain/errors.ts';
import { renderComputeNode } from '../../nova/compute-nodes/compute-node-object.ts';
import {
  type ComputeNode,
  computeNodeOfRoot,
  findComputeNode,
  listComputeNodes,
  reportComputeNode,
} from '../../nova/compute-nodes/compute-nodes.ts';
import { deleteComputeNode } from '../../nova/compute-nodes/deletion.ts';
import { importComputeNodes } from '../../nova/compute-nodes/old-records.ts';
import { supportsPciRequests } from '../../nova/numa/pci-support.ts';
import { listPciDevices } from '../../nova/pci/pci-devices.ts';
import { poolsOf } from '../../nova/pci/pci-pools.ts';
import { poolToDict, type StoredPool } from '../../nova/pci/stored-pools.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { deleted, mutation, nothingDeleted } from './mutation.ts';

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
    reportComputeNode: mutation({ computeNode: null, changes: [], warnings: [] }, (input, scope) => reportComputeNode(scope, input)),
    deleteComputeNode: mutation(nothingDeleted, async (input, scope) => deleted('ComputeNode', await deleteComputeNode(scope, input))),
    importComputeNodes: mutation({ imported: 0 }, async ({ records }, scope) => ({ imported: await importComputeNodes(scope, records) })),
  },
  ComputeNode: {
    id: ({ uuid }) => renderNodeId('ComputeNode', uuid),
    reportedAt: async ({ uuid, reportedAt }, _, scope) =>
      (reportedAt === undefined ? await computeNodeOfRoot(scope, uuid) : { reportedAt })?.reportedAt ?? null,
    serviceHost: ({ facts }) => facts?.host ?? null,
    hypervisorType: ({ facts }) => facts?.hypervisorType ?? null,
    hypervisorVersion: ({ facts }) => facts?.hypervisorVersion ?? null,
    resourceProvider: ({ uuid, hasInventories }, _, { loaders }) => (hasInventories ? loaders.providerByUuid.load(uuid) : null),
    pciDevicePools: listPools,
    pciStats: async (node, _, scope) => JSON.stringify((await listPools(node, {}, scope)).map(poolToDict)),
    supportsPciRequests: (computeNode, { requests, numaCells }, scope) => supportsPciRequests(scope, { computeNode, requests, numaCells }),
    object: (node, receiver, scope) =>
      relabel(
        async () => renderComputeNode(node, await listPools(node, {}, scope), receiver),
        () => [typeof receiver.version === 'string' ? 'version' : 'manifest'],
      ),
  },
  ComputeNodeConnection: connectionResolvers,
  PciDevicePool: { tags: ({ tags }) => Object.entries(tags).map(([key, value]) => ({ key, value })) },
} satisfies Resolvers;

/** The pools that are recorded of a node, or else those of its devices. */
async function listPools({ uuid, pools }: ComputeNode, _: unknown, scope: RequestScope): Promise<readonly StoredPool[]> {
  return pools ?? poolsOf(await listPciDevices(scope, uuid));
}
