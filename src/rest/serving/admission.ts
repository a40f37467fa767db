// Checks a request before its body is read, in upstream's order: the caller (with its budget, which upstream has not), the version, whether a body has a type, the route, whether the version
// has it, the types of request and response, and whether the caller is authorized.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerBudgets, Visit } from '../../auth/budgets.ts';
import type { Authentication } from '../../auth/callers/method.ts';
import type { Target } from '../../auth/policy/compile.ts';
import { type Policy, targetOf } from '../../auth/policy/policy.ts';
import type { Identity } from '../../domain/identity.ts';
import { whenAnswered } from '../../http/unread.ts';
import type { Activity } from '../../measures/activity.ts';
import type { Route } from '../call.ts';
import { checkBodyHasType, checkBodyIsJson, checkTakesJson, setVersionHeaders } from '../headers.ts';
import { atVersion, has, type Microversion, negotiateVersion } from '../microversions.ts';
import { Query } from '../query.ts';
import { RestError } from '../rest-error.ts';
import type { Schema } from '../validation.ts';
import { findPath } from './routes.ts';

/** A request that passed all checks. */
export interface Admitted {
  readonly route: Route;
  readonly version: Microversion;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  readonly bodySchema: Schema | undefined;
  readonly querySchema: Schema | undefined;
}

/** The state of a request: the facts known so far, for the error handler. */
export interface Progress {
  readonly activity: Activity;
  version: Microversion | null;
  identity: Identity | null;
  /** Null for callers without bounds. */
  visit: Visit | null;
  /** The rule that must allow the caller; null before it is checked, and if the route has none. */
  rule: string | null;
  admitted: Admitted | null;
  /** Whether the audit log has a line about it. */
  isAudited: boolean;
  /** Whether another Placement has answered it. */
  isPassed: boolean;
  /** As the caller sent it. */
  contentType: string | undefined;
  /** Parsed and checked. */
  body: unknown;
}

/** What a request costs if nothing else says what it costs. */
export const usualCost = 1;

/** Admits a request, or throws a RestError or OverBudget. Sets the version headers as soon as the version is known. */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  progress: Progress,
  {
    mount,
    authentication,
    budgets,
    policy,
  }: {
    readonly mount: string;
    readonly authentication: Pick<Authentication, 'authenticate'>;
    readonly budgets: CallerBudgets;
    readonly policy: Policy;
  },
): Promise<void> {
  const { search } = request.target;
  const path = request.target.path.slice(mount.length);
  const isRoot = path === '' || path === '/';
  // The root needs no token, so that clients can discover versions even while no caller can be identified.
  const identity = isRoot ? null : await authentication.authenticate(request);
  progress.identity = identity;
  if (identity === null && !isRoot) throw new RestError(401, '');
  progress.visit = identity && budgets.enter(identity, usualCost);
  if (progress.visit) whenAnswered(reply, progress.visit.leave);
  const version = negotiateVersion(request.headers['openstack-api-version']);
  progress.version = version;
  setVersionHeaders(reply, version);
  checkBodyHasType(request);

  const found = findPath(path);
  if (!found) throw new RestError(404, '');
  const route = routeAt(found.routes, request.method, version);
  const bodySchema = route.body && atVersion(route.body, version);
  // A response without a body has no type that a caller could refuse.
  if (route.method === 'GET' && !isRoot && !isBodiless(route)) checkTakesJson(request);
  if (bodySchema) checkBodyIsJson(request);
  progress.rule = route.policy;
  requireRight(policy, route, identity, search);
  const querySchema = route.query && atVersion(route.query, version);
  progress.admitted = { route, version, params: found.params, search, bodySchema, querySchema };
}

function requireRight(policy: Policy, { policy: rule, projectAsked }: Route, caller: Identity | null, search: string): void {
  if (rule === null) return;
  const target: Target = projectAsked ? { project_id: projectAsked(new Query(search)) } : targetOf(caller);
  const decision = policy.decide(rule, caller, target);
  if (decision === 'denied') throw new RestError(403, `Policy does not allow ${rule} to be performed.`);
  if (decision === 'wrong scope') throw new RestError(403, rule);
}

const isBodiless = ({ path }: Route): boolean => path === '/traits/{name}';

/** The route of a method among those of a path, if the version has it. Throws a RestError otherwise. */
export function routeAt(routes: readonly Route[], method: string, version: Microversion): Route {
  const own = routes.filter((route) => route.method === method);
  const offered = routes.filter(({ since, until }) => has(version, since) && !(until && has(version, until)));
  const route = offered.find((each) => each.method === method);
  if (route) return route;
  if (own.length > 0 && own[0]?.tooOld !== 405) throw new RestError(404, '');
  throw methodNotAllowed(offered.length > 0 ? offered : routes);
}

/** A 405 with the methods of the routes. */
export function methodNotAllowed(routes: readonly Route[]): RestError {
  const allow = [...new Set(routes.map(({ method }) => method))].join(', ');
  return new RestError(405, 'The method specified is not allowed for this resource.', { allow });
}
