// Candidates as they are stored with the answer of a claim: each provider once, and everywhere else its place in the list. Written out, each provider would be
// repeated for the root, for each class and for each group, and that would be most of the cost of an idempotency key.
import type { Provider, ResourceClass } from '../../domain/provider.ts';
import type { FoundCandidate } from './candidates.ts';

/** Providers are places in the list that is stored beside. */
export interface KeptCandidate {
  readonly root: number;
  readonly allocations: readonly (readonly [provider: number, resourceClass: ResourceClass, amount: number])[];
  readonly mappings: readonly (readonly [suffix: string, providers: readonly number[]])[];
}

/** Candidates that are kept together. */
export class CandidateKeeper {
  readonly providers: Provider[] = [];
  private readonly places = new Map<Provider, number>();

  keep({ root, allocations, mappings }: FoundCandidate): KeptCandidate {
    return {
      root: this.placeOf(root),
      allocations: allocations.map(({ resourceProvider, resourceClass, amount }) => [
        this.placeOf(resourceProvider),
        resourceClass,
        amount,
      ]),
      mappings: mappings.map(({ suffix, resourceProviders }) => [suffix, resourceProviders.map((provider) => this.placeOf(provider))]),
    };
  }

  private placeOf(provider: Provider): number {
    const place = this.places.get(provider) ?? this.providers.push(provider) - 1;
    this.places.set(provider, place);
    return place;
  }
}

/** A candidate with the providers of a list. */
export function candidateWith(providers: readonly Provider[], { root, allocations, mappings }: KeptCandidate): FoundCandidate {
  const at = (place: number) => providers[place] as Provider;
  return {
    root: at(root),
    allocations: allocations.map(([provider, resourceClass, amount]) => ({ resourceProvider: at(provider), resourceClass, amount })),
    mappings: mappings.map(([suffix, places]) => ({ suffix, resourceProviders: places.map(at) })),
  };
}
