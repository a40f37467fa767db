// A worker: one of several processes that answer requests, with a forest of its own.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Bridge } from '../bridge/bridge.ts';
import type { DatabaseTarget, Db } from '../db/sql/client.ts';
import { forwardClaims, writeForwarded } from '../db/writes/remote-claims.ts';
import { startServer } from '../listener/server.ts';
import type { Snapshot } from '../metrics/process.ts';
import { rehearseSearches } from '../operations/candidates/rehearsal.ts';
import { forestOf } from '../operations/forest/forest.ts';
import { closeAtEnd, end, exitCodes } from '../process/ending.ts';
import { openPools, replicasIn, type Started } from '../process/opening.ts';
import type { Settings } from '../settings/settings.ts';
import { Answerer, Asker } from '../workers/exchange.ts';
import { WorkerLink } from '../workers/worker.ts';
import { openBridge } from './bridge.ts';
import { keepCounts, keepForestUpToDate, watchDisk } from './upkeep.ts';

/** Milliseconds that a worker waits for the forest before it listens. It must answer, too, while there is no database to read the forest from. */
const forestPatience = 10_000;
/** Milliseconds in which clients with open connections can send one more request each, when their worker is replaced. */
const partingTime = 5000;
/** Milliseconds in which a gateway that stops refuses requests on open connections, which would otherwise find them closed. */
export const refusalTime = 1000;

export const notMigrated = 'starting: the database is not migrated yet';

/** What a worker needs to begin. */
export interface WorkerStart {
  readonly database: DatabaseTarget;
  /** If not, the worker listens, and answers that it is starting. */
  readonly isMigrated: boolean;
  /** The directory of the sockets between workers; null if there is none. */
  readonly sockets: string | null;
}

export async function serveAsWorker({ settings, log }: Started): Promise<void> {
  const link = new WorkerLink<WorkerStart>();
  const { database, isMigrated, sockets } = await link.start;
  const db = openPools(shareOf(settings), database, replicasIn(settings, log));
  await watchDisk(db, database, log);
  keepCounts(db, log);
  let starting: string | null = isMigrated ? null : notMigrated;
  // A worker that listens gets connections, so it must first be able to answer as fast as the others.
  const firstRead = () =>
    forestOf(db)
      .current()
      .catch(() => null);
  if (isMigrated) await Promise.all([rehearseSearches(), Promise.race([firstRead(), sleep(forestPatience)])]);
  const followWriter = sockets === null ? () => {} : await shareClaims(db, sockets, log);
  const measureAll = async () => (await link.measureAll()) as readonly Snapshot[];
  let bridge: Bridge | null = null;
  closeAtEnd(async () => bridge?.close());
  const whyFewer = () => link.shortage;
  const server = await startServer({ settings, db, log, whyStarting: () => starting, whyFewer, measureAll, bridge: () => bridge });
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
  bridge = await openBridge(db, settings, log);
  starting = null;
  keepForestUpToDate(db, log);
  link.serves(server.url);
}

/** Writes the claims of other workers. The returned function is told which process writes those of this one. */
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

/** The settings count the connections of the whole gateway; a worker has a share of each kind. */
function shareOf({ readConnections, writeConnections, workers }: Settings): Pick<Settings, 'readConnections' | 'writeConnections'> {
  const share = (connections: number) => Math.min(connections, Math.max(2, Math.ceil(connections / workers)));
  return { readConnections: share(readConnections), writeConnections: share(writeConnections) };
}
