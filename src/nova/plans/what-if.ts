// Counts how many more requests would fit, and where, if hosts were added, lost or changed. Writes nothing.
import { explainInParts } from '../../domain/candidates/explain.ts';
import { countFitInParts, type Fit } from '../../domain/candidates/fit.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import type { RootRule } from '../../domain/candidates/request.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { Explanation } from '../../domain/explanation.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { AddedTrees, changeProvider, firstAddedId, removeTrees } from '../../domain/plans/changes.ts';
import { forestFor } from '../../operations/candidates/requests.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import { copyForest } from '../../operations/forest/own-forest.ts';
import { workInTurn } from '../../operations/request/event-loop-share.ts';
import { InputCheck, type InventoryInput } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { AskedOfHosts } from '../numa/host-rooms.ts';
import { rulesOfHosts, timesOnEmpty } from '../numa/pci-filter.ts';
import { type RequestWarning, withoutCells } from '../terms/request-warnings.ts';
import { type AskedInput, readAsked, treeOf } from './plan-inputs.ts';

export interface WhatIfInput {
  readonly asks: AskedInput;
  readonly added?: Optional<readonly AddedHostsInput[]>;
  /** Uuids of compute nodes. */
  readonly lost?: Optional<readonly string[]>;
  readonly changed?: Optional<readonly ChangedProviderInput[]>;
}

/** Hosts to add, with `like`, `inventories` or both. */
export interface AddedHostsInput {
  readonly count: number;
  /** Uuid of a compute node. */
  readonly like?: Optional<string>;
  readonly inventories?: Optional<readonly InventoryInput[]>;
  readonly traits?: Optional<readonly string[]>;
  readonly aggregates?: Optional<readonly string[]>;
}

export interface ChangedProviderInput {
  readonly resourceProvider: string;
  /** Inventories to set; those of other classes stay. */
  readonly inventories?: Optional<readonly InventoryInput[]>;
  readonly removedResourceClasses?: Optional<readonly string[]>;
  readonly addedTraits?: Optional<readonly string[]>;
  readonly removedTraits?: Optional<readonly string[]>;
}

export interface WhatIf {
  readonly before: Fit;
  /** The fit after the changes; its roots do not include added hosts. */
  readonly after: Fit;
  /** For each entry of `added`: the number of hosts, and how many requests fit on these. */
  readonly onAdded: readonly { readonly hosts: number; readonly count: number }[];
  readonly warnings: readonly RequestWarning[];
  explain(): Promise<Explanation>;
}

/** Counts before and after the changes. Refuses INVALID_INPUT, and NOT_FOUND for unknown hosts, providers, classes and traits. */
export async function whatIf(scope: RequestScope, input: WhatIfInput): Promise<WhatIf> {
  checkChanges(input);
  const { request: asked, path, warnings, ...ofHosts } = await readAsked(scope, input.asks, ['asks']);
  const { rules, knowsCells } = await rulesOfHosts(scope, ofHosts, limits.pciDevices);
  const now = { ...asked, rootRules: rules };
  const present = await forestFor(scope, now, path);
  const before = await forestOf(scope.db).inParts(countFitInParts(present, now));
  const forest = await copyForest(scope);
  const rootIds = await change(forest, input);
  const request = { ...asked, rootRules: await withAdded(scope, forest, rules, ofHosts, { added: input.added ?? [], rootIds }) };
  const fit = await workInTurn(countFitInParts(forest, request));
  const counts = new Map(fit.byRoot.countsFrom(firstAddedId));
  const onAdded = rootIds.map((ids) => ({ hosts: ids.length, count: ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0) }));
  const after = { ...fit, byRoot: fit.byRoot.before(firstAddedId) };
  const unchecked = knowsCells ? withoutCells(warnings) : warnings;
  const explain = async () => withoutAdded(await workInTurn(explainInParts(forest, request)));
  return { before, after, onAdded, warnings: unchecked, explain };
}

/** Added hosts are counted, but nobody can look at them. */
function withoutAdded(explanation: Explanation): Explanation {
  const nearestMisses = explanation.nearestMisses.map((miss) => ({ ...miss, sample: miss.sample.filter(({ id }) => id < firstAddedId) }));
  return { ...explanation, nearestMisses };
}

interface Added {
  readonly added: readonly AddedHostsInput[];
  /** The root ids of each entry. */
  readonly rootIds: readonly (readonly number[])[];
}

