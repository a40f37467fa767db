// GET /metrics: what the gateway has measured in all its processes. GET /metrics/openstack: the cloud in the form of openstack-exporter. On the port of the
// APIs, they are for callers that may read inventories; on a port of their own, for everyone who can reach it.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Authentication, IdentityUnavailable } from '../auth/callers/method.ts';
import { type Policy, targetOf } from '../auth/policy/policy.ts';
import type { RuleName } from '../auth/policy/rules.ts';
import type { Db } from '../db/sql/client.ts';
import { httpRefusal, retryAfter } from '../http/refusal.ts';
import { addUp } from '../measures/instruments.ts';
import { forestOf } from '../operations/forest/forest.ts';
import { workInTurn } from '../operations/request/event-loop-share.ts';
import { HolderLines, InventoryLines, metricOfHolders, statesOf } from './openstack.ts';
import type { Snapshot } from './process.ts';
import { type Gauge, joinGauges, renderGauge, renderMeasured } from './text.ts';

export interface MetricsOptions {
  readonly db: Db;
  /** The measurements of all processes of the gateway. */
  readonly snapshots: () => Promise<readonly Snapshot[]>;
  /** Gauges that are the same for all processes. */
  readonly shared: () => Promise<readonly Gauge[]>;
  /** Null: everyone may read them. */
  readonly access: { readonly authentication: Authentication; readonly policy: Policy } | null;
}

const rule = 'placement:graphql:inventories:read';
const ruleOfHolders = 'placement:graphql:resource_providers:allocations:read';
const type = 'text/plain; version=0.0.4; charset=utf-8';

export function serveMetrics(app: FastifyInstance, { db, snapshots, shared, access }: MetricsOptions): void {
  const requiring = (rulesOf: (request: FastifyRequest) => readonly RuleName[]) =>
    access ? [(request: FastifyRequest, reply: FastifyReply) => requireRights(access, rulesOf(request), request, reply)] : [];
  app.get('/metrics', { onRequest: requiring(() => [rule]) }, async (_request, reply) => {
    const [all, ofAll] = await Promise.all([snapshots(), shared()]);
    const gauges = joinGauges([...all.map((one) => one.gauges), ofAll]);
    const measured = addUp(all.map((one) => one.measured));
    return reply.type(type).send(gauges.map(renderGauge).join('') + measured.map(renderMeasured).join(''));
  });
  const inventories = new InventoryLines();
  const holders = new HolderLines();
  const renderCloud = async (withHolders: boolean) => {
    const states = statesOf(await forestOf(db).current());
    const pieces = await workInTurn(inventories.render(states));
    return withHolders ? [...pieces, ...(await holders.render(db, states))] : pieces;
  };
  // One rendering of each kind at a time: requests that arrive meanwhile get the same.
  const present = new Map<boolean, Promise<readonly Buffer[]>>();
  const onRequest = requiring((request) => (isWithHolders(request) ? [rule, ruleOfHolders] : [rule]));
  app.get('/metrics/openstack', { onRequest }, async (request, reply) => {
    const withHolders = isWithHolders(request);
    if (withHolders && without(request) !== undefined) {
      throw httpRefusal(400, 'BAD_USER_INPUT', `Only one metric can be left out: ?without=${metricOfHolders}`);
    }
    const rendered = present.get(withHolders) ?? renderCloud(withHolders).finally(() => present.delete(withHolders));
    present.set(withHolders, rendered);
    const pieces = await rendered.catch(() => null);
    if (pieces === null) {
      reply.header('retry-after', retryAfter);
      throw httpRefusal(503, 'UNAVAILABLE', 'The database is not available at the moment.');
    }
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    return reply
      .type(type)
      .header('content-length', length)
      .send(Readable.from(pieces, { objectMode: false }));
  });
}

const without = ({ query }: FastifyRequest) => (query as { readonly without?: unknown }).without;

/** Whether a request also asks for allocations. */
const isWithHolders = (request: FastifyRequest) => without(request) !== metricOfHolders;

async function requireRights(
  { authentication, policy }: NonNullable<MetricsOptions['access']>,
  rules: readonly RuleName[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = await identify(authentication, request);
  if (caller === null) {
    reply.header('www-authenticate', authentication.challengesTo(request.headers));
    throw httpRefusal(401, 'UNAUTHENTICATED', 'A valid token is required: send it as Authorization: Bearer, or in X-Auth-Token.');
  }
  const missing = rules.find((rule) => !policy.allows(rule, caller, targetOf(caller)));
  if (missing !== undefined) throw httpRefusal(403, 'FORBIDDEN', `The rule ${missing} does not allow this.`);
}

async function identify({ authenticate }: Authentication, request: FastifyRequest) {
  try {
    return await authenticate(request);
  } catch (error) {
    throw error instanceof IdentityUnavailable ? httpRefusal(503, 'UNAVAILABLE', error.message) : error;
  }
}
