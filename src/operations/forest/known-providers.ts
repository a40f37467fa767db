// Providers that a search has seen whole. What is asked of them next is answered from here: no statement is needed, and the use shown is
// the use that was searched.
import type { Forest, ForestProvider, ProviderState } from '../../domain/candidates/forest.ts';
import type { Aggregate, Inventory, Provider, Trait } from '../../domain/provider.ts';

export class KnownProviders {
  private readonly states = new Map<number, ProviderState>();
  private forest: Forest | undefined;

  /** Remembers providers as they are now: the forest moves on, these states do not change. */
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
    // A name that the forest does not know is read like everything else.
    return traits?.every((trait) => trait !== undefined) ? traits.sort((a, b) => compare(a.name, b.name)) : undefined;
  }

  /** By uuid. */
  aggregatesOf(id: number): readonly Aggregate[] | undefined {
    const aggregates = this.states.get(id)?.aggregateIds.map((aggregateId) => this.forest?.aggregates.get(aggregateId)?.aggregate);
    return aggregates?.every((aggregate) => aggregate !== undefined) ? aggregates.sort((a, b) => compare(a.uuid, b.uuid)) : undefined;
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
