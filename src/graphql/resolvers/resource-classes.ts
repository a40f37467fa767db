// ResourceClass, and the selection of rows by class.

import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { createResourceClass, deleteResourceClass } from '../../operations/names/name-writes.ts';
import { findResourceClass, listResourceClasses } from '../../operations/names/resource-classes.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { deleted, mutation, nothingDeleted, readAfterWrite } from './mutation.ts';

const unitByName = new Map(standardResourceClasses.map(({ name, unit }) => [name, unit]));

export const resourceClassResolvers = {
  Query: {
    resourceClass: (_, { name }, scope) => findResourceClass(scope, name),
    resourceClasses: (_, args, scope) => listResourceClasses(scope, args),
  },
  Mutation: {
    createResourceClass: mutation({ resourceClass: null, created: false }, async (input, scope) => {
      const { created } = await createResourceClass(scope, input);
      return { resourceClass: await readAfterWrite(scope.loaders.resourceClassByName.load(input.name)), created };
    }),
    deleteResourceClass: mutation(nothingDeleted, async (input, scope) =>
      deleted('ResourceClass', await deleteResourceClass(scope, input)),
    ),
  },
  ResourceClass: {
    id: ({ name }) => renderNodeId('ResourceClass', name),
    isStandard: ({ name }) => unitByName.has(name),
    unit: ({ name }) => unitByName.get(name) ?? null,
    cloudInventories: ({ id }, args, { loaders }) => loaders.inventoryPageByClass(args).load(id),
    cloudTotal: ({ id }, _, { loaders }) => loaders.totalByClass.load(id),
  },
  ResourceClassConnection: connectionResolvers,
} satisfies Resolvers;

/** The rows of these classes; all rows if no classes are given. */
export function ofClasses<Row extends { readonly className: string }>(
  rows: readonly Row[],
  classes: readonly string[] | null | undefined,
): readonly Row[] {
  return classes ? rows.filter(({ className }) => classes.includes(className)) : rows;
}
