// The subscriptions to changes of the map of the cloud: one read of the forest for all of them, twice a second, from which each gets what has changed since
// its last message. Readers that ask for the same share what is made.
import { type FeedPosition, selectForestChanges } from '../../db/feed/forest.ts';
import { type Db, mainHandleOf } from '../../db/sql/client.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { type ClassColumns, describeHosts, disabledTraitOf, type HostColumns, hostOf, isHost, sumClass } from '../../domain/cloud-map.ts';
import { parseForestCursor, renderForestCursor } from '../../domain/forest-cursor.ts';
import { limits } from '../../domain/limits.ts';
import type { ResourceClass } from '../../domain/provider.ts';
import { type CloudMapArguments, type CloudMapClass, checkClassNames, findClasses } from '../forest/cloud-map.ts';
import { forestOf } from '../forest/forest.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import type { RequestScope } from '../request/scope.ts';
import type { Divisible } from './divisible.ts';
import { LiveStream } from './live-stream.ts';
import { Pulse } from './pulse.ts';

export interface CloudMapChange extends Pick<HostColumns, 'names' | 'flags'>, Divisible<CloudMapChange> {
  readonly cursor: string;
  readonly reset: boolean;
  readonly classes: readonly CloudMapClass[];
}

/** The changes since a cursor, and on. Refuses INVALID_INPUT, NOT_FOUND. */
export async function followCloudMap(
  { db }: RequestScope,
  { after, resourceClasses }: CloudMapArguments & { readonly after: string },
): Promise<AsyncIterableIterator<CloudMapChange, undefined>> {
  checkClassNames(resourceClasses);
  const from = parseForestCursor(after);
  const classes = findClasses(await forestOf(db).current(), resourceClasses);
  return liveMapOf(db).follow(from, classes);
}

const maps = new WeakMap<Db, LiveMap>();

function liveMapOf(db: Db): LiveMap {
  const main = mainHandleOf(db);
  const map = maps.get(main) ?? new LiveMap(main);
  maps.set(main, map);
  return map;
}

/** Reads that are remembered: what changed since an older one is asked of the database. */
const rememberedBeats = 240;

/** What one read of the forest found. */
interface Beat {
  readonly number: number;
  readonly position: FeedPosition;
  readonly roots: ReadonlySet<number>;
}

class LiveMap {
  readonly #db: Db;
  readonly #pulse: Pulse<MapStream>;
  #forest: Forest | null = null;
  #beats: Beat[] = [];
  #number = 0;
  /** The last beat after which everybody must read the map anew. */
  #resetAt = 0;
  #owesReset = false;
  /** When somebody was last told to, as performance.now(). */
  #toldReset = Number.NEGATIVE_INFINITY;
  /** The messages of this beat by what they tell. */
  #made = new Map<string, Promise<CloudMapChange>>();

  constructor(db: Db) {
    this.#db = db;
    this.#pulse = new Pulse(() => this.#beat());
  }

