// Serves: in one process, or as the primary or a worker of several (src/workers). The primary does what a gateway does once: the embedded database,
// migrations, the demo cloud and housekeeping. Each worker answers requests, with a forest of its own.
import cluster from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Bridge } from '../bridge/bridge.ts';
import { loadDemo } from '../commands/demo.ts';
import { countProviders } from '../db/providers.ts';
import { startServer } from '../listener/server.ts';
import { addUp } from '../measures/instruments.ts';
import type { Snapshot } from '../metrics/process.ts';
import { rehearseSearches } from '../operations/candidates/rehearsal.ts';
import { closeAtEnd, end, exitCodes } from '../process/ending.ts';
import { findDatabase, migrateFor, openPools, replicasIn, type Started } from '../process/opening.ts';
import { effectiveSettings } from '../settings/settings.ts';
import { Workers } from '../workers/primary.ts';
import { openBridge } from './bridge.ts';
import { keepCounts, keepForestUpToDate, keepHouse, watchDisk, watchRelease } from './upkeep.ts';
import { notMigrated, refusalTime, serveAsWorker, type WorkerStart } from './worker.ts';

/** A gateway that cannot serve yet answers why, for as long as it takes. */
const waitingForOthers = { waitForOwner: true, patience: Number.POSITIVE_INFINITY };

interface ServeOptions {
  /** Whether to load the demo cloud first. */
  readonly demo: boolean;
}

export async function serve(started: Started, options: ServeOptions): Promise<void> {
  if (cluster.isWorker) return serveAsWorker(started);
  const { settings, log } = started;
  log.info({ settings: effectiveSettings(settings) }, 'starting');
  if (!settings.auth.includes('static') && settings.tokensFile !== null) {
    log.warn(`PLACEMENT_TOKENS_FILE has no effect with PLACEMENT_AUTH=${settings.auth.join()}: add static to it`);
  }
  return settings.workers > 1 ? serveWithWorkers(started, options) : serveAlone(started, options);
}

async function serveAlone(started: Started, { demo }: ServeOptions): Promise<void> {
  const { settings, log } = started;
  const target = await findDatabase(started);
  const db = openPools(settings, target, replicasIn(settings, log));
  await watchDisk(db, target, log);
  keepCounts(db, log);
  // From the beginning the gateway answers why it does not serve yet: a migration may have to wait for hours.
  let starting: string | null = notMigrated;
  let bridge: Bridge | null = null;
  // After the server, which passes its last requests on.
  closeAtEnd(async () => bridge?.close());
  const server = await startServer({ settings, db, log, whyStarting: () => starting, bridge: () => bridge });
  closeAtEnd(() => server.close(refusalTime));
  // Without a file, SIGHUP ends the process, as it does by default.
  if (!['off', 'stderr'].includes(settings.auditLog)) process.on('SIGHUP', server.reopenAuditLog);
  await Promise.all([migrateFor(started, target, waitingForOthers), rehearseSearches()]);
  if (demo) await loadDemo(db, (line) => log.info(line));
  bridge = await openBridge(db, settings, log);
  starting = null;
  keepHouse(db, settings, log);
  watchRelease(db, log);
  keepForestUpToDate(db, log);
  welcome(started, server.url, demo);
}

async function serveWithWorkers(started: Started, { demo }: ServeOptions): Promise<void> {
  const { settings, log } = started;
  const database = await findDatabase(started);
  const db = openPools(poolsOfPrimary, database);
  let isMigrated = false;
  const sockets = await makeDirectory(log);
  const workers = new Workers<WorkerStart>({
    count: settings.workers,
    start: () => ({ database, isMigrated, sockets }),
    report: (level, details, line) => log[level](details, line),
    onFailedStart: () => void end(exitCodes.failed),
    past: (told) => ({ measured: addUp((told as Snapshot[]).map(({ measured }) => measured)), gauges: [] }),
  });
  closeAtEnd(() => workers.stop());
  process.on('SIGHUP', () => void workers.reload());
  workers.launch();
  await migrateFor(started, database, waitingForOthers);
  if (demo) await loadDemo(db, (line) => log.info(line));
  isMigrated = true;
  const providers = await countProviders(db);
  log.info(
    { workers: settings.workers, providers, mebibytes: mebibytesFor(settings.workers, providers) },
    'each worker holds all providers in memory: about this many MiB in all',
  );
  const url = await workers.serve();
  keepHouse(db, settings, log);
  watchRelease(db, log);
  welcome(started, url, demo);
}

/** The primary only migrates and keeps house. */
const poolsOfPrimary = { readConnections: 2, writeConnections: 2 };

/** Bytes that a process takes without any provider, and for each provider. */
const memory = { process: 130 * 2 ** 20, provider: 3500 } as const;

function mebibytesFor(workers: number, providers: number): number {
  return Math.round((memory.process + workers * (memory.process + providers * memory.provider)) / 2 ** 20);
}

/** A directory that other users cannot look into. */
async function makeDirectory(log: Logger): Promise<string | null> {
  try {
    const directory = await mkdtemp(join(tmpdir(), 'placement-gateway-'));
    closeAtEnd(() => rm(directory, { recursive: true, force: true }));
    return directory;
  } catch (err) {
    log.warn({ err }, 'no directory for temporary files: each worker writes its own claims, which takes more processor time');
    return null;
  }
}

function welcome({ log, print }: Started, url: string, demo: boolean): void {
  log.info({ url }, 'listening');
  print(`\nplacement-gateway serves ${url}/graphql`);
  print(`Look at it at ${url}/ or explore it at ${url}/explorer`);
  if (demo) print(`or ask it from a shell:\n\n${firstQuestion(url)}\n`);
}

const firstQuestion = (url: string) => `curl -s ${url}/graphql -H 'X-Auth-Token: admin' -H 'Content-Type: application/json' \\
  -d '{"query": "{ totals { own { resourceClass { name } capacity used } } }"}'`;
