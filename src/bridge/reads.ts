// Puts a share of the reads that are passed on to both sides once more and compares the answers: what clients would read if this ledger led. For searches also tells
// what this ledger would have chosen, and whether the other side would have allowed that.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { insertRead } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { differencesBetween, type Read } from './answers.ts';
import type { PlacementClient } from './placement/client.ts';
import { type Choice, judgeChoice, withoutLimit } from './shadow-claims.ts';
import { readBridgeStatus } from './switching.ts';

/** A comparison is followed by a pause of so many times its length: reads cost the other side a hundredth of its time. */
const share = 100;
/** What a failure counts as, in milliseconds. */
const pauseAfterFailure = 1000;
/** How often answers that differ are asked for again, because a write under way may be the reason, and the milliseconds between. */
const [attempts, pauseBetween] = [3, 1000];
/** Seconds that this ledger may be behind when answers are compared. */
const longestLag = 1;
/** Characters of what is kept of a path and of a difference. */
const longestText = 1000;

export interface ReadComparisonOptions {
  readonly db: Db;
  readonly open: () => Promise<PlacementClient>;
  readonly log: { warn(details: object, line: string): void };
}

export class ReadComparison {
  readonly #options: ReadComparisonOptions;
  /** The last read of each route since it was compared, the route that was compared longest ago first. */
  readonly #offered = new Map<string, Read | null>();
  #placement: PlacementClient | null = null;
  #isBusy = false;
  #isStopped = false;
  /** A moment of performance.now(). */
  #nextAt = 0;

  constructor(options: ReadComparisonOptions) {
    this.#options = options;
  }

  /** Offers a read that the other side has answered with 200. Compares one of those offered, if it is time. */
  offer(read: Read): void {
    this.#offered.set(read.route, read);
    if (this.#isStopped || this.#isBusy || performance.now() < this.#nextAt) return;
    const next = [...this.#offered.values()].find((one) => one !== null);
    if (next === undefined) return;
    this.#offered.delete(next.route);
    this.#offered.set(next.route, null);
    this.#isBusy = true;
    void this.compare(next)
      .catch((err) => {
        this.#placement = null;
        if (this.#isStopped) return 0;
        this.#options.log.warn({ err, route: next.route }, 'a read cannot be compared with the other Placement');
        return pauseAfterFailure;
      })
      .then((time) => {
        this.#isBusy = false;
        this.#nextAt = performance.now() + share * time;
      });
  }

  /** Compares nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Compares a read now, and keeps the result. Returns the milliseconds that both sides took. */
  async compare(read: Read): Promise<number> {
    const { db, open, log } = this.#options;
    this.#placement ??= await open();
    let [settled, time]: [Asked | null, number] = [null, 0];
    for (let attempt = 1; ; attempt++) {
      const asked = await ask(this.#placement, read);
      time += asked.otherTime + asked.ownTime;
      settled = settle(settled, asked);
      if (settled.differing.size === 0 && settled.choice?.fits !== false) break;
      if (!(await this.#isUpToDate())) return time;
      if (attempt === attempts) break;
      await sleep(pauseBetween);
    }
    const { differing, choice, otherTime, ownTime } = settled;
    const all = [...differing, ...(choice?.fits === false ? [`its first candidate here is not offered there: ${choice.text}`] : [])];
    const difference = all.length === 0 ? null : all.slice(0, 3).join('; ').slice(0, longestText);
    const { route, path, query, version } = read;
    const request = withQuery(path, query).slice(0, longestText);
    if (difference !== null) log.warn({ request, version, difference }, 'both sides answer a read differently');
    const choiceFits = choice?.fits ?? null;
    await insertRead(db, { route, request, version, difference, otherTime, ownTime, choiceFits, choiceRank: choice?.rank ?? null });
    return time;
  }

  /** Whether this ledger ought to answer as the other side does: not while it is behind, or a switch is asked for or over. */
  async #isUpToDate(): Promise<boolean> {
    const status = await readBridgeStatus(this.#options.db);
    return status?.mode === 'following' && status.comparedAt !== null && status.lag < longestLag;
  }
}

interface Asked {
  /** In milliseconds. */
  readonly otherTime: number;
  readonly ownTime: number;
  readonly differing: ReadonlySet<string>;
  /** Of a search. */
  readonly choice: Choice | null;
}

async function ask(placement: PlacementClient, read: Read): Promise<Asked> {
  const { route, path, query, version } = read;
  const begun = performance.now();
  const there = await placement.get(withQuery(path, query), z.unknown(), version);
  const between = performance.now();
  const here = await read.answerHere();
  const [otherTime, ownTime] = [between - begun, performance.now() - between];
  const isSearch = route === '/allocation_candidates';
  const differing = new Set(differencesBetween(isSearch ? withoutLimit(read, { there, here }) : { there, here }));
  return { otherTime, ownTime, differing, choice: isSearch ? await judgeChoice(placement, read, { there, here }) : null };
}

/** What was found each time, because a difference that passes was a matter of time; otherwise as it was found first. */
function settle(before: Asked | null, now: Asked): Asked {
  if (before === null) return now;
  const differing = new Set([...now.differing].filter((one) => before.differing.has(one)));
  return { ...before, differing, choice: before.choice?.fits === false ? now.choice : before.choice };
}

const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`);
