// The command that serves: alone, or as the primary or a worker of several processes (src/workers). What there is only once for a gateway, the embedded
// database, migrations, the demo cloud and housekeeping, is the primary's; what answers requests, with the forest, is in each worker.
import cluster from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { loadDemo } from '../commands/demo.ts';
import { countProviders } from '../db/providers.ts';
import type { DatabaseTarget, Db } from '../db/sql/client.ts';
import { forwardClaims, writeForwarded } from '../db/writes/remote-claims.ts';
import { startServer } from '../listener/server.ts';
import { addUp } from '../measures/instruments.ts';
import type { Snapshot } from '../metrics/process.ts';
import { rehearseSearches } from '../operations/candidates/rehearsal.ts';
import { forestOf } from '../operations/forest/forest.ts';
import { deleteExpired, findLedgerProblems, sumUpUsages } from '../operations/ledger/housekeeping.ts';
import { takeUsageSample, thinUsageSamples } from '../operations/ledger/usage-samples.ts';
import { closeAtEnd, end, exitCodes } from '../process/ending.ts';
import { findDatabase, migrateFor, openPools, replicasIn, type Started } from '../process/opening.ts';
import { effectiveSettings, type Settings } from '../settings/settings.ts';
import { Answerer, Asker } from '../workers/exchange.ts';
import { Workers } from '../workers/primary.ts';
import { WorkerLink } from '../workers/worker.ts';

const housekeepingPause = 10 * 60 * 1000;
/** Often enough that no minute is missed between two rounds. */
const samplePause = 20 * 1000;
/** What is appended to the usages of a project meanwhile, by claims that are all its own, is read in a few milliseconds. */
const sumPause = 20 * 1000;
/** Milliseconds between two background reads: after changes, and after none. */
const forestPause = { busy: 100, quiet: 1000 } as const;
/** Milliseconds that a worker waits for the forest before it listens: it must answer, too, while there is no database to read it from. */
const forestPatience = 10_000;
/** Milliseconds that clients with open connections have for one more request each, when their worker is replaced. */
const partingTime = 5000;
/** Milliseconds in which a gateway that stops refuses requests on open connections, which would find them closed otherwise. */
const refusalTime = 1000;

const notMigrated = 'starting: the database is not migrated yet';

/** What a worker needs to begin. */
interface WorkerStart {
  readonly database: DatabaseTarget;
  /** False: it listens, but says that it is starting. */
  readonly isMigrated: boolean;
  /** Where the workers have the sockets on which they speak with each other; null: nowhere. */
  readonly sockets: string | null;
}

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
  // It can be asked from the beginning why it does not serve yet: a migration may have to wait for hours.
  let starting: string | null = notMigrated;
  const server = await startServer({ settings, db, log, whyStarting: () => starting });
  closeAtEnd(() => server.close(refusalTime));
  // Without a file, hanging up ends the process as ever.
  if (!['off', 'stderr'].includes(settings.auditLog)) process.on('SIGHUP', server.reopenAuditLog);
  await Promise.all([migrateFor(started, target, { waitForOwner: true }), rehearseSearches()]);
  if (demo) await loadDemo(db, (line) => log.info(line));
  starting = null;
  scheduleHousekeeping(db, settings, log);
  scheduleSamples(db, settings, log);
  scheduleSums(db, log);
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
  await migrateFor(started, database, { waitForOwner: true });
  if (demo) await loadDemo(db, (line) => log.info(line));
  isMigrated = true;
  const providers = await countProviders(db);
  log.info(
    { workers: settings.workers, providers, mebibytes: mebibytesFor(settings.workers, providers) },
    'each worker holds all providers in memory: about so many MiB in all',
  );
  const url = await workers.serve();
  scheduleHousekeeping(db, settings, log);
  scheduleSamples(db, settings, log);
  scheduleSums(db, log);
  welcome(started, url, demo);
}

/** The primary only migrates and keeps house. */
const poolsOfPrimary = { readConnections: 2, writeConnections: 2 };

/** What a process takes without a provider, and for each provider, in bytes. */
const memory = { process: 130 * 2 ** 20, provider: 3500 } as const;

function mebibytesFor(workers: number, providers: number): number {
  return Math.round((memory.process + workers * (memory.process + providers * memory.provider)) / 2 ** 20);
}

async function serveAsWorker({ settings, log }: Started): Promise<void> {
  const link = new WorkerLink<WorkerStart>();
  const { database, isMigrated, sockets } = await link.start;
  const db = openPools(shareOf(settings), database, replicasIn(settings, log));
  let starting: string | null = isMigrated ? null : notMigrated;
  // Connections are passed to whoever listens. One of several does not listen before it can answer as fast as the others.
  const firstRead = () =>
    forestOf(db)
      .current()
      .catch(() => null);
  if (isMigrated) await Promise.all([rehearseSearches(), Promise.race([firstRead(), sleep(forestPatience)])]);
  const followWriter = sockets === null ? () => {} : await shareClaims(db, sockets, log);
  const measureAll = async () => (await link.measureAll()) as readonly Snapshot[];
  const server = await startServer({ settings, db, log, whyStarting: () => starting, whyFewer: () => link.shortage, measureAll });
  closeAtEnd(() => server.close(refusalTime));
  const leave = async () => {
    await server.leave(partingTime);
    await link.tellLast();
    await end(exitCodes.done);
  };
  link.obey({
    leave: () => void leave(),
    stop: () => void end(exitCodes.done),
    follow: followWriter,
    measure: server.measure,
  });
  if (!isMigrated) await Promise.all([link.mayServe, rehearseSearches()]);
  starting = null;
  keepForestUpToDate(db, log);
  link.serves(server.url);
}

