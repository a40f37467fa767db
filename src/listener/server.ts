// The composition root: one listener with the GraphQL API, the Placement REST API, the web pages, the metrics and the health checks, and what they share.
// Knows no noun of the product and no command line.
import type { AddressInfo } from 'node:net';
import { openAuthentication } from '../auth/authenticate.ts';
import { CallerBudgets } from '../auth/budgets.ts';
import type { Authentication } from '../auth/callers/method.ts';
import { openPolicy } from '../auth/policy/open.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { type Db, replicaLags } from '../db/sql/client.ts';
import { diskOf } from '../db/writes/full-disk.ts';
import { schemaText } from '../graphql/schema-text.ts';
import { Connections } from '../graphql/streams/connections.ts';
import { openAuditLog } from '../logs/audit-log.ts';
import { tellOperations } from '../logs/operation-log.ts';
import { type Snapshot, snapshotOfProcess } from '../metrics/process.ts';
import { HeavyWork } from '../operations/request/heavy-work.ts';
import { prefixes } from '../rest/serving/mounts.ts';
import { rest } from '../rest/serving/server.ts';
import { web } from '../web/web.ts';
import { createGraphql, type GraphqlOptions, type SurfaceParts } from './graphql.ts';
import { serveHealth } from './health.ts';
import { createListener, type ListenerOptions } from './listener.ts';
import { openMetrics } from './metrics.ts';
import { Stopping } from './stopping.ts';

export interface ServerOptions extends ListenerOptions, GraphqlOptions {
  readonly db: Db;
  /** Default: the methods of the settings. */
  readonly authentication?: Authentication;
  /** Why the gateway cannot serve yet, without details that only operators should see; null as soon as it can. Default: it can at once. */
  readonly whyStarting?: () => string | null;
  /** What an operator should know of the other processes of the gateway; null when there is nothing. */
  readonly whyFewer?: () => string | null;
  /** What all processes of the gateway have measured; `own` is what this one has. Default: just that. */
  readonly measureAll?: (own: () => Snapshot) => Promise<readonly Snapshot[]>;
  /** Default: bounded by the published limits. */
  readonly heavyWork?: HeavyWork;
  /** The bridge to another Placement, once it is known. Default: none. */
  readonly bridge?: () => Bridge | null;
}

export interface RunningServer {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** What this process has measured so far. */
  readonly measure: () => Snapshot;
  /** Reopens the audit log, after it was renamed. */
  readonly reopenAuditLog: () => void;
  /**
   * Stops listening because another process has taken its place. It still answers on open connections, closes each with its next answer, and then
   * closes. Streams end at once; connections that send nothing for so many milliseconds are closed.
   */
  leave(partingTime: number): Promise<void>;
  /** Stops listening, completes requests in progress (for at most ten seconds), and closes everything: idle connections after so many milliseconds. */
  close(refusalTime?: number): Promise<void>;
}

/** Serves until closed. Rejects when it cannot listen on the address. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, db, log, heavyWork = new HeavyWork() } = options;
  const { whyStarting = () => null, whyFewer = () => null, measureAll = async (own) => [own()] } = options;
  const rules = await openPolicy(settings, log);
  const authentication = options.authentication ?? (await openAuthentication(settings, log));
  const audit = await openAuditLog(settings.auditLog, log);
  const { app, countBody, readJson } = createListener(options, heavyWork, audit.of);
  const connections = new Connections();
  const measure = () => snapshotOfProcess({ db, heavyWork, streams: () => connections.count });
  const metrics = openMetrics(options, () => measureAll(measure));
  const closeAll = () =>
    graphql
      .stop()
      .finally(metrics.close)
      .finally(() => authentication.close())
      .finally(rules.close)
      .finally(audit.close);
  const stopping = new Stopping(app, { streams: connections, whyStarting, closeAll });
  const parts: SurfaceParts = {
    ...{ db, policy: rules.policy, audit: audit.of, authentication, heavyWork },
    quotasOfKeystone: settings.keystoneLimitsEndpointId !== null,
    budgets: new CallerBudgets(settings),
    corsOrigins: settings.corsAllowedOrigins,
    tellOperation: tellOperations(log, settings),
    whyRefused: stopping.whyRefused,
    bridge: options.bridge ?? (() => null),
  };
  const graphql = await createGraphql(app, options, { ...parts, connections, readJson });

  await graphql.start();
  try {
    await graphql.serve();
    serveHealth(app, {
      db,
      whyIdle: stopping.whyIdle,
      warnings: () => ({
        policy: rules.fault(),
        audit: audit.fault(),
        identity: authentication.trouble(),
        workers: whyFewer(),
        replicas: whyNoReplica(replicaLags(db)),
        disk: diskOf(db).fault,
      }),
    });
    for (const place of prefixes)
      await app.register(rest, { ...parts, searchSettings: settings, restQuotas: settings.restQuotas, countBody, ...place });
    if (settings.introspection !== 'off') {
      const isPublic = settings.auth.includes('noauth') || settings.introspection === 'public';
      await app.register(schemaText, { ...parts, isPublic });
    }
    metrics.serveBeside(app, parts);
    await app.register(web, { settings, log, readJson, whyRefused: stopping.whyRefused });
    await app.listen({ host: settings.host, port: settings.port });
    await metrics.listen();
  } catch (error) {
    await stopping.close();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  return { url, reopenAuditLog: audit.reopen, measure, leave: stopping.leave, close: stopping.close };
}

function whyNoReplica(lags: readonly (number | null)[]): string | null {
  return lags.some((lag) => lag !== null) || lags.length === 0
    ? null
    : 'none answers in time, or as a replica: the primary answers all reads';
}
