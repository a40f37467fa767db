// How many times a request fits under one root. The lower bound allocates greedily from the tree and its pools (sharing providers), the
// upper bound compares sums. Considers one tree at a time; fit.ts accounts for trees that compete for pools.
import { roomIn } from '../inventory.ts';
import { inOrder } from './anchors.ts';
import { Combinations } from './combine.ts';
import { ForestProvider, type Tree } from './forest.ts';
import { choicesUnder, hasAny, hasRoomFor, type Query, type Slot, type Take } from './groups.ts';
import type { Steps } from './steps.ts';

/** Several requests served by the same providers. */
export interface Batch {
  readonly times: number;
  /** What one request takes from each pool. */
  readonly fromPools: readonly { readonly provider: ForestProvider; readonly takes: readonly Take[] }[];
}

/** How many requests fit under one root, if all of them go there. */
export interface TreeFit {
  readonly least: number;
  readonly most: number;
  /** Sharing providers among the choices, in this tree or outside it. When there are none, the fields below are empty. */
  readonly pools: readonly ForestProvider[];
  readonly poolsOfRun: readonly (readonly ForestProvider[])[];
  /** By run: how many of its slots the other providers can serve. */
  readonly ownSlots: readonly number[];
  /** By contested class: what the other providers have free. */
  readonly ownFree: ReadonlyMap<number, number>;
  /** The batches that add up to `least`, in order of allocation. */
  readonly batches: readonly Batch[];
}

/** What a provider has free of a class, in its units. */
export function freeOf(provider: ForestProvider, classId: number): number {
  const inventory = provider.inventoryOf(classId);
  return inventory ? Math.max(0, roomIn(inventory)) : 0;
}

/** How many times these amounts fit together. */
export function fitsOn(takes: readonly Take[], freeOfClass: (classId: number) => number): number {
  return takes.reduce((least, { classId, amount }) => Math.min(least, Math.floor(freeOfClass(classId) / amount)), Number.POSITIVE_INFINITY);
}

/** The total that one request takes of a class. */
export function amountOf({ slots }: Query, classId: number): number {
  return slots.flatMap(({ takes }) => takes).reduce((sum, take) => sum + (take.classId === classId ? take.amount : 0), 0);
}

const nowhere = { pools: [], poolsOfRun: [], ownSlots: [], ownFree: new Map<number, number>(), batches: [] };
const nothing: TreeFit = { least: 0, most: 0, ...nowhere };
/** The cost of one greedy round, in steps. */
const roundCost = 300;

type Choices = readonly (readonly ForestProvider[])[];

export class TreeFits {
  private readonly query: Query;
  private readonly steps: Steps;
  /** The sum of what one request takes. */
  private readonly together: readonly Take[];
  /** The number of slots of each run. */
  private readonly times: readonly number[];
  private readonly isIsolating: boolean;

  constructor(query: Query, steps: Steps) {
    this.query = query;
    this.steps = steps;
    this.together = sumOf(query.slots.flatMap(({ takes }) => takes));
    this.times = query.runs.map((_, run) => query.slots.filter((slot) => slot.run === run).length);
    this.isIsolating = query.isolate && query.slots.filter(({ group }) => group.suffix !== '').length > 1;
  }

  /** How many requests fit under a tree that may be an anchor. */
  under(tree: Tree): TreeFit {
    const choices: ForestProvider[][] = [];
    for (const slot of this.query.runs) {
      const own = choicesUnder(slot, tree, this.steps);
      if (own.length === 0) return nothing;
      choices.push(own);
    }
    const [first] = choices[0] as [ForestProvider];
    const isLone = choices.every((own) => own.length === 1 && own[0] === first);
    if (isLone && !first.isSharing) {
      const count = this.onLone(first);
      return { least: count, most: count, ...nowhere };
    }
    const batches = isLone
      ? this.batchesOnLone(first)
      : this.areIndependent(choices)
        ? this.batchesInTurn(choices)
        : this.batchesGreedily(choices);
    const least = batches.reduce((sum, { times }) => sum + times, 0);
    const most = isLone ? least : this.mostOf(choices);
    const pools = [...new Set(choices.flat())].filter(({ isSharing }) => isSharing);
    if (pools.length === 0) return { least, most, ...nowhere };
    const own = choices.map((list) => list.filter(({ isSharing }) => !isSharing));
    return {
      least,
      most,
      pools,
      poolsOfRun: choices.map((list) => list.filter(({ isSharing }) => isSharing)),
      ownSlots: own.map((list, run) => slotsOn(list, this.query.runs[run] as Slot)),
      ownFree: new Map([...this.query.contested].map((classId) => [classId, freeOn(own, classId)])),
      batches,
    };
  }

