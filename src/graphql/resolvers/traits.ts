// Trait: by name, in lists, and the providers that have it.
import { standardTraits } from '../../domain/standard-traits.ts';
import { findTrait, listTraits } from '../../operations/providers/traits.ts';
import { renderNodeId } from '../node-id.ts';
import type { QueryResolvers, TraitResolvers } from '../schema.generated.ts';

export const traitQueries: Pick<QueryResolvers, 'trait' | 'traits'> = {
  trait: (_, { name }, scope) => findTrait(scope, name),
  traits: (_, args, scope) => listTraits(scope, args),
};

const standardNames: ReadonlySet<string> = new Set(standardTraits);

export const traitResolvers: TraitResolvers = {
  id: ({ name }) => renderNodeId('Trait', name),
  isStandard: ({ name }) => standardNames.has(name),
  resourceProviders: ({ id }, args, { loaders }) => loaders.providerPageByTrait(args).load(id),
};
