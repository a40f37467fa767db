// Providers that a search has read completely. Later reads of them in the same request are answered from here: without a statement, and with the
// usage that the search saw.
import type { Forest, ForestProvider, ProviderState } from '../../domain/candidates/forest.ts';
import type { Aggregate, Inventory, Provider, Trait } from '../../domain/provider.ts';

export class KnownProviders {
  private readonly states = new Map<number, ProviderState>();
  private forest: Forest | undefined;

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
    const traits = this.states.get(id)?.traitIds.map((traitId) => this.forest?.traits.get(traitId));
    // The database is read if the forest does not know a name.
    return traits?.every((trait) => trait !== undefined) ? traits.sort((a, b) => compare(a.name, b.name)) : undefined;
  }

  /** By uuid. */
  aggregatesOf(id: number): readonly Aggregate[] | undefined {
    const aggregates = this.states.get(id)?.aggregateIds.map((aggregateId) => this.forest?.aggregates.get(aggregateId)?.aggregate);
    return aggregates?.every((aggregate) => aggregate !== undefined) ? aggregates.sort((a, b) => compare(a.uuid, b.uuid)) : undefined;
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
