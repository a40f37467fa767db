// Objects by their global id.
import { parseNodeId } from '../node-id.ts';
import { getNodes, kindOf } from '../node-rows.ts';
import type { Resolvers } from '../schema.generated.ts';

export const nodeResolvers = {
  Query: {
    node: async (_, { id }, scope) => (await getNodes(scope, [parseNodeId(id)]))[0] ?? null,
    nodes: (_, { ids }, scope) => getNodes(scope, ids.map(parseNodeId)),
  },
  Node: {
    __resolveType: (row) => kindOf(row),
  },
} satisfies Resolvers;
