// Where /metrics is: on the port of the APIs for callers with the permission, and on a port of its own for everybody who can reach it.
import { type FastifyError, type FastifyInstance, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../db/sql/client.ts';
import { admitRequests, safeHeaders } from '../http/requests.ts';
import { ledgerGauges } from '../metrics/ledger.ts';
import { type Snapshot, watchProcess } from '../metrics/process.ts';
import { type MetricsOptions, serveMetrics } from '../metrics/serve.ts';
import type { Settings } from '../settings/settings.ts';
import { answerError } from './errors.ts';
import { leaveBodies } from './json-bodies.ts';
import { callerRules } from './listener.ts';
import { answerMalformed } from './malformed-http.ts';

interface OpenMetrics {
  /** Serves them beside the APIs, if the settings say so. */
  serveBeside(app: FastifyInstance, access: NonNullable<MetricsOptions['access']>): void;
  /** Listens on the port of their own, if there is one. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export function openMetrics(
  { settings, db, log }: { readonly settings: Settings; readonly db: Db; readonly log: Logger },
  snapshots: () => Promise<readonly Snapshot[]>,
): OpenMetrics {
  watchProcess();
  const { host, metricsPort: port } = settings;
  const { databaseUrl, eventRetentionDays, keystoneLimitsEndpointId } = settings;
  const metrics = { db, snapshots, shared: ledgerGauges(db, databaseUrl === null, eventRetentionDays, keystoneLimitsEndpointId !== null) };
  const own = port === null ? null : fastify({ forceCloseConnections: true, clientErrorHandler: answerMalformed(null) });
  if (own) {
    own.addHook('onRequest', (_request, reply, done) => {
      reply.headers(safeHeaders);
      done();
    });
    admitRequests(own, callerRules(settings));
    leaveBodies(own);
    own.setErrorHandler<FastifyError>((error, request, reply) => answerError(log, error, request, reply));
    serveMetrics(own, { ...metrics, access: null });
  }
  return {
    serveBeside(app, access) {
      if (settings.metrics) serveMetrics(app, { ...metrics, access });
    },
    async listen() {
      if (own && port !== null) await own.listen({ host, port });
    },
    async close() {
      await own?.close();
    },
  };
}
