// Reads objects by their global id, and knows the type of an object. Does not know how ids are encoded.
import type { Consumer } from '../domain/allocation.ts';
import { invalidInput } from '../domain/errors.ts';
import type { LedgerEvent } from '../domain/event.ts';
import { limits } from '../domain/limits.ts';
import type { Aggregate, Inventory, Provider, ResourceClass, Trait } from '../domain/provider.ts';
import type { Service } from '../domain/service.ts';
import { parseUuid } from '../domain/uuid.ts';
import { type ComputeNode, computeNodeOfRoot } from '../nova/compute-nodes/compute-nodes.ts';
import type { ProjectParent, UserParent } from '../operations/request/parents.ts';
import type { RequestScope } from '../operations/scope/scope.ts';

/** The rows of each type of object with a global id. */
export interface NodeRows {
  readonly ResourceProvider: Provider;
  readonly Inventory: Inventory;
  readonly ResourceClass: ResourceClass;
  readonly Trait: Trait;
  readonly Aggregate: Aggregate;
  readonly Consumer: Consumer;
  readonly Project: ProjectParent;
  readonly User: UserParent;
  readonly Event: LedgerEvent;
  readonly Service: Service;
  readonly ComputeNode: ComputeNode;
}
export type NodeKind = keyof NodeRows;
export type NodeRow = NodeRows[NodeKind];

/** Type and public key: a uuid, name or external id; for an inventory `<provider uuid>/<class>`, for a service `<binary>/<host>`. */
export interface NodeKey {
  readonly kind: NodeKind;
  readonly key: string;
}

// Rows of two types can have the same shape, so the type of each row is recorded here.
const kinds = new WeakMap<NodeRow, NodeKind>();

/** The type of a row that was found by its key; null for any other object. Does not throw: compiled operations do not catch what resolvers of types throw. */
export function kindOf(row: NodeRow): NodeKind | null {
  return kinds.get(row) ?? null;
}

const maxNodes = limits.nodeIds;

/** The objects in the order of their keys; null if a key is null or unknown. One statement for each type. Refuses INVALID_INPUT. */
export function getNodes(scope: RequestScope, keys: readonly (NodeKey | null)[]): Promise<(NodeRow | null)[]> {
  if (keys.length > maxNodes) throw invalidInput(['ids'], `ids must have at most ${maxNodes} elements, has ${keys.length}`);
  return Promise.all(keys.map((key) => (key === null ? null : findNode(scope, key))));
}

/** The object with a key; null if there is none, or if the caller may not know. */
export async function findNode<Kind extends NodeKind>(
  scope: RequestScope,
  { kind, key }: NodeKey & { readonly kind: Kind },
): Promise<NodeRows[Kind] | null> {
  if (!scope.sees(kind)) return null;
  const row = await finders[kind](scope, key);
  if (row) kinds.set(row, kind);
  return row;
}

const finders: { readonly [Kind in NodeKind]: (scope: RequestScope, key: string) => Promise<NodeRows[Kind] | null> | null } = {
  ResourceProvider: ({ loaders }, key) => byUuid(key, (uuid) => loaders.providerByUuid.load(uuid)),
  Inventory: async ({ loaders }, key) => {
    const [uuid = '', className] = key.split('/');
    const provider = await byUuid(uuid, (known) => loaders.providerByUuid.load(known));
    const inventories = provider ? await loaders.inventoriesByProvider.load(provider.id) : [];
    return inventories.find((inventory) => inventory.className === className) ?? null;
  },
  ResourceClass: ({ loaders }, key) => loaders.resourceClassByName.load(key),
  Trait: ({ loaders }, key) => loaders.traitByName.load(key),
  Aggregate: ({ loaders }, key) => byUuid(key, (uuid) => loaders.aggregateByUuid.load(uuid)),
  Consumer: ({ loaders }, key) => byUuid(key, (uuid) => loaders.consumerByUuid.load(uuid)),
  Project: ({ loaders }, key) => loaders.projectByExternalId.load(key),
  User: ({ loaders }, key) => loaders.userByExternalId.load(key),
  Event: ({ loaders }, key) => (/^\d{1,15}$/.test(key) ? loaders.eventById.load(Number(key)) : null),
  Service: ({ loaders }, key) => loaders.serviceByKey.load(key),
  ComputeNode: (scope, key) => byUuid(key, (uuid) => computeNodeOfRoot(scope, uuid)),
};

function byUuid<Row>(key: string, load: (uuid: string) => Promise<Row | null>): Promise<Row | null> | null {
  const uuid = parseUuid(key);
  return uuid && load(uuid);
}
