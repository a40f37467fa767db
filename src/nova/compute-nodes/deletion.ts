// Deletes compute nodes for good, and hands over the allocations that are left on them. After the instances of a dead host were evacuated, they hold their
// old allocations in addition to the new ones; Nova drops the old ones when the host comes back or its service is deleted. A host that was reinstalled comes
// back as another node.
//
//   no allocations                   -> the node is deleted
//   evacuated                        -> consumers that also hold another node release this one
//   another node takes over          -> allocations on the node and its cards move to the same places there
//
// All this is one write, so that no instance holds nothing, or the same twice, at any time. Allocations that are left cause a refusal.
import { invalidInput, type Problem, Refusal, refusalOf } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { ProviderState } from '../../domain/reported-tree.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import { listConsumerUuids } from '../../operations/allocations/consumers.ts';
import { findHolders, type Holder, summed } from '../../operations/allocations/holdings.ts';
import { deleteTree } from '../../operations/providers/provider-writes.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { findFirstAnswer } from '../../operations/scope/write.ts';
import { readTree } from '../../operations/trees/reports.ts';
import { computeNodeTrait } from '../services/compute-program.ts';
import { migrationType, untrackedType } from '../terms/consumer-types.ts';
import { findComputeNode, nodeRecords } from './compute-nodes.ts';

/** Exactly one of the two, as enforced by the contract. */
export interface HandOver {
  /** Only true. */
  readonly evacuated?: Optional<boolean>;
  /** Uuid of the node that takes over. */
  readonly computeNode?: Optional<string>;
}

export interface NodeDeletion {
  readonly computeNode: string;
  readonly handOver?: Optional<HandOver>;
}

const here: Path = ['computeNode'];
const receiver: Path = ['handOver', 'computeNode'];
const maxAttempts = 4;

/**
 * Deletes a node for good: its tree, devices and record, and its service if that has no other node. Returns its uuid. Refuses NOT_FOUND, also if the
 * provider is not a node; IN_USE while allocations in the tree are not handed over; NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED and INVALID_INPUT if
 * another node cannot take them; CONSUMER_CONFLICT if consumers kept changing.
 */
export async function deleteComputeNode(scope: RequestScope, { computeNode, handOver }: NodeDeletion): Promise<string> {
  if (handOver?.computeNode === computeNode) throw invalidInput(receiver, 'must be another node');
  if (await findFirstAnswer(scope, 'delete_resource_provider')) return computeNode;
  await requireNode(scope, computeNode, here);
  for (let attempt = 1; ; attempt++) {
    const allocations = handOver ? await handedOver(scope, computeNode, handOver) : [];
    try {
      const locate = ({ code }: { readonly code: Problem['code'] }) => (code === 'IN_USE' || code === 'NOT_FOUND' ? here : receiver);
      await deleteTree(scope, { root: computeNode, recordKind: nodeRecords.kind, allocations, locate });
      return computeNode;
    } catch (error) {
      const isConflict = error instanceof Refusal && error.problems.every(({ code }) => code === 'CONSUMER_CONFLICT');
      if (!isConflict) throw error;
      if (attempt === maxAttempts) throw error.relabelled(() => here);
    }
  }
}

async function requireNode(scope: RequestScope, uuid: string, path: Path): Promise<void> {
  if (await findComputeNode(scope, { uuid })) return;
  throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: uuid } }, path);
}

/** The allocations of the holders of a tree after the hand-over; only of those that change. */
async function handedOver(scope: RequestScope, uuid: string, { computeNode }: HandOver): Promise<ConsumerAllocations[]> {
  const tree = await readTree(scope, uuid);
  const holders = await holdersIn(scope, uuid);
  if (!computeNode) return withoutEvacuated(scope, tree, holders);
  await requireNode(scope, computeNode, receiver);
  const places = placesIn(tree, await readTree(scope, computeNode));
  return holders.map((holder) => {
    const allocations = holder.allocations.map(({ resourceProvider, resources }) => {
      const place = places.get(resourceProvider);
      if (place === null) throw lacksPlace(tree, resourceProvider);
      return { resourceProvider: place ?? resourceProvider, resources };
    });
    return { consumer: holder.uuid, expect: { generation: holder.generation }, hold: { allocations: summed(allocations) } };
  });
}

/** All consumers with allocations in the tree of a root. Refuses INVALID_INPUT if there are more than one write can move. */
async function holdersIn(scope: RequestScope, root: string): Promise<readonly Holder[]> {
  const uuids = await listConsumerUuids(scope, { inTrees: [root] }, limits.treeConsumers);
  if (!uuids) throw invalidInput(here, `has more than ${limits.treeConsumers} consumers: move or release some of them first`);
  return [...(await findHolders(scope, uuids)).values()];
}

/**
 * The instances that also hold another node, without their allocations in this tree. A migration is not an evacuated instance, whatever it holds: it is one
 * side of a move, and its instance may hold nothing else.
 */
async function withoutEvacuated(
  scope: RequestScope,
  tree: readonly ProviderState[],
  holders: readonly Holder[],
): Promise<ConsumerAllocations[]> {
  const own = new Set(tree.map(({ uuid }) => uuid));
  const nodes = await otherNodes(scope, own, holders);
  return holders.flatMap(({ uuid, generation, type, allocations }) => {
    const elsewhere = allocations.filter(({ resourceProvider }) => !own.has(resourceProvider));
    const isEvacuated = elsewhere.some(({ resourceProvider }) => nodes.has(resourceProvider));
    if (!isEvacuated || type === migrationType || type === untrackedType) return [];
    return [{ consumer: uuid, expect: { generation }, hold: { allocations: elsewhere } }];
  });
}

/** The providers of these holders that are nodes outside the tree. */
async function otherNodes({ loaders }: RequestScope, own: ReadonlySet<string>, holders: readonly Holder[]): Promise<ReadonlySet<string>> {
  const named = new Set(holders.flatMap(({ allocations }) => allocations.map(({ resourceProvider }) => resourceProvider)));
  const nodes = await Promise.all(
    [...named]
      .filter((uuid) => !own.has(uuid))
      .map(async (uuid) => {
        const provider = await loaders.providerByUuid.load(uuid);
        const traits = provider ? await loaders.traitsByProvider.load(provider.id) : [];
        return traits.some(({ name }) => name === computeNodeTrait) ? [uuid] : [];
      }),
  );
  return new Set(nodes.flat());
}

/** For each provider of a tree, the one at the same place in another tree; null if there is none. Names of children start with the name of their root. */
function placesIn(from: readonly ProviderState[], to: readonly ProviderState[]): ReadonlyMap<string, string | null> {
  const [oldRoot, newRoot] = [from[0]?.name ?? '', to[0]?.name ?? ''];
  const byPlace = new Map(to.map(({ name, uuid }) => [name.startsWith(newRoot) ? name.slice(newRoot.length) : name, uuid]));
  return new Map(from.map(({ name, uuid }) => [uuid, byPlace.get(name.startsWith(oldRoot) ? name.slice(oldRoot.length) : name) ?? null]));
}

function lacksPlace(tree: readonly ProviderState[], provider: string): Refusal {
  const name = tree.find(({ uuid }) => uuid === provider)?.name ?? provider;
  return invalidInput(receiver, `has no provider in place of ${name}, which has allocations: first let the node report one`);
}
