// The forest follows the changes of a cloud: after any history it equals one built from the current state, with the same
// parents, trees and indexes, in the same order.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClassWeight, Tree } from '../../../src/domain/candidates/forest.ts';
import {
  Forest,
  type ForestChanges,
  type ForestProvider,
  type ProviderState,
  type ProviderUse,
} from '../../../src/domain/candidates/forest.ts';
import { inOneGo } from '../../../src/domain/candidates/steps.ts';
import type { TreeList } from '../../../src/domain/candidates/tree-list.ts';
import { sharingTrait, supposedProvider } from '../../../src/domain/provider.ts';
import { sampled } from '../../support/profile.ts';
import { uuidOf } from '../../support/seed.ts';
import { forestOf } from '../../support/tree.ts';

const rootsIn = (list: TreeList<Tree>) => list.trees.map(({ root }) => root.state.provider.name);
const traitId = (forest: Forest, name: string) => forest.traits.idOf(name) ?? Number.NaN;

function get(forest: Forest, name: string) {
  const provider = forest.findByUuid(uuidOf(name));
  if (!provider) throw new Error(`there is no ${name}`);
  return provider;
}

/** The state of a provider with something changed. */
function changed(
  forest: Forest,
  name: string,
  change: Partial<ProviderState>,
  place: Partial<ProviderState['provider']> = {},
): ProviderState {
  const { state } = get(forest, name);
  return { ...state, ...change, provider: { ...state.provider, ...place } };
}

const only = (classId: number): readonly ClassWeight[] => [{ classId, weight: 1 }];
/** Roots by what their trees have free, least first, equal ones grouped. */
function groupsOf(forest: Forest, weights: readonly ClassWeight[]) {
  const order = forest.freeOrderOf(weights);
  inOneGo(order.sort());
  const groups = order.groupsIn({ descending: false, least: Number.NEGATIVE_INFINITY, tolerance: 0 });
  return [...groups].map((group) => group.map(({ rootId }) => rootId));
}

/** Everything observable about a forest, in an order that does not depend on its history. */
function describeForest(forest: Forest) {
  const idsOf = (list: TreeList<Tree>) => list.trees.map(({ rootId }) => rootId);
  return {
    count: forest.providerCount,
    sharing: [...forest.sharing].map(({ id }) => id).sort((a, b) => a - b),
    providers: [...forest.everyProvider()]
      .sort((a, b) => a.id - b.id)
      .map((provider) => ({
        state: provider.state,
        traits: provider.traits.ids,
        aggregates: provider.aggregates.ids,
        parent: provider.parent?.id ?? null,
        root: provider.tree.rootId,
        isSharing: provider.isSharing,
        isFound: forest.findById(provider.id) === provider && forest.findByUuid(provider.state.provider.uuid) === provider,
        hasCurrentParent: provider.parent === null || forest.findById(provider.parent.id) === provider.parent,
      })),
    trees: forest.all.trees.map((tree) => ({
      rootId: tree.rootId,
      root: tree.root.id,
      members: tree.members.map(({ id }) => id),
      sets: [tree.classIds.ids, tree.traits.ids, tree.aggregates.ids],
      free: classIds.map((id) => [tree.free(only(id)), tree.largestFree(id)]),
    })),
    byFree: orders.map((weights) => groupsOf(forest, weights)),
    byClass: classIds.map((id) => idsOf(forest.byClass.listOf(id))),
    byTrait: traitIds.map((id) => idsOf(forest.byTrait.listOf(id))),
    byAggregate: aggregateIds.map((id) => idsOf(forest.byAggregate.listOf(id))),
  };
}

const [classIds, traitIds, aggregateIds] = [
  [0, 1, 2],
  [1, 2, 3],
  [1, 2],
];
/** Each class alone, and a sum over all classes in which some have negative weights. */
const orders: readonly (readonly ClassWeight[])[] = [
  ...classIds.map(only),
  classIds.map((classId) => ({ classId, weight: classId % 2 === 0 ? 3 : -0.5 })),
];
const names = {
  resourceClasses: classIds.map((id) => ({ id, name: `CLASS_${id}` })),
  traits: traitIds.map((id) => ({ id, name: id === 1 ? sharingTrait : `TRAIT_${id}` })),
  aggregates: aggregateIds.map((id) => ({ id, uuid: uuidOf(`aggregate ${id}`), name: null })),
};

function emptyForest(): Forest {
  const forest = new Forest();
  forest.setNames(names);
  return forest;
}

