// The scope of a GraphQL request: its caller, what is logged and audited about it, and what remains of the caller's budget.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type CallerBudgets, OverBudget, type Visit } from '../auth/budgets.ts';
import { globalRequestIdOf } from '../auth/callers/headers.ts';
import type { Authenticate } from '../auth/callers/method.ts';
import type { Policy } from '../auth/policy/policy.ts';
import type { Audit } from '../domain/audit.ts';
import type { Identity } from '../domain/identity.ts';
import { Activity } from '../measures/activity.ts';
import { smallBody } from '../operations/request/large-json.ts';
import { type RequestScope, Scope } from '../operations/scope/scope.ts';
import { type Audited, recordOperation } from './audited.ts';
import { Made } from './large-answers.ts';
import type { OperationScope } from './operation-scope.ts';

/** The scope of a GraphQL request, with data for the log. */
export class GraphqlScope extends Scope implements OperationScope {
  cost = 0;
  isCounted = false;
  isLarge = false;
  readonly made = new Made();
  readonly rendered = {};
  readonly audited: Audited;
  readonly hasLargeBody: boolean;

  readonly visit: Visit | null;

  constructor(
    { db, policy, audit, budgets }: ScopeParts,
    identity: Identity | null,
    request: FastifyRequest,
    activity: Activity | null = null,
  ) {
    const { id, headers } = request;
    const globalRequestId = globalRequestIdOf(headers);
    const owned = () => policy.ownedBy(identity);
    const audited = { operation: null, fields: [], isRecorded: false, isOperation: false };
    const record = audit && recordOperation(audit(request, identity, globalRequestId), audited);
    super({ db, identity, requestId: id, globalRequestId, audit: record, owned, activity });
    this.audited = audited;
    this.visit = identity && (budgets?.enter(identity) ?? null);
    this.hasLargeBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > smallBody;
  }
}

/** The parts that all scopes of GraphQL requests share. */
export interface ScopeParts {
  readonly db: RequestScope['db'];
  readonly policy: Policy;
  /** The audit log; null when there is none. */
  readonly audit: Audit | null;
  /** Null for scopes that are not a request of their own. */
  readonly budgets: CallerBudgets | null;
}

/** Throws OverBudget for callers with too many requests in progress. */
export function contextOf(shared: ScopeParts, authenticate: Authenticate) {
  return async (request: FastifyRequest): Promise<OperationScope> => {
    let identity: Identity | null = null;
    try {
      identity = await authenticate(request);
      return new GraphqlScope(shared, identity, request, new Activity('graphql', request.headers));
    } catch (error) {
      const record = shared.audit?.(request, identity, globalRequestIdOf(request.headers));
      if (error instanceof OverBudget) await pause(error.hold);
      record?.({ outcome: error instanceof OverBudget ? 'limited' : 'unavailable', action: null });
      throw error;
    }
  };
}
