// An audit of one compute node: what is held on it against what its host really has. Removes only what it has classified as stale, writes
// only what it was told to write, and by default does neither.
import { invalidInput, type Problem, Refusal } from '../domain/errors.ts';
import { type AllocationInput, releaseAllocations } from '../operations/allocation-writes.ts';
import { listConsumers } from '../operations/consumers.ts';
import { findHolders, type Holder } from '../operations/holdings.ts';
import { findProvider } from '../operations/providers.ts';
import type { RequestScope } from '../operations/scope.ts';
import { type AuditReason, type AuditVerdict, classifyAllocation, compareHoldings, type KnownInstance } from './audit.ts';
import { holdingOf, type PlacedInstance, writeHolding } from './instances.ts';

type Optional<Value> = Value | null | undefined;

export interface ComputeNodeAudit {
  /** Uuid of the compute node, which is that of its provider. */
  readonly computeNode: string;
  /** As Nova calls it. */
  readonly host: string;
  /** The instances that the host really has. */
  readonly instances: readonly Omit<PlacedInstance, 'computeNode'>[];
  /** What is on record about other instances. */
  readonly known?: Optional<readonly KnownInstance[]>;
  /** Uuids of the migrations under way. */
  readonly migrations?: Optional<readonly string[]>;
  /** Gives stale allocations free. */
  readonly remove?: Optional<boolean>;
  /** Makes instances of this host hold what they should. */
  readonly repair?: Optional<boolean>;
}

/** What one consumer holds in the tree of the node, and what to think of it. */
export interface AuditedAllocation {
  readonly holder: Holder;
  readonly reason: AuditReason;
  readonly verdict: AuditVerdict;
  readonly removed: boolean;
}

/** Whether an instance of the host holds what it should. */
export interface AuditedInstance {
  readonly instance: string;
  readonly state: 'RIGHT' | 'MISSING' | 'WRONG';
  readonly expected: readonly AllocationInput[];
  readonly held: readonly AllocationInput[];
  readonly repaired: boolean;
}

export interface ComputeNodeAudited {
  readonly allocations: readonly AuditedAllocation[];
  readonly instances: readonly AuditedInstance[];
  /** What could not be removed or repaired, and why; the paths lead to the instances. */
  readonly problems: readonly Problem[];
}

const mostInstances = 1000;
const pageSize = 1000;
const mostPages = 10;

/** Refuses NOT_FOUND for a node that does not exist, INVALID_INPUT for bad flavors or more than 1,000 instances. */
export async function auditComputeNode(scope: RequestScope, audit: ComputeNodeAudit): Promise<ComputeNodeAudited> {
  const { computeNode, instances } = audit;
  if (instances.length > mostInstances) throw invalidInput(['instances'], `must have at most ${mostInstances} elements`);
  const expected = instances.map((instance, index) => holdingOf({ ...instance, computeNode }, ['instances', index, 'flavor']));
  if (!(await findProvider(scope, { uuid: computeNode }))) throw noNode(computeNode);
  const here = await consumersIn(scope, computeNode);
  const holders = await findHolders(scope, [...new Set([...here, ...instances.map(({ instance }) => instance)])]);
  const judged = judgeAllocations(audit, here, holders);
  const compared = instances.map(({ instance }, index) => compareInstance(instance, expected[index] ?? [], holders.get(instance)));
  const removal = audit.remove ? await removeStale(scope, judged) : { removed: new Set<string>(), problems: [] };
  const repair = audit.repair ? await repairInstances(scope, audit, compared, holders) : { repaired: new Set<string>(), problems: [] };
  return {
    allocations: judged.map((allocation) => ({ ...allocation, removed: removal.removed.has(allocation.holder.uuid) })),
    instances: compared.map((instance) => ({ ...instance, repaired: repair.repaired.has(instance.instance) })),
    problems: [...removal.problems, ...repair.problems],
  };
}