/** The rules about devices, extended to the added hosts. A host like another has the same devices, all of them free; a new one has none. */
async function withAdded(
  scope: RequestScope,
  forest: Forest,
  rules: readonly RootRule[],
  asked: AskedOfHosts,
  { added, rootIds }: Added,
): Promise<readonly RootRule[]> {
  return Promise.all(
    rules.map(async ({ words, times }) => {
      const all = new Map(times);
      for (const [index, { like }] of added.entries()) {
        const count = like ? await timesOnEmpty(scope, like, asked) : 0;
        const roots = (rootIds[index] ?? []).flatMap((id) => forest.findById(id)?.state.provider.uuid ?? []);
        for (const root of count > 0 ? roots : []) all.set(root, count);
      }
      return { words, only: new Set(all.keys()), times: all };
    }),
  );
}

/** Makes the changes; returns the root ids of each addition. */
async function change(forest: Forest, { added, lost, changed }: WhatIfInput): Promise<readonly (readonly number[])[]> {
  const check = new InputCheck();
  const additions = new AddedTrees(forest, new Date().toISOString());
  for (const [index, { count, like, inventories, traits, aggregates }] of (added ?? []).entries()) {
    const here = ['added', index];
    const records = check.inventories([...here, 'inventories'], inventories ?? []);
    check.done();
    for (const [row, { resourceClass }] of records.entries())
      classIdOf(forest, resourceClass, [...here, 'inventories', row, 'resourceClass']);
    const traitIds = traitIdsOf(forest, traits, [...here, 'traits']);
    const aggregateIds = (aggregates ?? []).flatMap((uuid) => forest.aggregates.idOf(uuid) ?? []);
    const root = { inventories: records, traitIds, aggregateIds };
    await workInTurn(like ? additions.addLike(treeOf(forest, like, [...here, 'like']), root, count) : additions.addNew(root, count));
  }
  for (const [index, one] of (changed ?? []).entries()) {
    const here = ['changed', index];
    if (!forest.findByUuid(one.resourceProvider)) {
      throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: one.resourceProvider } }, [
        ...here,
        'resourceProvider',
      ]);
    }
    const inventories = check.inventories([...here, 'inventories'], one.inventories ?? []);
    check.done();
    for (const [row, { resourceClass }] of inventories.entries())
      classIdOf(forest, resourceClass, [...here, 'inventories', row, 'resourceClass']);
    changeProvider(forest, {
      provider: one.resourceProvider,
      inventories,
      removedClassIds: (one.removedResourceClasses ?? []).map((name, row) =>
        classIdOf(forest, name, [...here, 'removedResourceClasses', row]),
      ),
      addedTraitIds: traitIdsOf(forest, one.addedTraits, [...here, 'addedTraits']),
      removedTraitIds: traitIdsOf(forest, one.removedTraits, [...here, 'removedTraits']),
    });
  }
  const trees = (lost ?? []).map((uuid, index) => treeOf(forest, uuid, ['lost', index]));
  await workInTurn(removeTrees(forest, trees));
  return additions.rootIds;
}

function checkChanges({ added, lost, changed }: WhatIfInput): void {
  const check = new InputCheck();
  check.size(['added'], added ?? [], 0, limits.hostChanges);
  check.size(['lost'], lost ?? [], 0, limits.hostChanges);
  check.unique(['lost'], lost ?? [], (index) => [index]);
  check.size(['changed'], changed ?? [], 0, limits.hostChanges);
  let all = 0;
  for (const [index, { count, like, inventories, traits, aggregates }] of (added ?? []).entries()) {
    if (count < 1) check.add(['added', index, 'count'], 'must be at least 1');
    if (!like && !inventories) check.add(['added', index], 'must have like, inventories or both');
    check.traits(['added', index, 'traits'], traits ?? []);
    check.size(['added', index, 'aggregates'], aggregates ?? [], 0, limits.providerAggregates);
    all += count;
  }
  if (all > limits.addedHosts) check.add(['added'], `must add at most ${limits.addedHosts} hosts in all, adds ${all}`);
  for (const [index, { removedResourceClasses, addedTraits, removedTraits }] of (changed ?? []).entries()) {
    check.size(['changed', index, 'removedResourceClasses'], removedResourceClasses ?? [], 0, limits.providerInventories);
    check.traits(['changed', index, 'addedTraits'], addedTraits ?? []);
    check.traits(['changed', index, 'removedTraits'], removedTraits ?? []);
  }
  check.done();
}

function classIdOf(forest: Forest, name: string, path: Path): number {
  const id = forest.classes.idOf(name);
  if (id === undefined) throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceClass', key: name } }, path);
  return id;
}

function traitIdsOf(forest: Forest, names: Optional<readonly string[]>, path: Path): number[] {
  return (names ?? []).map((name, index) => {
    const id = forest.traits.idOf(name);
    if (id === undefined) throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'trait', key: name } }, [...path, index]);
    return id;
  });
}