  follow(from: FeedPosition, classes: readonly ResourceClass[]): MapStream {
    const stream: MapStream = new MapStream(from, classes, () => this.#pulse.remove(stream));
    if (this.#pulse.streams.size === 0) this.#forest = null;
    this.#pulse.add(stream);
    return stream;
  }

  async #beat(): Promise<void> {
    const keeper = forestOf(this.#db);
    const forest = await keeper.current();
    // From here to the end the forest does not change.
    const { roots, hasNewShape } = forest.takeChanges();
    this.#made = new Map();
    this.#number += 1;
    if (forest === this.#forest) {
      this.#owesReset ||= hasNewShape;
      this.#beats = [...this.#beats.slice(1 - rememberedBeats), { number: this.#number, position: keeper.position, roots }];
    } else {
      // Nobody has followed it until now: what streams have missed, they ask the database.
      this.#owesReset = false;
      for (const stream of this.#pulse.streams) stream.since = null;
      this.#forest = forest;
      this.#beats = [{ number: this.#number, position: keeper.position, roots: new Set() }];
    }
    const mayReset = performance.now() - this.#toldReset >= limits.mapResetPause;
    if (this.#owesReset && mayReset) {
      this.#owesReset = false;
      this.#resetAt = this.#number;
    }
    for (const stream of this.#pulse.streams) {
      if (stream.isWaiting && !stream.isBusy) this.#serve(stream, forest, keeper.position, mayReset);
    }
  }

  #serve(stream: MapStream, forest: Forest, position: FeedPosition, mayReset: boolean): void {
    const { since } = stream;
    if (since === null) {
      stream.busyWith(this.#catchUp(stream, this.#number, forest, position));
      return;
    }
    const isLost = since < this.#resetAt || since + 1 < (this.#beats[0]?.number ?? 0);
    if (isLost || (stream.owesReset && mayReset)) {
      this.#toldReset = performance.now();
      stream.tellReset(position);
      return;
    }
    const key = `${since} ${stream.classes.map(({ id }) => id).join()}`;
    const roots = new Set(stream.missed);
    for (const beat of this.#beats) if (beat.number > since) for (const root of beat.roots) roots.add(root);
    if (roots.size === 0 && stream.silence < limits.streamSilence) return;
    const known = stream.missed.size === 0 ? this.#made.get(key) : undefined;
    const message = known ?? messageOf(forest, roots, stream.classes, { from: stream.from, to: position });
    if (stream.missed.size === 0) this.#made.set(key, message);
    stream.since = this.#number;
    stream.from = position;
    stream.missed = new Set();
    stream.busyWith(message.then((change) => stream.tell(change)));
  }

  /** Finds what has changed between the cursor of a reader and a read. */
  async #catchUp(stream: MapStream, number: number, forest: Forest, position: FeedPosition): Promise<void> {
    const { from } = stream;
    const known = this.#beats.find((beat) => beat.position.snapshot === from.snapshot && beat.position.history === from.history);
    if (known) {
      stream.since = known.number;
      return;
    }
    const { continues, history, hasNewShape, used } = await selectForestChanges(this.#db, from);
    stream.owesReset = !continues || hasNewShape || history !== from.history || history !== position.history;
    const providers = used.map((id) => forest.findById(id));
    stream.owesReset ||= providers.includes(undefined);
    stream.missed = new Set(providers.flatMap((provider) => provider?.tree.rootId ?? []));
    stream.since = number;
  }
}

/** What some trees are now. Captured at once, made in parts. */
function messageOf(
  forest: Forest,
  roots: ReadonlySet<number>,
  classes: readonly ResourceClass[],
  { from, to }: { readonly from: FeedPosition; readonly to: FeedPosition },
): Promise<CloudMapChange> {
  const hosts = [...roots].flatMap((id) => {
    const tree = forest.findById(id)?.tree;
    return tree && isHost(tree) ? [hostOf(tree)] : [];
  });
  function* work(): Generator<void, CloudMapChange> {
    const { names, flags } = yield* describeHosts(hosts, disabledTraitOf(forest));
    const rows: CloudMapClass[] = [];
    for (const resourceClass of classes) {
      const sums: ClassColumns = yield* sumClass(hosts, resourceClass.id);
      rows.push({ resourceClass, ...sums });
    }
    return changeOf(renderForestCursor(to), renderForestCursor(from), { reset: false, names, flags, classes: rows });
  }
  return workInTurn(work());
}

/** Hosts that a part of a message has. */
const hostsOfPart = 10;

/** A message that can be told in several: until the last one is told, the cursor is that of before, and the hosts of the others come again. */
function changeOf(cursor: string, before: string, told: Pick<CloudMapChange, 'reset' | 'names' | 'flags' | 'classes'>): CloudMapChange {
  const { names, flags, classes } = told;
  return {
    ...told,
    cursor,
    parts: Math.ceil(names.length / hostsOfPart),
    divide(count) {
      const slice = (from: number, to?: number) => ({
        ...told,
        names: names.slice(from, to),
        flags: flags.slice(from, to),
        classes: classes.map(({ resourceClass, total, reserved, capacity, used }) => ({
          resourceClass,
          total: total.slice(from, to),
          reserved: reserved.slice(from, to),
          capacity: capacity.slice(from, to),
          used: used.slice(from, to),
        })),
      });
      const at = count * hostsOfPart;
      return [changeOf(before, before, slice(0, at)), changeOf(cursor, before, slice(at))];
    },
  };
}

class MapStream extends LiveStream<CloudMapChange> {
  /** Up to where everything was told. */
  from: FeedPosition;
  readonly classes: readonly ResourceClass[];
  /** The same as a beat, and what of older ones was not told; null until that is known. */
  since: number | null = null;
  missed: ReadonlySet<number> = new Set();
  owesReset = false;
  isBusy = false;

  constructor(from: FeedPosition, classes: readonly ResourceClass[], onEnd: () => void) {
    super(onEnd);
    this.from = from;
    this.classes = classes;
  }

  busyWith(work: Promise<void>): void {
    this.isBusy = true;
    work
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.isBusy = false;
      });
  }

  tell(change: CloudMapChange): void {
    if (this.isWaiting) this.deliver(change);
  }

  tellReset(position: FeedPosition): void {
    const columns = { total: [], reserved: [], capacity: [], used: [] };
    const classes = this.classes.map((resourceClass) => ({ resourceClass, ...columns }));
    const cursor = renderForestCursor(position);
    this.deliver(changeOf(cursor, cursor, { reset: true, names: [], flags: [], classes }), { isLast: true });
  }
}
