// Runs operations on the real schema without a listener: with the product's resolvers, loaders and statements.
// Authentication, limits and error messages are tested elsewhere.

import { type ExecutionResult, graphql } from 'graphql';
import type { Db } from '../../src/db/sql/client.ts';
import { plainIdentity } from '../../src/domain/identity.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { type RequestScope, Scope } from '../../src/operations/scope/scope.ts';

const schema = loadSchema();

/** The scope of a new request. */
export function scopeOf(db: Db): RequestScope {
  return new Scope({ db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: 'req-test' });
}

/** The whole result of an operation, errors included. Objects are plain, so that they compare with literals. */
export async function execute(db: Db, source: string, variableValues: Record<string, unknown> = {}): Promise<ExecutionResult> {
  const result = await graphql({ schema, source, variableValues, contextValue: scopeOf(db) });
  return { ...result, ...(result.data && { data: JSON.parse(JSON.stringify(result.data)) }) };
}

/** The data of an operation that must succeed. Rethrows the original error. */
export async function query<Data = unknown>(db: Db, source: string, variables: Record<string, unknown> = {}): Promise<Data> {
  const { data, errors } = await execute(db, source, variables);
  const [error] = errors ?? [];
  if (error) throw error.originalError ?? error;
  return data as Data;
}
