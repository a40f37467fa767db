// Decides which streaming replica of the database may answer a read; nothing else does. Writes, and the reads that decide about them, never come here.
//
// Without a position a read sees what it would see on the primary: the gateway asks the primary how far its log goes, in one small statement for all reads that
// wait for it, and a replica answers once it has replayed that much. A caller that sends the position of its own last write gets an answer without the primary, not
// older than that write, and not older than the lag that the settings allow. If no replica gets that far in a moment, the primary answers.
import { setTimeout } from 'node:timers/promises';
import type { Sql } from './driver.ts';

/** A place in the log of the database, as Postgres writes it (pg_lsn). */
export type LedgerPosition = string;

/** After everything that will ever be written: no replica gets there. */
const unreachable: LedgerPosition = 'FFFFFFFF/FFFFFFFF';

/** In bytes of the log; null for a malformed position. */
function parsePosition(text: string): number | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  return high !== undefined && low !== undefined ? Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16) : null;
}

export interface ReplicasOptions<Handle> {
  /** The primary. */
  readonly primary: Sql;
  /** For each replica the client of its pool, and what is handed out to read from it. */
  readonly replicas: readonly { readonly sql: Sql; readonly handle: Handle }[];
  /** Milliseconds by which an answer to a caller with a position may be behind. */
  readonly lag: number;
}

/** The answer of the primary about itself. */
interface Mark {
  /** `performance.now()` before it was asked. */
  readonly moment: number;
  readonly position: LedgerPosition;
  /** In bytes. */
  readonly at: number;
  /** Of its cluster and timeline: its replicas have the same. */
  readonly lineage: string;
}

/** Milliseconds between two looks at all servers. */
const pause = 250;
/** Milliseconds for which a read waits for a replica. */
const patience = 100;
/** Milliseconds between two questions to a replica that is waited for. */
const step = 3;

export class Replicas<Handle> {
  readonly #primary: Sql;
  readonly #replicas: readonly Replica<Handle>[];
  readonly #lag: number;
  readonly #watch: NodeJS.Timeout;
  /** The question that the callers of this turn of the event loop share. */
  #asking: Promise<Mark | null> | null = null;
  #turn = 0;
  #isAsking = false;

  constructor({ primary, replicas, lag }: ReplicasOptions<Handle>) {
    this.#primary = primary;
    this.#replicas = replicas.map(({ sql, handle }) => new Replica(sql, handle));
    this.#lag = lag;
    this.#watch = setInterval(() => void this.#look(), pause).unref();
    void this.#look();
  }

