// The translation of a flavor to a request.
import { flavorToRequest, parseFlavor } from '../../nova/flavors/flavors.ts';
import { readProperties } from '../../nova/flavors/properties.ts';
import type { Resolvers } from '../schema.generated.ts';

export const flavorResolvers = {
  Query: {
    flavorToRequest: (_, { input: { flavor, imageProperties, ...facts } }) => {
      const properties = readProperties(imageProperties ?? [], ['imageProperties']);
      const { request, warnings } = flavorToRequest(parseFlavor(flavor, ['flavor']), { ...facts, imageProperties: properties });
      const groups = request.groups.map(({ suffix, resources, traits }) => ({
        suffix: suffix ?? null,
        resources: resources ?? [],
        traits: (traits ?? []).map(({ allOf, noneOf }) => ({ allOf: allOf ?? null, noneOf: noneOf ?? null })),
      }));
      return { request: { groups, groupPolicy: request.groupPolicy ?? 'NONE' }, warnings };
    },
  },
} satisfies Resolvers;