/** A directory of which other users learn nothing. */
async function makeDirectory(log: Logger): Promise<string | null> {
  try {
    const directory = await mkdtemp(join(tmpdir(), 'placement-gateway-'));
    closeAtEnd(() => rm(directory, { recursive: true, force: true }));
    return directory;
  } catch (err) {
    log.warn({ err }, 'there is no place for temporary files: each worker writes its own claims, which takes more processor time');
    return null;
  }
}

/** Writes the claims of other workers, and lets one of them write those of this one: the returned function says which process. */
async function shareClaims(db: Db, sockets: string, log: Logger): Promise<(writer: number | null) => void> {
  const pathOf = (pid: number) => join(sockets, String(pid));
  const [answerer, asker] = [new Answerer((claim) => writeForwarded(db, claim as object)), new Asker()];
  await answerer.listen(pathOf(process.pid)).catch((err: unknown) => log.warn({ err }, 'this worker cannot write the claims of others'));
  closeAtEnd(() => answerer.close());
  let known: number | null = null;
  return (writer) => {
    if (writer === known) return;
    known = writer;
    const isThis = writer === process.pid;
    if (isThis) log.info({ pid: process.pid }, 'this worker writes the claims of all');
    const path = writer === null || isThis ? null : pathOf(writer);
    asker.follow(path);
    forwardClaims(db, path === null ? null : (claim) => asker.ask(claim));
  };
}

/** The connections are those of the whole gateway; a worker has some of either kind. */
function shareOf({ readConnections, writeConnections, workers }: Settings): Pick<Settings, 'readConnections' | 'writeConnections'> {
  const share = (connections: number) => Math.min(connections, Math.max(2, Math.ceil(connections / workers)));
  return { readConnections: share(readConnections), writeConnections: share(writeConnections) };
}

function welcome({ log, print }: Started, url: string, demo: boolean): void {
  log.info({ url }, 'listening');
  print(`\nplacement-gateway serves ${url}/graphql`);
  print(`Look at it at ${url}/ or explore it at ${url}/explorer`);
  if (demo) print(`or ask it from a shell:\n\n${firstQuestion(url)}\n`);
}

const firstQuestion = (url: string) => `curl -s ${url}/graphql -H 'X-Auth-Token: admin' -H 'Content-Type: application/json' \\
  -d '{"query": "{ totals { own { resourceClass { name } capacity used } } }"}'`;

/** Prunes old data periodically; a failed round is logged, and the next one tries again. */
function scheduleHousekeeping(db: Db, { eventRetentionDays, usageSampleDays }: Settings, log: Logger): void {
  const keepHouse = async () => {
    const deleted = await deleteExpired(db, { eventRetentionDays });
    if (usageSampleDays !== null) await thinUsageSamples(db, usageSampleDays);
    if (deleted.eventChunks > 0) log.info({ chunks: deleted.eventChunks }, 'old events dropped');
    log.debug({ deleted }, 'housekeeping');
    for (const problem of await findLedgerProblems(db, eventRetentionDays)) log.warn(problem);
  };
  const round = () => {
    keepHouse().catch((err: unknown) => log.warn({ err }, 'housekeeping failed'));
  };
  const timer = setInterval(round, housekeepingPause);
  closeAtEnd(async () => clearInterval(timer));
}

/** Sees to it that each minute has its sample of the usage of the cloud, whichever gateway takes it; one that cannot be taken is missing. */
function scheduleSamples(db: Db, { usageSampleDays }: Settings, log: Logger): void {
  if (usageSampleDays === null) return;
  const round = () => {
    takeUsageSample(db).catch((err: unknown) => log.debug({ err }, 'the usage of the cloud could not be noted'));
  };
  round();
  const timer = setInterval(round, samplePause);
  closeAtEnd(async () => clearInterval(timer));
}

/** Sums up what writes have appended to the usages of projects, whichever gateway does it. */
function scheduleSums(db: Db, log: Logger): void {
  const round = () => {
    sumUpUsages(db).catch((err: unknown) => log.warn({ err }, 'the usages of projects could not be summed up'));
  };
  const timer = setInterval(round, sumPause);
  closeAtEnd(async () => clearInterval(timer));
}

/** Reads the forest now and its changes continuously, so that neither the first search nor one after a quiet period has to wait for a large read. */
function keepForestUpToDate(db: Db, log: Logger): void {
  const keeper = forestOf(db);
  keeper.report = (line) => log.info(line);
  let timer: NodeJS.Timeout;
  const refresh = async () => {
    const known = keeper.changeCount;
    await keeper.current().catch((err: unknown) => log.debug({ err }, 'reading ahead of the next search failed'));
    timer = setTimeout(refresh, keeper.changeCount === known ? forestPause.quiet : forestPause.busy).unref();
  };
  timer = setTimeout(refresh, 0);
  closeAtEnd(async () => clearTimeout(timer));
}