interface Act {
  readonly does: 'create' | 'move' | 'change' | 'use' | 'delete' | 'renew';
  readonly which: number;
  readonly to: number;
  readonly totals: readonly (number | null)[];
  readonly traitIds: readonly number[];
  readonly aggregateIds: readonly number[];
  readonly used: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom('create', 'create', 'move', 'change', 'use', 'delete', 'renew'),
  which: fc.nat(),
  to: fc.nat(),
  totals: fc.tuple(...classIds.map(() => fc.option(fc.integer({ min: 1, max: 4 })))),
  traitIds: fc.subarray(traitIds),
  aggregateIds: fc.subarray(aggregateIds),
  used: fc.nat({ max: 5 }),
});

/** A cloud as a plain list of providers, and what a feed would contain for each batch of changes. */
class Cloud {
  readonly states = new Map<number, ProviderState>();
  private touched = new Set<number>();
  private nextId = 1;

  do(one: Act): void {
    const ids = [...this.states.keys()];
    const id = ids[one.which % ids.length];
    if (one.does === 'create' || id === undefined) {
      this.put(this.created(one, `p${this.nextId}`, [null, ...ids][one.to % (ids.length + 1)] ?? null));
      return;
    }
    const state = this.get(id);
    if (one.does === 'change') this.put({ ...state, ...contentOf(one, id) });
    else if (one.does === 'use')
      this.put({ ...state, inventories: state.inventories.map((inventory) => ({ ...inventory, used: one.used })) });
    else if (one.does === 'move') this.move(state, one.to);
    else if (!this.hasChildren(id)) {
      this.states.delete(id);
      this.touched.add(id);
      if (one.does === 'renew') this.put(this.created(one, state.provider.uuid, state.provider.parentId));
    }
  }

  /** What changed since the last time, newest first. */
  takeChanges(): ForestChanges {
    const touched = [...this.touched].reverse();
    this.touched = new Set();
    return {
      changed: touched.flatMap((id) => this.states.get(id) ?? []),
      removed: touched.filter((id) => !this.states.has(id)),
    };
  }

  private get(id: number): ProviderState {
    return this.states.get(id) as ProviderState;
  }

  private put(state: ProviderState): void {
    this.states.set(state.provider.id, state);
    this.touched.add(state.provider.id);
  }

  private hasChildren(id: number): boolean {
    return [...this.states.values()].some(({ provider }) => provider.parentId === id);
  }

  private created(one: Act, uuid: string, parentId: number | null): ProviderState {
    const id = this.nextId++;
    const rootId = parentId === null ? id : this.get(parentId).provider.rootId;
    const provider = supposedProvider({ id, uuid, name: `p${id}`, parentId, rootId }, '');
    return { provider, ...contentOf(one, id) };
  }

  private move({ provider: moved }: ProviderState, to: number): void {
    const subtree = (id: number): number[] => [
      id,
      ...[...this.states.values()].filter(({ provider }) => provider.parentId === id).flatMap(({ provider }) => subtree(provider.id)),
    ];
    const below = subtree(moved.id);
    const targets = [null, ...[...this.states.keys()].filter((id) => !below.includes(id))];
    const parentId = targets[to % targets.length] ?? null;
    const rootId = parentId === null ? moved.id : this.get(parentId).provider.rootId;
    for (const id of below) {
      const state = this.get(id);
      this.put({ ...state, provider: { ...state.provider, rootId, ...(id === moved.id && { parentId }) } });
    }
  }
}

const useOf = ({ provider: { id, generation, updatedAt }, inventories }: ProviderState) => ({
  ...{ id, generation, updatedAt },
  used: inventories.map(({ used }) => used),
});

/** Whether a state differs from the previous one in its usage alone. */
function isUseOnly(before: ProviderState | undefined, after: ProviderState): boolean {
  const withoutUse = (state: ProviderState) =>
    JSON.stringify({ ...state, inventories: state.inventories.map((one) => ({ ...one, used: 0 })) });
  return before !== undefined && withoutUse(before) === withoutUse(after);
}

function contentOf({ totals, traitIds, aggregateIds, used }: Act, providerId: number): Omit<ProviderState, 'provider'> {
  const inventories = totals.flatMap((total, classId) =>
    total === null
      ? []
      : {
          ...{ providerId, classId, className: `CLASS_${classId}`, total, reserved: 0, minUnit: 1, maxUnit: 4, stepSize: 1 },
          ...{ allocationRatio: 1, capacity: total, used, updatedAt: '' },
        },
  );
  return { inventories, traitIds, aggregateIds };
}

