// The translation of flavors and request specs to requests.
import { type TranslatedRequest, translateFlavor, translateRequestSpec } from '../../nova/requests/translations.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import type { Resolvers } from '../schema.generated.ts';

export const flavorResolvers = {
  Query: {
    flavorToRequest: async (_, { input }, scope) => echo(await translateFlavor(scope, input)),
    requestSpecToRequest: async (_, { input }, scope) => echo(await translateRequestSpec(scope, input)),
  },
} satisfies Resolvers;

const echo = ({ request, fallback, warnings }: TranslatedRequest) => ({
  request: echoRequest(request),
  fallback: fallback && echoRequest(fallback),
  warnings,
});

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
