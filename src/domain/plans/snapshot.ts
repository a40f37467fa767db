// A copy of a forest at one moment, which its owner may change at will and over many turns of the event loop. States are never changed in place, so the
// moment is captured at once, and the copy is built from it step by step.
import { Forest, type ForestNames, type ProviderState, type Tree } from '../candidates/forest.ts';

/** Everything in a forest at one moment. */
export interface Snapshot {
  readonly names: ForestNames;
  /** The members of a tree are adjacent. */
  readonly states: readonly ProviderState[];
}

/** The number of providers copied between two pauses. */
const providersAtOnce = 200;

/**
 * Takes tenths of a microsecond for each provider. `trees`: copies only these and the trees of all sharing providers, for callers that use no others.
 */
export function snapshotOf(forest: Forest, trees: Iterable<Tree> = forest.all.trees): Snapshot {
  const names = {
    resourceClasses: [...forest.classes.every()],
    traits: [...forest.traits.every()],
    aggregates: [...forest.aggregates.every()].map(({ aggregate }) => aggregate),
  };
  const states: ProviderState[] = [];
  const all = trees === forest.all.trees ? trees : new Set([...trees, ...[...forest.sharing].map(({ tree }) => tree)]);
  for (const { members } of all) for (const { state } of members) states.push(state);
  return { names, states };
}

/** Builds a forest from a snapshot. Pauses now and then. */
export function* growForest({ names, states }: Snapshot): Generator<void, Forest> {
  const forest = new Forest();
  forest.setNames(names);
  for (let from = 0; from < states.length; from += providersAtOnce) {
    yield;
    forest.apply({ changed: states.slice(from, from + providersAtOnce), removed: [] });
  }
  return forest;
}