  /** How many requests fit if this provider must serve all groups. */
  private onLone(provider: ForestProvider): number {
    if (this.isIsolating) return 0;
    const spread = this.query.slots.find(({ group }) => group.suffix === '');
    if (spread && !spread.group.traits.isMetBy(provider.traits)) return 0;
    for (const { classId, amount } of this.together) if (amount > (provider.inventoryOf(classId)?.maxUnit ?? 0)) return 0;
    return fitsOn(this.together, (classId) => freeOf(provider, classId));
  }

  private batchesOnLone(provider: ForestProvider): Batch[] {
    const times = this.onLone(provider);
    return times > 0 ? [{ times, fromPools: [{ provider, takes: this.together }] }] : [];
  }

  /** Whether each run can choose regardless of what the others take. */
  private areIndependent(choices: Choices): boolean {
    const { slots, runs, contested, withoutNested } = this.query;
    if (contested.size > 0 || this.isIsolating || withoutNested || slots.some(({ subtrees }) => subtrees.length > 0)) return false;
    const spread = [...runs.entries()].filter(([, { group }]) => group.suffix === '');
    const required = spread[0]?.[1].group.traits.required ?? [];
    return required.every((ids) => spread.some(([run]) => choices[run]?.every(({ traits }) => hasAny(traits, ids))));
  }

  /** Each run exhausts its choices in turn, the tree's own before pools. Optimal for independent runs. */
  private batchesInTurn(choices: Choices): Batch[] {
    const queues = choices.map((list, run) => {
      const { takes } = this.query.runs[run] as Slot;
      const ordered = [...list].sort((a, b) => Number(a.isSharing) - Number(b.isSharing));
      return ordered.map((provider) => ({ provider, takes, left: fitsOn(takes, (classId) => freeOf(provider, classId)) }));
    });
    const batches: Batch[] = [];
    for (;;) {
      this.steps.spend(queues.length);
      const heads = queues.flatMap((queue) => queue[0] ?? []);
      if (heads.length < queues.length) return batches;
      const times = Math.min(...heads.map(({ left }) => left));
      batches.push({ times, fromPools: heads.filter(({ provider }) => provider.isSharing) });
      for (const queue of queues) {
        const [head] = queue;
        if (head) head.left -= times;
        if (head?.left === 0) queue.shift();
      }
    }
  }

  /** Allocates in rounds, each time from the providers with most room; not always optimal. */
  private batchesGreedily(choices: Choices): Batch[] {
    const copies = new Map<ForestProvider, ForestProvider>();
    const originals = new Map<ForestProvider, ForestProvider>();
    for (const provider of new Set(choices.flat())) originals.set(copyOf(provider, copies), provider);
    const batches: Batch[] = [];
    for (;;) {
      this.steps.spend(roundCost);
      const left = choices.map((list, run) => this.mostFirst(list, this.query.runs[run] as Slot, copies));
      if (this.steps.areSpent || left.some(({ length }) => length === 0)) return batches;
      const combinations = new Combinations(this.query, left, this.steps);
      if (!combinations.next()) return batches;
      const taken = this.takenFrom(combinations.chosen);
      const possible = taken.reduce(
        (least, { provider, takes }) =>
          Math.min(
            least,
            fitsOn(takes, (classId) => freeOf(provider, classId)),
          ),
        Number.POSITIVE_INFINITY,
      );
      const times = Math.max(1, Math.floor(possible / 4));
      for (const { provider, takes } of taken) use(provider, takes, times);
      const original = taken.map(({ provider, takes }) => ({ provider: originals.get(provider) as ForestProvider, takes }));
      batches.push({ times, fromPools: original.filter(({ provider }) => provider.isSharing) });
    }
  }