  /** The handle of a replica that may answer a caller who sent this; null: the primary answers. Never rejects. */
  async choose(sent: string | undefined): Promise<Handle | null> {
    const position = sent === undefined ? null : parsePosition(sent);
    const usable = this.#replicas.filter((replica) => this.#isUsed(replica) && (position === null || replica.lag < this.#lag));
    const replica = usable[this.#turn++ % usable.length];
    if (!replica) return null;
    const mark = position === null ? await this.#askPrimary() : null;
    if (position === null && (!mark || mark.lineage !== replica.lineage)) return null;
    if (await replica.reaches(position ?? mark?.at ?? 0)) return replica.handle;
    // A caller may send any position, so it says nothing about the replica.
    if (position === null) replica.isLate = true;
    return null;
  }

  /** A position after everything that was answered before this call. Never rejects. */
  async position(): Promise<LedgerPosition> {
    return (await this.#askPrimary())?.position ?? unreachable;
  }

  /** A session with a replica ended: the server may come back with less than it had. */
  forget(handle: Handle): void {
    this.#replicas.find((replica) => replica.handle === handle)?.leaveOut();
  }

  /** Whether nothing is known about a replica whose handle was returned before. */
  isForgotten(handle: Handle): boolean {
    return this.#replicas.every((replica) => replica.handle !== handle || replica.lineage === null);
  }

  /** For each replica the seconds by which its answers may be behind; null while it is left out. */
  get lags(): readonly (number | null)[] {
    return this.#replicas.map((replica) => (this.#isUsed(replica) ? replica.lag / 1000 : null));
  }

  close(): void {
    clearInterval(this.#watch);
  }

  /** Whether it keeps up: its lag is within the settings, or is as small as can be seen between two looks. */
  #isUsed({ isUsable, lag }: Replica<Handle>): boolean {
    return isUsable && lag < Math.max(this.#lag, 2 * pause);
  }

  /** Null when the primary does not answer. Never rejects. */
  #askPrimary(): Promise<Mark | null> {
    this.#asking ??= Promise.resolve().then(async () => {
      this.#asking = null;
      const moment = performance.now();
      const [row] = await this.#primary<Pick<Mark, 'position' | 'lineage'>[]>`
        select pg_current_wal_flush_lsn()::text as position, concat_ws(' ', (select system_identifier from pg_control_system()),
          ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int) as lineage`.catch(() => []);
      const at = row && parsePosition(row.position);
      return row && typeof at === 'number' ? { ...row, moment, at } : null;
    });
    return this.#asking;
  }

  /** Finds out which replicas answer, and how far behind they are; none waits for another that does not answer. Never rejects. */
  async #look(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const mark = await this.#askPrimary();
    this.#isAsking = false;
    for (const replica of this.#replicas) void replica.look(mark);
  }
}

class Replica<Handle> {
  readonly handle: Handle;
  /** A read has waited for it in vain: no other waits for it until it has caught up. */
  isLate = false;
  readonly #sql: Sql;
  /** Of its cluster and timeline, once it has answered as a replica of this primary. */
  lineage: string | null = null;
  /** Up to where it has replayed, in bytes, as last reported. */
  #replayed = 0;
  /** `performance.now()` of a moment up to which it has everything. */
  #freshAt = Number.NEGATIVE_INFINITY;
  /** Marks of the primary that it has not reached yet. */
  #ahead: Mark[] = [];
  #asking: Promise<string | null> | null = null;
  /** How often it was left out: an answer from before does not count. */
  #lives = 0;
  #isLooking = false;

  constructor(sql: Sql, handle: Handle) {
    this.#sql = sql;
    this.handle = handle;
  }

  get isUsable(): boolean {
    return this.lineage !== null && !this.isLate;
  }

  /** Milliseconds by which its answers may be behind. */
  get lag(): number {
    return performance.now() - this.#freshAt;
  }

  leaveOut(): void {
    this.lineage = null;
    this.#replayed = 0;
    this.#freshAt = Number.NEGATIVE_INFINITY;
    this.#ahead = [];
    this.#lives++;
  }

  /** Whether it has replayed so much, now or within the time that a read waits. */
  async reaches(wanted: number): Promise<boolean> {
    const end = performance.now() + patience;
    while (this.isUsable && this.#replayed < wanted && performance.now() < end) {
      await Promise.race([this.#ask(), setTimeout(patience)]);
      if (this.#replayed < wanted) await setTimeout(step);
    }
    return this.isUsable && this.#replayed >= wanted;
  }

  /** Never rejects. Without a mark it learns nothing new about the replica. */
  async look(mark: Mark | null): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const lives = this.#lives;
    const lineage = await this.#ask();
    this.#isLooking = false;
    if (!mark || lineage === null || lives !== this.#lives) return;
    if (lineage !== mark.lineage) return this.leaveOut();
    this.lineage = lineage;
    this.#ahead.push(mark);
    while (this.#ahead[0] && this.#ahead[0].at <= this.#replayed) this.#freshAt = this.#ahead.shift()?.moment ?? this.#freshAt;
    // A replica may hang for days: marks in the middle are not needed to see that it has caught up.
    if (this.#ahead.length > 1000) this.#ahead.splice(0, 500);
    if (this.lag < 2 * pause) this.isLate = false;
  }

  /**
   * Asks how far it has replayed. Returns its lineage; or null, and leaves it out, if it is not a replica. Never rejects. The place in the log means nothing for a
   * server that has left the log of the primary, such as a former primary, so its timeline must be the same. A standby records the timeline of its primary with the
   * next page that it writes.
   */
  #ask(): Promise<string | null> {
    const lives = this.#lives;
    this.#asking ??= this.#sql<{ at: number | null; lineage: string }[]>`
      select (pg_last_wal_replay_lsn() - '0/0')::float8 as at, concat_ws(' ', (select system_identifier from pg_control_system()),
        (select greatest(c.timeline_id, r.min_recovery_end_timeline) from pg_control_checkpoint() c, pg_control_recovery() r)) as lineage
      where pg_is_in_recovery()`
      .catch(() => [])
      .then(([row]) => {
        this.#asking = null;
        if (lives !== this.#lives) return null;
        if (!row?.at) this.leaveOut();
        else this.#replayed = Math.max(this.#replayed, row.at);
        return row?.lineage ?? null;
      });
    return this.#asking;
  }
}
