// The scope of a GraphQL request: its caller, what is logged and audited about it, and what remains of the caller's budget.
import type { FastifyRequest } from 'fastify';
import type { Visit } from '../auth/budgets.ts';
import { globalRequestIdOf } from '../auth/callers/headers.ts';
import type { Policy } from '../auth/policy/policy.ts';
import type { Audit } from '../domain/audit.ts';
import type { Identity } from '../domain/identity.ts';
import { Activity } from '../measures/activity.ts';
import { smallBody } from '../operations/request/large-json.ts';
import { type RequestScope, Scope } from '../operations/scope/scope.ts';
import { type Audited, recordOperation } from './audited.ts';
import { callerOf } from './callers.ts';
import { Made } from './large-answers.ts';
import type { OperationScope } from './operation-scope.ts';

/** The scope of a GraphQL request, with data for the log. */
export class GraphqlScope extends Scope implements OperationScope {
  cost = 0;
  isLarge = false;
  readonly made = new Made();
  readonly rendered = {};
  readonly audited: Audited;
  readonly hasLargeBody: boolean;

  readonly visit: Visit | null;

  constructor(
    { db, policy, audit, quotasOfKeystone }: ScopeParts,
    identity: Identity | null,
    request: FastifyRequest,
    visit: Visit | null,
    activity: Activity | null = null,
  ) {
    const { id, headers } = request;
    const globalRequestId = globalRequestIdOf(headers);
    const owned = () => policy.ownedBy(identity);
    const audited = { operation: null, fields: [], isRecorded: false, isOperation: false };
    const record = audit && recordOperation(audit(request, identity, globalRequestId), audited);
    super({ db, identity, requestId: id, globalRequestId, audit: record, owned, quotasOfKeystone, activity });
    this.audited = audited;
    this.visit = visit;
    this.hasLargeBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > smallBody;
  }
}

/** The parts that all scopes of GraphQL requests share. */
export interface ScopeParts {
  readonly db: RequestScope['db'];
  readonly policy: Policy;
  /** The audit log; null when there is none. */
  readonly audit: Audit | null;
  /** Whether the quotas follow the limits of Keystone. */
  readonly quotasOfKeystone: boolean;
}

/** The scope of a request whose caller was recognized. */
export function scopeOf(shared: ScopeParts, request: FastifyRequest): OperationScope {
  const { identity, visit } = callerOf(request);
  return new GraphqlScope(shared, identity, request, visit, new Activity('graphql', request.headers));
}
