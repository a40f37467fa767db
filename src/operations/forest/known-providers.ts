// Providers that a search has read completely. Later reads of them in the same request are answered from here: without a statement, and with the
// usage that the search saw.
import type { Forest, ForestProvider, ProviderState } from '../../domain/candidates/forest.ts';
import type { Aggregate, Inventory, Provider, Trait } from '../../domain/provider.ts';

export class KnownProviders {
  private readonly states = new Map<number, ProviderState>();
  private forest: Forest | undefined;
  private readonly traitLists = new Map<readonly number[], readonly Trait[]>();
  private readonly aggregateLists = new Map<readonly number[], readonly Aggregate[]>();

  /** Remembers the current states of providers: updates of the forest do not change them. */
  remember(forest: Forest, providers: Iterable<ForestProvider>): void {
    this.forest = forest;
    for (const { state } of providers) this.states.set(state.provider.id, state);
  }

  find(id: number): Provider | undefined {
    return this.states.get(id)?.provider;
  }

  inventoriesOf(id: number): readonly Inventory[] | undefined {
    return this.states.get(id)?.inventories;
  }

  /** By name. */
  traitsOf(id: number): readonly Trait[] | undefined {
    return sortedOnce(
      this.traitLists,
      this.states.get(id)?.traitIds,
      (traitId) => this.forest?.traits.get(traitId),
      ({ name }) => name,
    );
  }

  /** By uuid. */
  aggregatesOf(id: number): readonly Aggregate[] | undefined {
    const find = (aggregateId: number) => this.forest?.aggregates.get(aggregateId)?.aggregate;
    return sortedOnce(this.aggregateLists, this.states.get(id)?.aggregateIds, find, ({ uuid }) => uuid);
  }
}

/** The names of ids, sorted: made once for all providers that have the same ids. Undefined if a name is unknown; the database is read then. */
function sortedOnce<Named>(
  lists: Map<readonly number[], readonly Named[]>,
  ids: readonly number[] | undefined,
  find: (id: number) => Named | undefined,
  keyOf: (named: Named) => string,
): readonly Named[] | undefined {
  if (!ids) return undefined;
  const known = lists.get(ids);
  if (known) return known;
  const named = ids.map(find);
  if (!named.every((one) => one !== undefined)) return undefined;
  const sorted = named.sort((a, b) => compare(keyOf(a), keyOf(b)));
  lists.set(ids, sorted);
  return sorted;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
