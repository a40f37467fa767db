// The subscriptions to changes of the map of the cloud: one read of the forest for all of them, twice a second, from which each gets what has changed since
// its last message. Readers that ask for the same share what is made.
import { type FeedPosition, selectForestChanges } from '../../db/feed/forest.ts';
import { type Db, mainHandleOf } from '../../db/sql/client.ts';
import { type Forest, ForestDifference, type Tree } from '../../domain/candidates/forest.ts';
import { parseForestCursor, renderForestCursor } from '../../domain/forest-cursor.ts';
import { limits } from '../../domain/limits.ts';
import type { ResourceClass } from '../../domain/provider.ts';
import { type ClassColumns, describeHosts, disabledTraitOf, hostOf, isHost, sumClass } from '../../domain/trees/cloud-map.ts';
import {
  type CloudMapArguments,
  type CloudMapClass,
  checkClassNames,
  findClasses,
  type NamedHosts,
  namesOf,
  withNames,
} from '../forest/cloud-map.ts';
import { forestOf } from '../forest/forest.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import type { RequestScope } from '../scope/scope.ts';
import { LiveStream } from './live-stream.ts';
import { type CloudMapChange, mapMessage } from './map-message.ts';
import { Pulse } from './pulse.ts';

/** A host under a name that it may have lost. */
interface Host {
  readonly uuid: string;
  readonly name: string;
}

/** What has changed for the map. */
class MapDifference extends ForestDifference {
  /** Hosts that are gone, or have lost these names. */
  readonly gone = new Set<Host>();

  add({ roots, reshaped, renamedAggregates }: ForestDifference, gone: Iterable<Host> = []): void {
    for (const root of roots) this.roots.add(root);
    for (const root of reshaped) this.reshaped.add(root);
    for (const uuid of renamedAggregates) this.renamedAggregates.add(uuid);
    for (const host of gone) this.gone.add(host);
  }

  get isEmpty(): boolean {
    return this.roots.size + this.reshaped.size + this.renamedAggregates.size + this.gone.size === 0;
  }
}

/** The changes since a cursor, then those to come. Refuses INVALID_INPUT, NOT_FOUND. */
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

/** The number of reads that are remembered; the database knows what changed since older ones. */
const rememberedBeats = 240;

/** What one read of the forest found. */
interface Beat {
  readonly number: number;
  readonly position: FeedPosition;
  readonly difference: MapDifference;
}

class LiveMap {
  readonly #db: Db;
  readonly #pulse: Pulse<MapStream>;
  #forest: Forest | null = null;
  /** The hosts at the last beat, by the ids of their roots. */
  #hosts = new Map<number, Host>();
  #beats: Beat[] = [];
  #number = 0;
  /** When a message was last sent, as performance.now(). */
  #toldReset = Number.NEGATIVE_INFINITY;
  /** The messages of this beat by what they contain. */
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
    const changes = forest.takeChanges();
    this.#made = new Map();
    this.#number += 1;
    if (forest === this.#forest) {
      const difference = this.#compare(forest, changes);
      this.#beats = [...this.#beats.slice(1 - rememberedBeats), { number: this.#number, position: keeper.position, difference }];
    } else {
      // There were no readers before: streams ask the database for what they have missed.
      for (const stream of this.#pulse.streams) stream.since = null;
      this.#forest = forest;
      this.#hosts = new Map([...forest.all.trees].filter(isHost).map(({ root }) => [root.id, root.state.provider]));
      this.#beats = [{ number: this.#number, position: keeper.position, difference: new MapDifference() }];
    }
    const mayReset = performance.now() - this.#toldReset >= limits.mapResetPause;
    for (const stream of this.#pulse.streams) {
      if (stream.isWaiting && !stream.isBusy) this.#serve(stream, forest, keeper.position, mayReset);
    }
  }

