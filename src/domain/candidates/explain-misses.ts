// Near misses: counts the trees that would serve a request but for one or two requirements, and words them so that an operator knows what
// to change.

import type { NearestMiss } from '../explanation.ts';
import { unitFault } from '../inventory.ts';
import { limits } from '../limits.ts';
import { countTrees, type Filter, formatAmount } from './explain-filters.ts';
import type { Requirement, Requirements } from './explain-requirements.ts';
import { type Failure, lackOf } from './explain-survey.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';

/** The trees that fail the same filters. */
interface Tally {
  readonly filters: readonly number[];
  count: number;
  /** The smallest shortfall per filter. */
  readonly least: number[];
  /** The total shortfall of each tree. */
  readonly lacks: number[];
  /** The trees with the smallest shortfall. */
  readonly sample: { readonly tree: Tree; readonly provider: ForestProvider; readonly lack: number }[];
}

const sampleSize = 3;
const maxMisses = limits.nearestMisses;

/** Collects failures and reports the most common ones. */
export class NearestMisses {
  private readonly forest: Forest;
  private readonly requirements: Requirements;
  private readonly tallies = new Map<number, Tally>();
  private readonly isOfOneClass: boolean;

  constructor(forest: Forest, requirements: Requirements) {
    this.isOfOneClass = new Set(requirements.all.flatMap(({ take }) => take?.className ?? [])).size === 1;
    this.forest = forest;
    this.requirements = requirements;
  }

  get isEmpty(): boolean {
    return this.tallies.size === 0;
  }

  /** Whether dropping one requirement is enough for some tree. */
  get isSingle(): boolean {
    return [...this.tallies.values()].some(({ filters }) => filters.length === 1);
  }

  /** Counts a tree that would serve the request if it did not fail these filters, one or two. */
  add(tree: Tree, failures: readonly Failure[]): void {
    // A tree without any inventory of the only requested class is no near miss.
    if (this.isOfOneClass && failures.some(({ filter }) => this.requirements.filters[filter]?.kind === 'INVENTORY')) return;
    const key = failures.reduce((sum, { filter }) => sum * this.requirements.filters.length + filter, failures.length);
    let tally = this.tallies.get(key);
    if (!tally) {
      const filters = failures.map(({ filter }) => filter);
      tally = { filters, count: 0, least: filters.map(() => Number.POSITIVE_INFINITY), lacks: [], sample: [] };
      this.tallies.set(key, tally);
    }
    tally.count++;
    let sum = 0;
    for (const [place, failure] of failures.entries()) {
      const lack = lackOf(this.requirements, failure);
      tally.least[place] = Math.min(tally.least[place] as number, lack);
      sum += lack;
    }
    tally.lacks.push(sum);
    const { sample } = tally;
    if (sample.length < sampleSize || sum < (sample.at(-1)?.lack as number)) {
      const place = sample.findIndex(({ lack }) => sum < lack);
      const [{ provider }] = failures as [Failure];
      sample.splice(place < 0 ? sample.length : place, 0, { tree, provider, lack: sum });
      sample.length = Math.min(sample.length, sampleSize);
    }
  }

  /** The most common misses, most trees first. */
  best(): NearestMiss[] {
    const tallies = [...this.tallies.values()].sort((a, b) => b.count - a.count || (a.filters[0] as number) - (b.filters[0] as number));
    return tallies.slice(0, maxMisses).map((tally) => this.tell(tally));
  }

  private tell(tally: Tally): NearestMiss {
    const { filters, all } = this.requirements;
    const failed = tally.filters.map((number) => filters[number] as Filter);
    const lacking = failed.map(({ requirement }) => all[requirement] as Requirement);
    const absences = new Set(lacking.flatMap((requirement) => requirement.absence() ?? []));
    return {
      message: [this.messageOf(tally, failed, lacking), ...absences].join(' '),
      rootCount: tally.count,
      sample: tally.sample.map(({ tree }) => tree.root.state.provider),
      lacks: lacking.flatMap(({ take }, place) => {
        const resourceClass = take && failed[place]?.kind !== 'UNITS' && this.forest.classes.get(take.classId);
        return resourceClass ? [{ resourceClass, amount: tally.least[place] as number }] : [];
      }),
      lacksTraits: lacking.flatMap(({ lacksTraits }) => lacksTraits),
      lacksAggregates: lacking.flatMap(({ lacksAggregates }) => lacksAggregates),
    };
  }

  private messageOf(tally: Tally, failed: readonly Filter[], lacking: readonly Requirement[]): string {
    const [filter] = failed as [Filter];
    const [{ name, take }, other] = lacking as [Requirement, Requirement?];
    const { count } = tally;
    const trees = countTrees(count);
    if (other) return `Without both ${name} and ${other.name}, ${trees} would serve.`;
    const lack = count === 1 ? 'lacks' : 'lack';
    if (!take) return `Without ${name}, ${trees} would serve.`;
    switch (filter.kind) {
      case 'INVENTORY':
        return `${trees} ${lack} only ${filter.object}.`;
      case 'UNITS':
        return `${trees} ${count === 1 ? 'fails' : 'fail'} only to ${filter.object}: ${this.unitsOf(tally, take)}.`;
      default: {
        const sorted = Float64Array.from(tally.lacks).sort();
        const [least, typical] = [sorted[0] as number, sorted[count >> 1] as number];
        if (least === sorted[count - 1]) return `${trees} ${lack} only ${formatAmount(least)} ${take.className}${take.called}.`;
        return `${trees} ${lack} only ${take.className}${take.called}: ${formatAmount(least)} at least, typically ${formatAmount(typical)}.`;
      }
    }
  }

  /** The unit constraint that the first tree of the sample violates. */
  private unitsOf({ sample: [first] }: Tally, { classId, amount }: NonNullable<Requirement['take']>): string {
    const inventory = first?.provider.inventoryOf(classId);
    if (!first || !inventory) return 'its units';
    const fault = unitFault(inventory, amount) ?? 'stepSize';
    const field = { minUnit: 'min_unit', maxUnit: 'max_unit', stepSize: 'step_size' }[fault];
    return `${field} of ${first.provider.state.provider.name} is ${formatAmount(inventory[fault])}`;
  }
}