test('an order is sorted in parts: trees that change meanwhile are in their place at the end, whichever caller finishes the sort', () => {
  const drawing = Array.from({ length: 1200 }, (_, index) => `p${index} VCPU ${1 + (index % 7)}`).join('\n');
  const forest = forestOf(drawing);
  const order = forest.freeOrderOf(only(0));
  const [first, second] = [order.sort(), order.sort()];
  first.next();
  second.next();
  const [early, late, gone] = [get(forest, 'p3'), get(forest, 'p1100'), get(forest, 'p1150')];
  const use = ({ id, state }: ForestProvider): ProviderUse => ({ id, generation: 2, updatedAt: state.provider.updatedAt, used: [1] });
  forest.applyUse([use(early), use(late)]);
  forest.apply({ changed: [], removed: [gone.id] });
  expect([first, second].map((work) => [...work].length).toSorted()).toEqual([0, 1]);
  const afresh = forestOf(drawing);
  afresh.applyUse([use(early), use(late)]);
  afresh.apply({ changed: [], removed: [gone.id] });
  expect(groupsOf(forest, only(0))).toEqual(groupsOf(afresh, only(0)));
});

test('after any history it equals one built from the current state', () => {
  fc.assert(
    fc.property(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 20, size: 'max' }), (batches) => {
      const cloud = new Cloud();
      const forest = emptyForest();
      // Orders are maintained from the first use on.
      for (const weights of orders) groupsOf(forest, weights);
      for (const [index, batch] of batches.entries()) {
        for (const one of batch) cloud.do(one);
        const { changed, removed } = cloud.takeChanges();
        const uses = changed.filter((state) => isUseOnly(forest.findById(state.provider.id)?.state, state));
        const changes = { changed: changed.filter((state) => !uses.includes(state)), removed };
        for (let time = 0; time < 2; time++) {
          forest.apply(changes);
          expect(forest.applyUse(uses.map(useOf))).toEqual([]);
        }
        if (index % 3 === 0) groupsOf(forest, only(0));
      }
      const afresh = emptyForest();
      afresh.apply({ changed: [...cloud.states.values()], removed: [] });
      expect(describeForest(forest)).toEqual(describeForest(afresh));
    }),
    { numRuns: sampled(500) },
  );
});

