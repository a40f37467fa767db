// The subscriptions to events: one read of the ledger for all of them, twice a second, from which each takes what it asked for. A reader that has a cursor,
// or that was too slow, catches up by reads of its own until it has everything that the last common read has.
import type { EventFilter } from '../../db/events.ts';
import { type FedEvent, type SubjectsAsked, selectEventsBehind, selectLedgerMoment } from '../../db/feed/events.ts';
import { type Db, mainHandleOf } from '../../db/sql/client.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { LedgerEvent } from '../../domain/event.ts';
import { type FeedPosition, includesMoment, type LedgerMoment, parseFeedCursor } from '../../domain/event-feed.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { forestOf } from '../forest/forest.ts';
import { type EventFilterInput, parseEventFilter, underFilter } from '../loaders/event-arguments.ts';
import type { RequestScope } from '../scope/scope.ts';
import { batchOf, type EventBatch, type Span } from './event-batch.ts';
import { compileFilter, needsForest, subjectsOf } from './event-match.ts';
import { LiveStream } from './live-stream.ts';
import { Pulse } from './pulse.ts';

export interface EventStreamArguments {
  readonly after?: Optional<string>;
  readonly filter?: Optional<EventFilterInput>;
  readonly atMost?: Optional<number>;
}

/** The events after a cursor or from now on. Refuses INVALID_INPUT. */
export function followEvents(
  { db, ownProject }: RequestScope,
  { after, filter, atMost }: EventStreamArguments,
): AsyncIterableIterator<EventBatch, undefined> {
  const wanted = parseEventFilter(filter);
  if (typeof atMost === 'number' && (atMost < 0 || atMost > limits.streamEvents)) {
    throw invalidInput(['atMost'], `atMost must be from 0 to ${limits.streamEvents}`);
  }
  const from = typeof after === 'string' ? parseFeedCursor(after) : null;
  return liveEventsOf(db).follow(from, ownOnly(wanted, ownProject), atMost ?? null);
}

/** A filter that excludes all other projects. */
function ownOnly(filter: EventFilter, project: string | null): EventFilter {
  if (project === null) return filter;
  return { ...filter, projects: filter.projects?.includes(project) === false ? [] : [project] };
}

const ledgers = new WeakMap<Db, LiveEvents>();

function liveEventsOf(db: Db): LiveEvents {
  const main = mainHandleOf(db);
  const ledger = ledgers.get(main) ?? new LiveEvents(main);
  ledgers.set(main, ledger);
  return ledger;
}

class LiveEvents {
  readonly #db: Db;
  readonly #pulse: Pulse<EventStream>;
  /** The moment of the last read; null while there are no readers. */
  #moment: LedgerMoment | null = null;
  /** True while a part of a read may have been passed on: a reader that catches up meanwhile must wait for its end. */
  #isReading = false;

  constructor(db: Db) {
    this.#db = db;
    this.#pulse = new Pulse(() => this.#beat());
  }

