// The translation of a flavor to a request.
import { flavorToRequest } from '../../nova/flavors/flavor-request.ts';
import { parseFlavor } from '../../nova/flavors/flavors.ts';
import { readProperties } from '../../nova/flavors/properties.ts';
import type { CandidatesInput } from '../../operations/candidates/candidates.ts';
import type { Resolvers } from '../schema.generated.ts';

export const flavorResolvers = {
  Query: {
    flavorToRequest: (_, { input: { flavor, imageProperties, ...facts } }) => {
      const properties = imageProperties && readProperties(imageProperties, ['imageProperties']);
      const { request, fallback, warnings } = flavorToRequest(parseFlavor(flavor, ['flavor']), { ...facts, imageProperties: properties });
      return { request: echo(request), fallback: fallback && echo(fallback), warnings };
    },
  },
} satisfies Resolvers;

/** A request in the form of its own input. */
function echo({ groups, groupPolicy, rootTraits }: CandidatesInput) {
  return {
    groups: groups.map(({ suffix, resources, traits }) => ({
      suffix: suffix ?? null,
      resources: resources ?? [],
      traits: (traits ?? []).map(echoTraits),
    })),
    groupPolicy: groupPolicy ?? 'NONE',
    rootTraits: (rootTraits ?? []).map(echoTraits),
  };
}

type Clause = NonNullable<CandidatesInput['rootTraits']>[number];

const echoTraits = ({ allOf, noneOf }: Clause) => ({ allOf: allOf ?? null, noneOf: noneOf ?? null });
