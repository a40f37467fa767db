// Sets a whole tree to a desired state, in one call of one function, or as a dry run. Knows what a well-formed list of desired providers is.
import type { DesiredProvider as WantedProvider } from '../../db/writes/contract.ts';
import type { AnswerOf } from '../../db/writes/operations.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { EventChange } from '../../domain/event-changes.ts';
import type { Optional } from '../../domain/input.ts';
import { type ShrunkInventory, shrunkInventories } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import type { BesidesTree, Provider } from '../../domain/provider.ts';
import { type ConsumerAllocations, locateAllocation, parseConsumers } from '../allocations/allocation-writes.ts';
import { locateInventory } from '../providers/inventory-writes.ts';
import { InputCheck, type InventoryInput, type ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer, type Locate, write } from '../scope/write.ts';
import { describeTreeChanges } from './tree-changes.ts';

export interface DesiredProvider {
  readonly uuid?: Optional<string>;
  readonly name: string;
  /** The name of its parent in the same list; absent for the root. */
  readonly parentName?: Optional<string>;
  readonly expect?: Optional<ProviderExpectation>;
  readonly inventories?: Optional<readonly InventoryInput[]>;
  readonly traits?: Optional<readonly string[]>;
  readonly aggregates?: Optional<readonly string[]>;
}

export interface DesiredTree {
  readonly root: string;
  readonly resourceProviders: readonly DesiredProvider[];
  readonly consumers?: Optional<readonly ConsumerAllocations[]>;
  readonly dryRun?: Optional<boolean>;
  /** Uuids of the providers to delete; others that are not in the list stay. When omitted, all providers that are not in the list are deleted. */
  readonly removed?: Optional<readonly string[]>;
  /** What the host reports beside the tree, stored in the same write. */
  readonly besides?: BesidesTree;
}

export interface AppliedTree {
  readonly root: Provider | null;
  readonly changes: readonly EventChange[];
  readonly applied: boolean;
  readonly eventId: number | null;
  readonly warnings: readonly ShrunkInventory[];
  /** What the first call stored with the answer. */
  readonly own?: unknown;
}

/**
 * Sets a tree of 1 to 1,000 providers to a desired state; providers that are not in the list are deleted. A dry run returns the difference
 * and writes nothing. Unchanged providers keep their generation. `own` is stored with the answer. Refuses what its parts refuse.
 */
export async function applyProviderTree(scope: RequestScope, tree: DesiredTree, own?: unknown): Promise<AppliedTree> {
  const allocations = tree.consumers ?? [];
  const dryRun = tree.dryRun ?? false;
  const check = new InputCheck();
  check.size(['resourceProviders'], tree.resourceProviders, 1, limits.treeProviders);
  check.size(['removed'], tree.removed ?? [], 0, limits.treeProviders);
  check.size(['consumers'], allocations, 0, limits.treeConsumers);
  tree.resourceProviders.forEach(({ name, parentName }, index) => {
    check.name(['resourceProviders', index, 'name'], name);
    check.name(['resourceProviders', index, 'parentName'], parentName);
  });
  // Throws before any of the names is quoted in a message.
  check.done();
  const providers = sortParentsFirst(tree).map((desired) => parseDesired(check, tree.resourceProviders.indexOf(desired), desired));
  const consumers = await parseConsumers(check, ['consumers'], allocations);
  check.done();
  const removed = tree.removed ? { removed: tree.removed } : {};
  const request = { root: tree.root, providers, consumers, dryRun, ...removed };
  const besides = { names: tree.resourceProviders.map(({ name }) => name), own };
  const answer = tree.besides
    ? await write(scope, 'apply_report', { ...request, ...tree.besides }, locateTree(tree), besides)
    : await write(scope, 'apply_provider_tree', request, locateTree(tree), besides);
  const applied = appliedBy(answer);
  if (!dryRun) return applied;
  const created = answer.changes.providers?.[tree.root]?.before === null;
  return { ...applied, root: created ? null : await scope.loaders.providerByUuid.load(tree.root) };
}

/** What the first call of this mutation applied, if this is a replay. */
export async function findAppliedTree(scope: RequestScope): Promise<AppliedTree | null> {
  const answer = await findFirstAnswer(scope, 'apply_report');
  return answer && appliedBy(answer);
}

interface TreeBesides {
  /** The names of the desired providers, in their order. */
  readonly names: readonly string[];
  readonly own?: unknown;
}

/** The result in an answer, fresh or replayed. An answer stored without a write changed nothing. */
export function appliedBy({
  root,
  changes = {},
  names = {},
  applied = true,
  warnings = [],
  unkept = [],
  eventId = null,
  besides,
}: Partial<AnswerOf<'apply_provider_tree'>>): AppliedTree {
  const { names: order, own } = besides as TreeBesides;
  return {
    root: root ?? null,
    changes: describeTreeChanges(changes, order, names),
    applied,
    eventId,
    warnings: shrunkInventories({ warnings, unkept }),
    own,
  };
}

