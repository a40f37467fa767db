// Decides whether an operation may run, by its caller, its fields and its cost. Queries, mutations and subscriptions take the same steps. Knows no transport.
import { setTimeout } from 'node:timers/promises';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { OverBudget } from '../auth/budgets.ts';
import { limits as declared } from '../domain/limits.ts';
import { noteAsked } from './audited.ts';
import { rateLimited, requestError } from './errors.ts';
import { createLimits, type Variables } from './limits.ts';
import type { OperationScope } from './operation-scope.ts';
import type { Permissions } from './permissions.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import { checkValues, checkValuesInParts } from './variable-values.ts';

/** A validated operation that a caller wants to run. */
export interface AskedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
  /** The SHA-256 of the document. */
  readonly hash: string;
}

/** Rejects with a GraphQLError. Afterwards the scope knows what its caller may see. */
export type Admit = (asked: AskedOperation, scope: OperationScope) => Promise<void>;

export interface AdmissionOptions {
  readonly schema: GraphQLSchema;
  readonly permissions: Permissions;
  /** The only documents for most callers; null: there is no such list. */
  readonly trustedDocuments: TrustedDocuments | null;
}

export function createAdmission({ schema, permissions, trustedDocuments }: AdmissionOptions): Admit {
  const checkLimits = createLimits(schema);
  return async ({ document, operation, variables, hash }, scope) => {
    if (scope.audit) noteAsked(scope.audited, document, operation);
    permissions.checkCaller(document, operation, scope.identity);
    if (trustedDocuments && !trustedDocuments.has(hash)) permissions.checkMaySendAny(scope.identity);
    if (scope.hasLargeBody) await checkValuesInParts(variables);
    else checkValues(variables);
    const { cost, counted } = checkLimits(document, operation, variables);
    // Public fields need few objects, and a caller without a token has no budget that would bound the rest.
    if (scope.identity === null && cost > declared.lightOperationCost)
      throw requestError(
        'UNAUTHENTICATED',
        'A valid token is required for an operation with so large an answer: send it as Authorization: Bearer, or in X-Auth-Token.',
      );
    scope.cost = cost;
    scope.made.operation = counted;
    const { project, sees, rights } = permissions.check(document, operation, variables, scope.identity);
    scope.ownProject = project;
    scope.sees = sees;
    scope.rights = rights;
    await spendCost(scope);
  };
}

async function spendCost(scope: OperationScope): Promise<void> {
  try {
    scope.visit?.spend(scope.cost);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    await setTimeout(error.hold);
    throw rateLimited(error);
  }
}

/** Charges the caller's budget for what the estimate did not cover. */
export function chargeRest({ visit, cost, made }: OperationScope): void {
  const rest = made.cost - cost;
  if (rest > 0) visit?.charge(rest);
}
