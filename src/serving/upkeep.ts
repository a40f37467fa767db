// What a gateway does besides answering: it prunes old data, samples usage, keeps sums short, stores what it has counted, and reads the forest ahead of
// searches.
import type { Logger } from 'pino';
import { readDatabaseVersion, refusalOf, standingOf } from '../db/schema/database-version.ts';
import { readRelease } from '../db/schema/release.ts';
import type { DatabaseTarget, Db } from '../db/sql/client.ts';
import { diskOf } from '../db/writes/full-disk.ts';
import { endReservations } from '../operations/allocations/ended-reservations.ts';
import { releaseExpired } from '../operations/allocations/expiry.ts';
import { keepRefusedClaims } from '../operations/allocations/refused-claims.ts';
import { forestOf } from '../operations/forest/forest.ts';
import { deleteExpired, findLedgerProblems, sumUpUsages } from '../operations/ledger/housekeeping.ts';
import { takeUsageSample, thinUsageSamples } from '../operations/ledger/usage-samples.ts';
import { closeAtEnd, end, exitCodes, isEnding } from '../process/ending.ts';
import type { Settings } from '../settings/settings.ts';
import { limitsFollower } from './limits.ts';

/** Consumers are released within two seconds of their expiry, unless thousands expire at once. */
const expiryPause = 1000;
const housekeepingPause = 10 * 60 * 1000;
/** Often enough that no minute is missed between two rounds. */
const samplePause = 20 * 1000;
/** What claims of a single project append to its usages in this time is read in a few milliseconds. */
const sumPause = 20 * 1000;
/** How soon a gateway that the database no longer serves must know. */
const releasePause = 2000;
/** Less than the minute that a gateway may lose of what it has counted. */
const countPause = 20 * 1000;
/** Milliseconds between two background reads: after changes, and after none. */
const forestPause = { busy: 100, quiet: 1000 } as const;

/** The work that one process of a gateway does for all of them. Other gateways do it, too; it does not matter which one does. */
export function keepHouse(db: Db, settings: Settings, log: Logger): void {
  repeat(housekeepingPause, () => prune(db, settings, log).catch((err: unknown) => log.warn({ err }, 'housekeeping failed')));
  repeat(sumPause, () => sumUpUsages(db).catch((err: unknown) => log.warn({ err }, 'the usages of projects could not be summed up')));
  keepReleasing(db, log);
  if (settings.keystoneLimitsEndpointId !== null) {
    const follow = limitsFollower(db, settings, log);
    void follow();
    repeat(samplePause, follow);
  }
  if (settings.usageSampleDays === null) return;
  const sample = () => takeUsageSample(db).catch((err: unknown) => log.debug({ err }, 'the usage of the cloud was not sampled'));
  void sample();
  repeat(samplePause, sample);
}

/** Releases consumers that have expired, and removes reservations that have ended. Failures are reported once, and so is their end. */
function keepReleasing(db: Db, log: Logger): void {
  let fails = false;
  repeat(expiryPause, async () => {
    try {
      await releaseExpired(db);
      await endReservations(db);
      if (fails) log.info('expired consumers are released again');
      fails = false;
    } catch (err) {
      if (isEnding()) return;
      if (!fails) log.warn({ err }, 'expired consumers cannot be released');
      fails = true;
    }
  });
}

/**
 * Ends the process with a message when a newer release has migrated the database and no longer serves this one. Until then `/readyz` says so, and each write
 * that is no longer served is refused.
 */
export function watchRelease(db: Db, log: Logger): void {
  const release = readRelease();
  let known = release.version;
  repeat(releasePause, async () => {
    const database = await readDatabaseVersion(db.sql).catch(() => null);
    if (database === null || database.version === known) return;
    known = database.version;
    const standing = standingOf(database, release);
    if (standing === 'newer')
      log.info({ database: known, gateway: release.version }, 'a newer release has migrated the database, which still serves this gateway');
    if (standing !== 'too new' && standing !== 'foreign') return;
    log.fatal(refusalOf(standing, database, release));
    void end(exitCodes.failed);
  });
}

/** Knows when the disk of the database is full. */
export async function watchDisk(db: Db, { volumes = [] }: DatabaseTarget, log: Logger): Promise<void> {
  const disk = diskOf(db);
  disk.report = (line) => log.warn(line);
  const unwatch = await disk.watch(volumes);
  closeAtEnd(async () => unwatch());
}

/** The work of every process that answers requests. To be called before it serves: at the end it is done once more, when all requests are answered. */
export function keepCounts(db: Db, log: Logger): void {
  const keep = () => keepRefusedClaims(db).catch((err: unknown) => log.debug({ err }, 'the numbers of refused claims could not be added'));
  repeat(countPause, keep);
  closeAtEnd(keep);
}

/** A round that fails is not repeated before the next one. */
function repeat(pause: number, round: () => Promise<unknown>): void {
  const timer = setInterval(() => void round(), pause);
  closeAtEnd(async () => clearInterval(timer));
}

async function prune(db: Db, { eventRetentionDays, usageSampleDays }: Settings, log: Logger): Promise<void> {
  const deleted = await deleteExpired(db, { eventRetentionDays });
  if (usageSampleDays !== null) await thinUsageSamples(db, usageSampleDays);
  if (deleted.eventChunks > 0) log.info({ chunks: deleted.eventChunks }, 'old events dropped');
  log.debug({ deleted }, 'housekeeping');
  for (const problem of await findLedgerProblems(db, eventRetentionDays)) log.warn(problem);
}

/** Reads the forest now and its changes continuously, so that neither the first search nor one after a quiet period has to wait for a large read. */
export function keepForestUpToDate(db: Db, log: Logger): void {
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