/** The list with every parent before its children. Refuses a list that is not one tree with the given root. */
function sortParentsFirst({ root, resourceProviders: providers }: DesiredTree): readonly DesiredProvider[] {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  const [names, uuids] = [new Set<string>(), new Set<string>()];
  for (const [index, { name, uuid }] of providers.entries()) {
    if (names.has(name)) throw invalidInput(['resourceProviders', index, 'name'], `${name} is listed twice`);
    if (uuid && uuids.has(uuid)) throw invalidInput(['resourceProviders', index, 'uuid'], `${uuid} is listed twice`);
    names.add(name);
    if (uuid) uuids.add(uuid);
  }
  const children = new Map<string | null, DesiredProvider[]>();
  for (const provider of providers) {
    const siblings = children.get(provider.parentName ?? null);
    if (siblings) siblings.push(provider);
    else children.set(provider.parentName ?? null, [provider]);
  }
  for (const [index, { parentName }] of providers.entries()) {
    if (parentName && !byName.has(parentName))
      throw invalidInput(['resourceProviders', index, 'parentName'], `${parentName} is not in the list`);
  }
  const roots = children.get(null) ?? [];
  const [top] = roots;
  if (!top || roots.length > 1)
    throw invalidInput(['resourceProviders'], `exactly one provider must have no parent: ${roots.length} have none`);
  const place = providers.indexOf(top);
  if (top.uuid && top.uuid !== root)
    throw invalidInput(['resourceProviders', place, 'uuid'], `the provider without a parent must be the root ${root}`);
  const stolen = providers.findIndex(({ uuid, parentName }) => uuid === root && parentName);
  if (stolen >= 0) throw invalidInput(['resourceProviders', stolen, 'parentName'], 'the root can have no parent');
  const sorted = [top];
  // The list grows during the iteration; a cycle of parents is never reached from the root.
  for (const provider of sorted) sorted.push(...(children.get(provider.name) ?? []));
  if (sorted.length < providers.length) {
    const lost = providers.findIndex((provider) => !sorted.includes(provider));
    throw invalidInput(['resourceProviders', lost, 'parentName'], 'parents form a loop');
  }
  return sorted;
}

function parseDesired(check: InputCheck, index: number, desired: DesiredProvider): WantedProvider {
  const { uuid, name, parentName, expect, inventories, traits, aggregates } = desired;
  const here = ['resourceProviders', index] as const;
  if (traits) check.traits([...here, 'traits'], traits);
  if (aggregates) check.size([...here, 'aggregates'], aggregates, 0, limits.providerAggregates);
  return {
    uuid: uuid ?? null,
    name,
    parent: parentName ?? null,
    expect: expect ? check.expectation([...here, 'expect'], { ...expect }) : {},
    ...(inventories ? { inventories: check.inventories([...here, 'inventories'], inventories) } : {}),
    ...(traits ? { traits } : {}),
    ...(aggregates ? { aggregates } : {}),
  };
}

function locateTree({ root, resourceProviders: providers, ...tree }: DesiredTree): Locate {
  const allocations = tree.consumers ?? [];
  return (reason) => {
    const { details } = reason;
    if ('consumer' in details) return locateAllocation(['consumers'], allocations)(reason);
    const key = 'provider' in details ? details.provider : 'key' in details ? details.key : undefined;
    const index = providers.findIndex(
      ({ uuid, name, parentName, inventories, traits }) =>
        uuid === key ||
        name === key ||
        (!parentName && key === root) ||
        inventories?.some(({ resourceClass }) => resourceClass === key) ||
        traits?.includes(String(key)),
    );
    const gone = tree.removed?.indexOf(String(key)) ?? -1;
    if (gone >= 0) return ['removed', gone];
    if (index < 0) return reason.code === 'INVALID_INPUT' ? ['root'] : locateAllocation(['consumers'], allocations)(reason);
    const { inventories, traits } = providers[index] ?? {};
    const trait = traits?.indexOf(String(key)) ?? -1;
    if (trait >= 0) return ['resourceProviders', index, 'traits', trait];
    if (inventories?.some(({ resourceClass }) => resourceClass === key))
      return ['resourceProviders', index, ...locateInventory(reason, inventories)];
    if (reason.code === 'PROVIDER_CONFLICT') return ['resourceProviders', index, 'expect'];
    return ['resourceProviders', index, ...(reason.code === 'DUPLICATE' ? ['name'] : [])];
  };
}