  follow(from: FeedPosition | null, filter: EventFilter, atMost: number | null): EventStream {
    const stream: EventStream = new EventStream(from, filter, atMost, () => this.#pulse.remove(stream));
    if (this.#pulse.streams.size === 0) this.#moment = null;
    this.#pulse.add(stream);
    return stream;
  }

  async #beat(): Promise<void> {
    const known = [...this.#pulse.streams];
    const before = this.#moment;
    this.#isReading = true;
    let moment: LedgerMoment;
    try {
      moment = before === null ? await selectLedgerMoment(this.#db) : await this.#read(before);
    } catch (error) {
      // Some readers may have received a part of it, which is read again.
      for (const stream of this.#pulse.streams) if (stream.state === 'live') stream.fallBehind();
      throw error;
    } finally {
      this.#isReading = false;
    }
    this.#moment = moment;
    // A reader that came during the read waits for the next one: its cursor may be younger than this read.
    for (const stream of known) {
      if (stream.state === 'new') stream.startAt(moment);
      if (stream.state === 'live') stream.tellBuffered(moment);
      else if (stream.isWaiting && !stream.isBusy) void this.#catchUp(stream);
    }
  }

  /** Reads what is new, a part at a time, and passes it to the readers that have everything before it. Returns the position that it has reached. */
  async #read(before: LedgerMoment): Promise<LedgerMoment> {
    const size = limits.streamEvents;
    const asked = allAsked([...this.#pulse.streams].map(({ filter }) => subjectsOf(filter)));
    let position: FeedPosition = { delivered: before, reading: null };
    for (;;) {
      const page = await selectEventsBehind(this.#db, position, {}, { size, look: size, asked });
      if (!page.continues) return this.#startAnew();
      if (!page.ready) return before;
      await this.#pass(page.events, asked);
      if (!page.more) return page.moment;
      position = { delivered: before, reading: { ...page.moment, upTo: page.lookedUpTo ?? 0 } };
    }
  }

  async #pass(events: readonly FedEvent[], asked: SubjectsAsked): Promise<void> {
    if (events.length === 0) return;
    const live = [...this.#pulse.streams].filter(({ state }) => state === 'live');
    const forest = live.some(({ filter }) => needsForest(filter)) ? await forestOf(this.#db).current() : null;
    const chosen = new Map<string, readonly FedEvent[]>();
    for (const stream of live) {
      if (stream.state !== 'live') continue;
      // A stream that has just come asks for what this read does not contain.
      if (!isAsked(subjectsOf(stream.filter), asked)) stream.fallBehind();
      else {
        const known = chosen.get(stream.key) ?? underFilter(stream.filter, events.filter(compileFilter(stream.filter, forest)));
        chosen.set(stream.key, known);
        stream.take(known);
      }
    }
  }

  async #startAnew(): Promise<LedgerMoment> {
    const moment = await selectLedgerMoment(this.#db);
    for (const stream of this.#pulse.streams) if (stream.state === 'live') stream.loseAll(moment);
    return moment;
  }

  /** Reads on from the position of a reader, up to where the last common read was. */
  async #catchUp(stream: EventStream): Promise<void> {
    stream.isBusy = true;
    try {
      while (stream.isWaiting && stream.state === 'behind') {
        const target = this.#moment;
        if (target === null || !(await this.#advance(stream, target))) return;
      }
    } catch (error) {
      stream.fail(error);
    } finally {
      stream.isBusy = false;
    }
  }

  /** One page. False: nothing can be read before the next common read. */
  async #advance(stream: EventStream, target: LedgerMoment): Promise<boolean> {
    const { delivered, reading } = stream.position;
    const size = limits.streamEvents;
    const isAhead = reading === null && !includesMoment(target, delivered);
    const moment = reading ?? { ...target, upTo: 0 };
    const page = isAhead
      ? await selectEventsBehind(this.#db, stream.position, {}, { size: 0, look: 0 })
      : await selectEventsBehind(this.#db, { delivered, reading: moment }, stream.filter, { size, look: limits.eventsLookedAt });
    if (!page.continues) {
      stream.tellLoss(target, this.#isLast(target));
      return !this.#isReading;
    }
    if (isAhead || !page.ready) return false;
    const events = underFilter(stream.filter, page.events.slice(0, size));
    const isFull = page.events.length > size;
    const upTo = isFull ? events.at(-1)?.id : page.lookedUpTo;
    const isDone = !isFull && !page.more;
    const { snapshot, newestId, newestXid } = moment;
    const position = isDone
      ? { delivered: { snapshot, newestId, newestXid }, reading: null }
      : { delivered, reading: { ...moment, upTo: upTo ?? moment.upTo } };
    stream.tellPage(events, position, isDone && reading === null && this.#isLast(target));
    return !(isDone && this.#isReading);
  }

  #isLast(moment: LedgerMoment): boolean {
    return moment === this.#moment && !this.#isReading;
  }
}

function allAsked(each: readonly SubjectsAsked[]): SubjectsAsked {
  const some = (name: keyof SubjectsAsked) => each.some((asked) => asked[name]);
  return {
    resourceProviders: some('resourceProviders'),
    consumers: some('consumers'),
    projects: some('projects'),
    resourceClasses: some('resourceClasses'),
    traits: some('traits'),
  };
}

function isAsked(needed: SubjectsAsked, asked: SubjectsAsked): boolean {
  return (Object.keys(needed) as (keyof SubjectsAsked)[]).every((name) => asked[name] || !needed[name]);
}

/** A placeholder: replaced when the stream begins. */
const nowhere: FeedPosition = { delivered: { snapshot: '1:1:', newestId: 0, newestXid: '0' }, reading: null };

class EventStream extends LiveStream<EventBatch> {
  readonly filter: EventFilter;
  /** Equal for filters that select the same events. */
  readonly key: string;
  /** `behind` until it has everything that the last common read has; then it takes part in the next one. */
  state: 'new' | 'behind' | 'live' = 'new';
  /** Everything up to here was sent. */
  position: FeedPosition;
  isBusy = false;
  readonly #startsNow: boolean;
  readonly #atMost: number | null;
  #buffer: LedgerEvent[] = [];
  #omitted = 0;
  #hasBegun = false;
  /** Events are missing, and the reader has not been told yet. */
  #hasLost = false;

  constructor(from: FeedPosition | null, filter: EventFilter, atMost: number | null, onEnd: () => void) {
    super(onEnd);
    this.filter = filter;
    this.key = JSON.stringify(filter);
    this.position = from ?? nowhere;
    this.#startsNow = from === null;
    this.#atMost = atMost;
  }

  startAt(moment: LedgerMoment): void {
    this.state = this.#startsNow ? 'live' : 'behind';
    if (this.#startsNow) this.position = { delivered: moment, reading: null };
  }

  take(events: readonly LedgerEvent[]): void {
    this.#buffer.push(...events);
    if (this.#atMost !== null) this.#omit(this.#atMost);
    else if (this.#buffer.length > limits.streamEvents) this.fallBehind();
  }

  /** The stream will itself read what it was not given. */
  fallBehind(): void {
    this.#buffer = [];
    this.#omitted = 0;
    this.state = 'behind';
  }

  loseAll(moment: LedgerMoment): void {
    this.#buffer = [];
    this.#omitted = 0;
    this.#hasLost = true;
    this.position = { delivered: moment, reading: null };
  }

  /** Sends what it has taken, after a complete read. */
  tellBuffered(moment: LedgerMoment): void {
    const isNews = this.#buffer.length > 0 || this.#omitted > 0 || this.#hasLost || !this.#hasBegun || this.silence >= limits.streamSilence;
    if (!this.isWaiting) return;
    const span = { delivered: this.position.delivered, moment };
    this.position = { delivered: moment, reading: null };
    if (isNews) this.#tell(span);
  }

  tellPage(events: readonly LedgerEvent[], position: FeedPosition, isLive: boolean): void {
    const span = { delivered: this.position.delivered, moment: position.reading ?? position.delivered };
    this.position = position;
    if (isLive) this.state = 'live';
    this.#buffer.push(...events);
    if (this.#atMost !== null) this.#omit(this.#atMost);
    const isNews = this.#buffer.length > 0 || this.#omitted > 0 || this.#hasLost || (isLive && !this.#hasBegun);
    if (isNews && this.isWaiting) this.#tell(span);
  }

  tellLoss(moment: LedgerMoment, isLive: boolean): void {
    this.position = { delivered: moment, reading: null };
    this.#hasLost = true;
    if (isLive) this.state = 'live';
    if (this.isWaiting) this.#tell({ delivered: moment, moment });
  }

  #omit(atMost: number): void {
    const tooMany = this.#buffer.length - atMost;
    if (tooMany > 0) this.#omitted += this.#buffer.splice(0, tooMany).length;
  }

  #tell(span: Span): void {
    const batch = batchOf(this.position, span, { events: this.#buffer, omittedCount: this.#omitted, reset: this.#hasLost });
    this.#buffer = [];
    this.#omitted = 0;
    this.#hasBegun = true;
    this.#hasLost = false;
    this.deliver(batch);
  }
}
