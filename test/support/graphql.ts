// Asks the real schema as a request would, without a listener: resolvers, loaders and statements are those of the product.
// Authentication, limits and the words of errors are tested where they are made.
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type ExecutionResult, graphql } from 'graphql';
import type { Db } from '../../src/db/client.ts';
import { connectionResolvers } from '../../src/graphql/connections.ts';
import { aggregateQueries, aggregateResolvers } from '../../src/graphql/resolvers/aggregates.ts';
import { capacityQueries, resourceTotalResolvers } from '../../src/graphql/resolvers/capacity.ts';
import { inventoryResolvers } from '../../src/graphql/resolvers/inventories.ts';
import { providerQueries, providerResolvers, sharedPoolResolvers } from '../../src/graphql/resolvers/providers.ts';
import { resourceClassQueries, resourceClassResolvers } from '../../src/graphql/resolvers/resource-classes.ts';
import { traitQueries, traitResolvers } from '../../src/graphql/resolvers/traits.ts';
import { dateTimeScalar, safeIntScalar, uuidScalar } from '../../src/graphql/scalars.ts';
import { type RequestScope, Scope } from '../../src/operations/scope.ts';

const schema = makeExecutableSchema({
  typeDefs: readFileSync('schema.graphql', 'utf8'),
  resolverValidationOptions: { requireResolversForResolveType: 'ignore' },
  resolvers: {
    UUID: uuidScalar,
    DateTime: dateTimeScalar,
    SafeInt: safeIntScalar,
    Query: { ...aggregateQueries, ...capacityQueries, ...providerQueries, ...resourceClassQueries, ...traitQueries } as never,
    ResourceProvider: providerResolvers as never,
    SharedPool: sharedPoolResolvers as never,
    Inventory: inventoryResolvers as never,
    ResourceTotal: resourceTotalResolvers as never,
    ResourceClass: resourceClassResolvers as never,
    Trait: traitResolvers as never,
    Aggregate: aggregateResolvers as never,
    ResourceProviderConnection: connectionResolvers as never,
    InventoryConnection: connectionResolvers as never,
    TraitConnection: connectionResolvers as never,
    AggregateConnection: connectionResolvers as never,
  },
});

/** The scope of a new request. */
export function scopeOf(db: Db): RequestScope {
  return new Scope({ db, identity: { user: 'admin', project: 'admin', roles: ['admin'] }, requestId: 'req-test' });
}

/** The whole result of an operation, errors included. Objects are plain, so that they compare with literals. */
export async function execute(db: Db, source: string, variableValues: Record<string, unknown> = {}): Promise<ExecutionResult> {
  const contextValue = scopeOf(db);
  const result = await graphql({ schema, source, variableValues, contextValue });
  return { ...result, ...(result.data && { data: JSON.parse(JSON.stringify(result.data)) }) };
}

/** The data of an operation that must succeed. What it threw is thrown again as it was. */
export async function query<Data = unknown>(db: Db, source: string, variables: Record<string, unknown> = {}): Promise<Data> {
  const { data, errors } = await execute(db, source, variables);
  const [error] = errors ?? [];
  if (error) throw error.originalError ?? error;
  return data as Data;
}