function noNode(computeNode: string): Refusal {
  const message = `There is no provider ${computeNode}.`;
  return new Refusal([{ code: 'NOT_FOUND', message, path: ['computeNode'], details: { noun: 'resourceProvider', key: computeNode } }]);
}

/** Everybody who holds something in the tree of the node. */
async function consumersIn(scope: RequestScope, computeNode: string): Promise<string[]> {
  const uuids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const { rows, cursors, hasNextPage } = await listConsumers(scope, { filter: { inTrees: [computeNode] }, first: pageSize, after });
    uuids.push(...rows.map(({ uuid }) => uuid));
    if (!hasNextPage) return uuids;
    after = cursors.at(-1) ?? null;
  }
  throw invalidInput(['computeNode'], `more than ${pageSize * mostPages} consumers hold something there`);
}

function judgeAllocations(
  { host, instances, known, migrations }: ComputeNodeAudit,
  here: readonly string[],
  holders: ReadonlyMap<string, Holder>,
): Omit<AuditedAllocation, 'removed'>[] {
  const records = new Map((known ?? []).map((instance) => [instance.uuid, instance]));
  const moves = new Set(migrations);
  const node = { host, tracked: new Set(instances.map(({ instance }) => instance)) };
  return here.flatMap((consumer) => {
    const holder = holders.get(consumer);
    // Whoever let go meanwhile needs no judgement.
    if (!holder) return [];
    const { reason, verdict } = classifyAllocation(consumer, records, moves, node);
    return [{ holder, reason, verdict }];
  });
}

function compareInstance(
  instance: string,
  expected: readonly AllocationInput[],
  holder: Holder | undefined,
): Omit<AuditedInstance, 'repaired'> {
  const held = holder?.allocations ?? [];
  const exact = compareHoldings(expected, held);
  // Which provider of a tree or which pool serves a class was decided by the claim: the amounts must be right.
  const state = exact === 'WRONG' && compareHoldings(inAll(expected), inAll(held)) === 'RIGHT' ? 'RIGHT' : exact;
  return { instance, state, expected, held };
}

/** The amounts of all providers together, as if one gave them. */
function inAll(allocations: readonly AllocationInput[]): AllocationInput[] {
  const amounts = new Map<string, number>();
  for (const { resources } of allocations) {
    for (const { resourceClass, amount } of resources) amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount);
  }
  return [{ provider: '', resources: [...amounts].map(([resourceClass, amount]) => ({ resourceClass, amount })) }];
}

async function removeStale(scope: RequestScope, judged: readonly Omit<AuditedAllocation, 'removed'>[]) {
  const stale = judged.filter(({ verdict }) => verdict === 'STALE').map(({ holder }) => holder);
  if (stale.length === 0) return { removed: new Set<string>(), problems: [] };
  try {
    const consumers = stale.map(({ uuid, generation }) => ({ consumer: uuid, expect: { generation } }));
    const { released } = await releaseAllocations(scope, { consumers });
    return { removed: new Set(released), problems: [] };
  } catch (error) {
    // One of them came back to life: the next audit judges anew.
    if (error instanceof Refusal)
      return { removed: new Set<string>(), problems: error.problems.map((problem) => ({ ...problem, path: [] })) };
    throw error;
  }
}

/** Each instance for itself: that one does not fit must not keep the others from being right. */
async function repairInstances(
  scope: RequestScope,
  { instances }: ComputeNodeAudit,
  compared: readonly Omit<AuditedInstance, 'repaired'>[],
  holders: ReadonlyMap<string, Holder>,
) {
  const repaired = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, { instance, state, expected }] of compared.entries()) {
    const placed = instances[index];
    if (state === 'RIGHT' || !placed) continue;
    const holder = holders.get(instance);
    try {
      await writeHolding(scope, placed, expected, holder ? { generation: holder.generation } : { isNew: true });
      repaired.add(instance);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(...error.problems.map((problem) => ({ ...problem, path: ['instances', String(index), ...problem.path] })));
    }
  }
  return { repaired, problems };
}