describe('one change at a time', () => {
  const drawing = `
    cn1      VCPU 8        COMPUTE_NODE  @A
      numa1  MEMORY_MB 64  FOO
        pf1  VF 8
    cn2      VCPU 8
    ss1      DISK_GB 100   SHARING       @A`;

  test('a drawing is read as it is drawn', () => {
    const forest = forestOf(drawing);
    expect(rootsIn(forest.all)).toEqual(['cn1', 'cn2', 'ss1']);
    expect(get(forest, 'pf1').parent).toBe(get(forest, 'numa1'));
    expect(get(forest, 'cn1').isAtOrAbove(get(forest, 'pf1'))).toBe(true);
    expect(get(forest, 'pf1').isAtOrAbove(get(forest, 'cn1'))).toBe(false);
    expect(rootsIn(forest.byTrait.listOf(traitId(forest, 'CUSTOM_FOO')))).toEqual(['cn1']);
  });

  test('a provider that moves takes all its descendants along, and both trees are updated', () => {
    const forest = forestOf(drawing);
    const cn2 = get(forest, 'cn2').id;
    const tree = get(forest, 'cn1').tree;
    forest.apply({
      changed: [changed(forest, 'pf1', {}, { rootId: cn2 }), changed(forest, 'numa1', {}, { parentId: cn2, rootId: cn2 })],
      removed: [],
    });
    expect(rootsIn(forest.byTrait.listOf(traitId(forest, 'CUSTOM_FOO')))).toEqual(['cn2']);
    expect(rootsIn(forest.byClass.listOf(1))).toEqual(['cn2']);
    expect(get(forest, 'cn2').isAtOrAbove(get(forest, 'pf1'))).toBe(true);
    expect(tree.members.map(({ state }) => state.provider.name)).toEqual(['cn1']);
  });

  test('a provider that becomes a root gets a tree of its own, and one that stops being a root loses it', () => {
    const forest = forestOf(drawing);
    const numa1 = get(forest, 'numa1').id;
    const [alone, below] = [changed(forest, 'numa1', {}, { parentId: null, rootId: numa1 }), changed(forest, 'pf1', {}, { rootId: numa1 })];
    forest.apply({ changed: [below, alone, changed(forest, 'cn2', {}, { parentId: numa1, rootId: numa1 })], removed: [] });
    expect(rootsIn(forest.all)).toEqual(['cn1', 'numa1', 'ss1']);
    expect(rootsIn(forest.byClass.listOf(0))).toEqual(['cn1', 'numa1']);
  });

  test('removed traits, aggregates and classes leave the indexes, added ones enter them', () => {
    const forest = forestOf(drawing);
    forest.apply({ changed: [changed(forest, 'cn1', { inventories: [], traitIds: [], aggregateIds: [] })], removed: [] });
    expect(rootsIn(forest.byClass.listOf(0))).toEqual(['cn2']);
    expect(rootsIn(forest.byAggregate.listOf(1))).toEqual(['ss1']);
    forest.apply({ changed: [changed(forest, 'cn2', { traitIds: [traitId(forest, 'COMPUTE_NODE')], aggregateIds: [1] })], removed: [] });
    expect(rootsIn(forest.byTrait.listOf(traitId(forest, 'COMPUTE_NODE')))).toEqual(['cn2']);
    expect(rootsIn(forest.byAggregate.listOf(1))).toEqual(['cn2', 'ss1']);
  });

  test('usage counts at once', () => {
    const forest = forestOf(drawing);
    const { inventories } = get(forest, 'cn1').state;
    forest.apply({ changed: [changed(forest, 'cn1', { inventories: inventories.map((one) => ({ ...one, used: 9 })) })], removed: [] });
    const { tree } = get(forest, 'cn1');
    expect([tree.free(only(0)), tree.largestFree(0), tree.free(only(2))]).toEqual([0, -1, undefined]);
  });

  test('an update of usage alone changes nothing else, and earlier states stay unchanged', () => {
    const forest = forestOf(drawing);
    const { id, tree, state } = get(forest, 'cn1');
    expect(forest.applyUse([{ id, generation: 7, updatedAt: 'now', used: [3] }])).toEqual([]);
    expect(get(forest, 'cn1').state).toEqual({
      ...state,
      provider: { ...state.provider, generation: 7, updatedAt: 'now' },
      inventories: state.inventories.map((one) => ({ ...one, used: 3 })),
    });
    expect([state.inventories[0]?.used, tree.free(only(0)), tree.largestFree(0)]).toEqual([0, 5, 5]);
  });

  test('usage that does not match the known inventories of a provider is ignored, and the id is returned', () => {
    const forest = forestOf(drawing);
    const before = describeForest(forest);
    const { id } = get(forest, 'cn1');
    const use = { generation: 1, updatedAt: '', used: [1, 1] };
    expect(
      forest.applyUse([
        { ...use, id },
        { ...use, id: 999 },
      ]),
    ).toEqual([id, 999]);
    expect(describeForest(forest)).toEqual(before);
  });

  test('a provider is sharing while it has the trait and an aggregate', () => {
    const forest = forestOf(drawing);
    const shares = () => [[...forest.sharing].map(({ state }) => state.provider.name), get(forest, 'ss1').isSharing];
    const { state } = get(forest, 'ss1');
    expect(shares()).toEqual([['ss1'], true]);
    forest.apply({ changed: [{ ...state, traitIds: [] }], removed: [] });
    expect(shares()).toEqual([[], false]);
    forest.apply({ changed: [state], removed: [] });
    expect(shares()).toEqual([['ss1'], true]);
    forest.apply({ changed: [{ ...state, aggregateIds: [] }], removed: [] });
    expect(shares()).toEqual([[], false]);
  });

  test('a deleted provider is in no index', () => {
    const forest = forestOf(drawing);
    forest.apply({ changed: [], removed: [get(forest, 'ss1').id] });
    expect([forest.findByUuid(uuidOf('ss1')), forest.sharing.size, forest.providerCount]).toEqual([undefined, 0, 4]);
    expect(rootsIn(forest.byClass.listOf(2))).toEqual([]);
    expect(rootsIn(forest.byAggregate.listOf(1))).toEqual(['cn1']);
    expect(rootsIn(forest.all)).toEqual(['cn1', 'cn2']);
  });

  test.each(['after', 'with', 'before'])('a new provider may have the uuid of one whose deletion is applied %s it', (end) => {
    const forest = forestOf(drawing);
    const { state, id } = get(forest, 'ss1');
    const born = { changed: [{ ...state, provider: { ...state.provider, id: 100, rootId: 100 } }], removed: [] };
    const gone = { changed: [], removed: [id] };
    const told = { after: [born, gone], with: [{ ...born, removed: [id] }], before: [gone, born] }[end] ?? [];
    for (const changes of told) forest.apply(changes);
    expect([forest.findById(id), get(forest, 'ss1').id, forest.sharing.size, forest.providerCount]).toEqual([undefined, 100, 1, 5]);
  });
});
