// The translation of flavors and request specs to requests, and how many of them fit.
import { translateFlavor, translateRequestSpec } from '../../nova/requests/translations.ts';
import { findFit } from '../../operations/candidates/fit.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import type { Resolvers } from '../schema.generated.ts';

export const flavorResolvers = {
  Query: {
    flavorToRequest: (_, { input }, scope) => translateFlavor(scope, input),
    requestSpecToRequest: (_, { input }, scope) => translateRequestSpec(scope, input),
  },
  FlavorRequest: {
    request: ({ request }) => echoRequest(request),
    fallback: ({ fallback }) => fallback && echoRequest(fallback),
    fit: ({ request }, { within }, scope) => findFit(scope, request, within),
  },
} satisfies Resolvers;

/** A request in the form of its own input. */
export function echoRequest({ groups, groupPolicy, rootTraits, sameSubtree }: CandidatesInput) {
  return {
    groups: groups.map(({ suffix, resources, traits, aggregates, inTrees }) => ({
      suffix: suffix ?? null,
      resources: resources ?? [],
      traits: (traits ?? []).map(echoClause),
      aggregates: (aggregates ?? []).map(echoClause),
      inTrees: inTrees ?? null,
    })),
    groupPolicy: groupPolicy ?? 'NONE',
    rootTraits: (rootTraits ?? []).map(echoClause),
    sameSubtree: sameSubtree ?? [],
  };
}

type Clause = NonNullable<CandidatesInput['rootTraits']>[number];

const echoClause = ({ allOf, anyOf, noneOf }: Clause) => ({ allOf: allOf ?? null, anyOf: anyOf ?? null, noneOf: noneOf ?? null });
