// The GraphQL API on the listener: Apollo, the addresses of requests and of streams, and the scope of each.

import { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { CallerBudgets } from '../auth/budgets.ts';
import type { Authentication } from '../auth/callers/method.ts';
import type { Policy } from '../auth/policy/policy.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import type { Audit } from '../domain/audit.ts';
import { limits } from '../domain/limits.ts';
import { serveGraphql } from '../graphql/http.ts';
import { GraphqlScope, scopeOf } from '../graphql/request-scope.ts';
import { loadSchema } from '../graphql/resolvers/schema.ts';
import { createGraphqlServer } from '../graphql/server.ts';
import type { Connections } from '../graphql/streams/connections.ts';
import { serveStreams } from '../graphql/streams/serve.ts';
import { Subscriptions } from '../graphql/streams/subscriptions.ts';
import { readTrustedDocuments } from '../graphql/trusted-documents.ts';
import type { TellOperation } from '../measures/activity.ts';
import type { HeavyWork } from '../operations/request/heavy-work.ts';
import type { Settings } from '../settings/settings.ts';

export interface GraphqlOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Default: the product's schema. */
  readonly schema?: GraphQLSchema;
  /** Milliseconds between two pings of a stream, after which its token is checked again. Default: the published time. */
  readonly streamPing?: number;
  /** Milliseconds for which a subscriber may leave a message unread. Default: the published time. */
  readonly streamStall?: number;
  /** Milliseconds for which streams continue while nobody can say whether their tokens are still valid. Default: the published time. */
  readonly streamDoubt?: number;
}

/** What all surfaces share. */
export interface SurfaceParts {
  readonly db: Db;
  readonly policy: Policy;
  /** Null when nothing is recorded. */
  readonly audit: Audit | null;
  /** Whether the quotas follow the limits of Keystone. */
  readonly quotasOfKeystone: boolean;
  readonly budgets: CallerBudgets;
  readonly authentication: Authentication;
  readonly heavyWork: HeavyWork;
  readonly corsOrigins: readonly string[];
  readonly tellOperation: TellOperation;
  /** The message of the refusal while new requests are refused; null while they are not. */
  readonly whyRefused: () => string | null;
  /** The bridge to another Placement; null without one. */
  readonly bridge: () => Bridge | null;
}

interface GraphqlSurface {
  start(): Promise<void>;
  /** To be called before other routes are made. */
  serve(): Promise<void>;
  /** Stops the listener, too, which completes requests in progress. */
  stop(): Promise<void>;
}

export async function createGraphql(
  app: FastifyInstance,
  options: GraphqlOptions,
  parts: SurfaceParts & { readonly connections: Connections; readonly readJson: (routes: FastifyInstance) => void },
): Promise<GraphqlSurface> {
  const { settings, log, schema = loadSchema(settings) } = options;
  const { policy, heavyWork } = parts;
  const trustedDocuments = settings.trustedDocuments === null ? null : await readTrustedDocuments(settings.trustedDocuments);
  const graphql = createGraphqlServer({
    ...parts,
    schema,
    executor: settings.executor,
    introspection: settings.introspection !== 'off',
    trustedDocuments,
    log,
    drain: fastifyApolloDrainPlugin(app),
  });
  const serve = async () => {
    const socket = await serveStreams(app, {
      ...parts,
      schema,
      subscriptions: new Subscriptions({ schema, policy, trustedDocuments, heavyWork, log }),
      scopeOf: (request, identity, visit) => new GraphqlScope(parts, identity, request, visit),
      pingPause: options.streamPing ?? limits.streamPing,
      stall: options.streamStall ?? limits.streamStall,
      doubt: options.streamDoubt ?? limits.streamDoubt,
      log,
    });
    serveGraphql(app, { ...parts, graphql, socket, scopeOf: (request) => scopeOf(parts, request) });
  };
  return { start: () => graphql.start(), serve, stop: () => graphql.stop() };
}