  /** What the changes of the forest mean for the map, compared with the last beat. */
  #compare(forest: Forest, changes: ForestDifference): MapDifference {
    const difference = new MapDifference();
    difference.add(changes);
    for (const id of changes.reshaped) {
      const before = this.#hosts.get(id);
      const now = hostAt(forest, id)?.root.state.provider;
      if (before && (before.uuid !== now?.uuid || before.name !== now.name)) difference.gone.add(before);
      if (now) this.#hosts.set(id, now);
      else this.#hosts.delete(id);
    }
    return difference;
  }

  #serve(stream: MapStream, forest: Forest, position: FeedPosition, mayReset: boolean): void {
    const { since } = stream;
    if (since === null) {
      stream.busyWith(this.#catchUp(stream, this.#number, forest, position));
      return;
    }
    // A class that was deleted or renamed has no values left to send.
    stream.owesReset ||= stream.classes.some(({ id, name }) => forest.classes.idOf(name) !== id);
    const isLost = since + 1 < (this.#beats[0]?.number ?? 0);
    if (isLost || (stream.owesReset && mayReset)) {
      this.#toldReset = performance.now();
      stream.tellReset(position);
      return;
    }
    const key = `${since} ${stream.classes.map(({ id }) => id).join()}`;
    const difference = new MapDifference();
    difference.add(stream.missed, stream.missed.gone);
    for (const beat of this.#beats) if (beat.number > since) difference.add(beat.difference, beat.difference.gone);
    if (difference.isEmpty && stream.silence < limits.streamSilence) return;
    const known = stream.missed.isEmpty ? this.#made.get(key) : undefined;
    const message = known ?? messageOf(forest, difference, stream.classes, { from: stream.from, to: position });
    if (stream.missed.isEmpty) this.#made.set(key, message);
    stream.since = this.#number;
    stream.from = position;
    stream.missed = new MapDifference();
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
    const { continues, history, hasNewNames, used, written, unnamed } = await selectForestChanges(this.#db, from);
    stream.owesReset = !continues || history !== from.history || history !== position.history;
    const missed = new MapDifference();
    for (const id of used) {
      const root = forest.findById(id)?.tree.rootId;
      if (root !== undefined) missed.roots.add(root);
    }
    for (const id of written) {
      const provider = forest.findById(id);
      if (!provider) continue;
      missed.reshaped.add(provider.tree.rootId);
      // It may have been a host before. A reader that does not know it is not misled.
      if (hostAt(forest, id) === undefined) missed.gone.add(provider.state.provider);
    }
    for (const host of unnamed) missed.gone.add(host);
    if (hasNewNames) for (const { aggregate } of forest.aggregates.every()) missed.renamedAggregates.add(aggregate.uuid);
    stream.missed = missed;
    stream.since = number;
  }
}

/** The host with a root, if it is one. */
function hostAt(forest: Forest, rootId: number): Tree | undefined {
  const tree = forest.findById(rootId)?.tree;
  return tree?.rootId === rootId && isHost(tree) ? tree : undefined;
}

/** What is different now. Captured at once, made in parts. */
function messageOf(
  forest: Forest,
  { roots, reshaped, renamedAggregates, gone }: MapDifference,
  classes: readonly ResourceClass[],
  { from, to }: { readonly from: FeedPosition; readonly to: FeedPosition },
): Promise<CloudMapChange> {
  const hostsAt = (ids: Iterable<number>) =>
    [...ids].flatMap((id) => {
      const tree = hostAt(forest, id);
      return tree ? [hostOf(tree)] : [];
    });
  const hosts = hostsAt(new Set([...roots, ...reshaped]));
  const others = hostsAt(reshaped);
  const known = namesOf(forest);
  const disabledTrait = disabledTraitOf(forest);
  const isThere = (uuid: string) => {
    const provider = forest.findByUuid(uuid);
    return provider !== undefined && hostAt(forest, provider.id) !== undefined;
  };
  const goneUuids = [...new Set([...gone].map(({ uuid }) => uuid))].filter((uuid) => !isThere(uuid));
  const aggregates = [...renamedAggregates].flatMap((uuid) => {
    const id = forest.aggregates.idOf(uuid);
    return id === undefined ? [] : [{ uuid, name: known.aggregates.get(id)?.name ?? null }];
  });
  function* work(): Generator<void, CloudMapChange> {
    const { uuids, names, flags } = yield* describeHosts(hosts, disabledTrait);
    const described = withNames(yield* describeHosts(others, disabledTrait), known);
    // A name that another host has taken is not gone.
    const goneNames = [...new Set([...gone].map(({ name }) => name))].filter((name) => !described.names.includes(name));
    const rows: CloudMapClass[] = [];
    for (const resourceClass of classes) {
      const sums: ClassColumns = yield* sumClass(hosts, resourceClass.id);
      rows.push({ resourceClass, ...sums });
    }
    return mapMessage(renderForestCursor(to), renderForestCursor(from), {
      ...{ reset: false, uuids, names, flags, classes: rows },
      ...{ reshaped: described, goneUuids, goneNames },
      aggregateUuids: aggregates.map(({ uuid }) => uuid),
      aggregateNames: aggregates.map(({ name }) => name),
    });
  }
  return workInTurn(work());
}

const noHosts: NamedHosts = {
  ...{ uuids: [], names: [], memberCounts: [], flags: [], traitNames: [], traitSets: [], traitSet: [] },
  ...{ aggregateUuids: [], aggregateNames: [], aggregateSets: [], aggregateSet: [] },
};

class MapStream extends LiveStream<CloudMapChange> {
  /** Everything up to here was sent. */
  from: FeedPosition;
  readonly classes: readonly ResourceClass[];
  /** The same as a beat, with what was not sent of earlier beats; null until that is known. */
  since: number | null = null;
  missed = new MapDifference();
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
    const nothing = { uuids: [], names: [], flags: [], aggregateUuids: [], aggregateNames: [], goneUuids: [], goneNames: [] };
    const cursor = renderForestCursor(position);
    this.deliver(mapMessage(cursor, cursor, { reset: true, ...nothing, reshaped: noHosts, classes }), { isLast: true });
  }
}
