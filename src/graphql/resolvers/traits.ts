// Trait: by name, in lists, and the providers that have it.

import { partlyChanged } from '../../domain/event-changes.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import { createTrait, deleteTrait } from '../../operations/names/name-writes.ts';
import { findTrait, listTraits } from '../../operations/names/traits.ts';
import { replaceTraits } from '../../operations/providers/provider-writes.ts';
import { patchTraits } from '../../operations/providers/trait-patches.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { deleted, mutation, nothingDeleted, readAfterWrite } from './mutation.ts';

const standardNames: ReadonlySet<string> = new Set(standardTraits);

export const traitResolvers = {
  Query: {
    trait: (_, { name }, scope) => findTrait(scope, name),
    traits: (_, args, scope) => listTraits(scope, args),
  },
  Mutation: {
    replaceTraits: mutation({ resourceProvider: null, warnings: [] }, async (input, scope) => ({
      resourceProvider: await replaceTraits(scope, input),
      warnings: [],
    })),
    patchTraits: mutation({ matchedCount: 0, changes: [], applied: false, warnings: [] }, async (input, scope) => {
      const { changes, ...answer } = await patchTraits(scope, input);
      return { ...answer, warnings: [], changes: changes.map(({ provider, ...parts }) => partlyChanged(provider, parts)) };
    }),
    createTrait: mutation({ trait: null, created: false }, async (input, scope) => {
      const { created } = await createTrait(scope, input);
      return { trait: await readAfterWrite(scope.loaders.traitByName.load(input.name)), created };
    }),
    deleteTrait: mutation(nothingDeleted, async (input, scope) => deleted('Trait', await deleteTrait(scope, input))),
  },
  Trait: {
    id: ({ name }) => renderNodeId('Trait', name),
    isStandard: ({ name }) => standardNames.has(name),
    resourceProviders: ({ id }, args, { loaders }) => loaders.providerPageByTrait(args).load(id),
  },
  TraitConnection: connectionResolvers,
} satisfies Resolvers;