  private mostFirst(
    list: readonly ForestProvider[],
    { takes }: Slot,
    copies: ReadonlyMap<ForestProvider, ForestProvider>,
  ): ForestProvider[] {
    const left = list.map((provider) => copies.get(provider) as ForestProvider).filter((copy) => hasRoomFor(copy, takes));
    return [
      ...inOrder(left, [
        (copy) =>
          -Math.min(
            fitsOn(takes, (classId) => freeOf(copy, classId)),
            Number.MAX_SAFE_INTEGER,
          ),
      ]),
    ];
  }

  /** What one request takes from each provider if these serve its slots. */
  private takenFrom(chosen: readonly ForestProvider[]): { provider: ForestProvider; takes: readonly Take[] }[] {
    return [...new Set(chosen)].map((provider) => ({
      provider,
      takes: sumOf(this.query.slots.flatMap(({ takes }, slot) => (chosen[slot] === provider ? takes : []))),
    }));
  }

  /** An upper bound that ignores the conditions between groups, apart from isolation. */
  private mostOf(choices: Choices): number {
    let most = Number.POSITIVE_INFINITY;
    for (const [run, list] of choices.entries()) {
      const slot = this.query.runs[run] as Slot;
      const times = this.times[run] as number;
      most = Math.min(most, Math.floor(slotsOn(list, slot) / times));
      if (!this.isIsolating || slot.group.suffix === '') continue;
      // A provider serves one request at most once.
      const counts = list.map((provider) => fitsOn(slot.takes, (classId) => freeOf(provider, classId)));
      for (let last = Number.POSITIVE_INFINITY; most < last; ) {
        last = most;
        most = Math.min(most, Math.floor(counts.reduce((sum, count) => sum + Math.min(count, last), 0) / times));
      }
    }
    for (const classId of this.query.contested) most = Math.min(most, Math.floor(freeOn(choices, classId) / amountOf(this.query, classId)));
    return most;
  }
}

function slotsOn(providers: readonly ForestProvider[], { takes }: Slot): number {
  return providers.reduce((sum, provider) => sum + fitsOn(takes, (classId) => freeOf(provider, classId)), 0);
}

/** What these providers have free of a class, each counted once. */
function freeOn(choices: Choices, classId: number): number {
  return [...new Set(choices.flat())].reduce((sum, provider) => sum + freeOf(provider, classId), 0);
}

function sumOf(takes: readonly Take[]): Take[] {
  const sums = new Map<number, number>();
  for (const { classId, amount } of takes) sums.set(classId, (sums.get(classId) ?? 0) + amount);
  return [...sums].map(([classId, amount]) => ({ classId, amount }));
}

/** A copy of a provider and its ancestors, whose usage can be changed. */
function copyOf(provider: ForestProvider, copies: Map<ForestProvider, ForestProvider>): ForestProvider {
  const known = copies.get(provider);
  if (known) return known;
  const copy = new ForestProvider(provider.state, provider.traits, provider.aggregates);
  copies.set(provider, copy);
  copy.tree = provider.tree;
  copy.isSharing = provider.isSharing;
  copy.parent = provider.parent && copyOf(provider.parent, copies);
  return copy;
}

function use(copy: ForestProvider, takes: readonly Take[], times: number): void {
  const inventories = copy.state.inventories.map((inventory) => {
    const take = takes.find(({ classId }) => classId === inventory.classId);
    return take ? { ...inventory, used: inventory.used + times * take.amount } : inventory;
  });
  copy.state = { ...copy.state, inventories };
}
