// Compares everything with the other Placement, slowly and again and again: finds what was never carried over, what clients have changed past the gateways, and what was
// lost there. What differs is noted, and so carried over from the side that leads. The first comparison is the import: it finds that everything is missing here.
import { isDeepStrictEqual } from 'node:util';
import { type BridgeState, markCompared, type NotedObject, noteDue, selectNoted } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { parseLooseUuid } from '../domain/uuid.ts';
import { comparable, listOwnProviders, readOwnConsumers, readOwnHoldings, readOwnProviders } from './ledger.ts';
import { compareNames } from './names.ts';
import type { PlacementClient } from './placement/client.ts';
import {
  findProvider,
  type Holder,
  type ListedProvider,
  listHolders,
  listProviders,
  readAggregates,
  readHolder,
  readProvider,
} from './placement/upstream.ts';
import { isOddKey } from './spellings.ts';
import { readBridgeStatus } from './switching.ts';

/** Providers that are compared in one step, with all that is held on them. */
const providersInStep = 10;
/** A step is followed by a pause of so many times its length: comparing takes a hundredth of the time. */
const share = 100;

/** Told of what differs although no request through the gateways has changed it. */
type TellPast = (objects: readonly NotedObject[]) => void;

/** One comparison. */
interface Round {
  readonly placement: PlacementClient;
  /** Whether this ledger leads: each side counts its own generations then. */
  readonly leads: boolean;
  /** Whether equal generations say nothing of inventories and traits, because each side has counted its own. */
  readonly comparesParts: boolean;
  /** Whether differences are expected: they are not told. */
  readonly isUrgent: boolean;
  readonly epoch: number;
}

export class Comparison {
  readonly #db: Db;
  readonly #tellPast: TellPast;
  #steps: AsyncGenerator<void, void> | null = null;
  #round: Pick<Round, 'epoch' | 'isUrgent'> | null = null;
  /** A moment of performance.now(). */
  #nextAt = 0;

  constructor(db: Db, tellPast: TellPast) {
    this.#db = db;
    this.#tellPast = tellPast;
  }

  /**
   * Does the next step if it is time. While nothing was compared yet in this mode, comparing is urgent: it makes no pauses, and whatever differs is expected. Whether
   * more is to be done at once.
   */
  async next(
    placement: PlacementClient,
    { epoch, mode, comparedAt, cursor }: Pick<BridgeState, 'epoch' | 'mode' | 'comparedAt' | 'cursor'>,
  ): Promise<boolean> {
    const begun = performance.now();
    const isUrgent = comparedAt === null;
    if (!isUrgent && begun < this.#nextAt) return false;
    // What was compared before a switch says nothing about the time after it.
    if (epoch !== this.#round?.epoch || isUrgent !== this.#round.isUrgent) this.#steps = null;
    this.#round = { epoch, isUrgent };
    const leads = mode === 'leading';
    // One that has ever led has a position in the feed.
    const comparesParts = leads || (isUrgent && cursor !== null);
    this.#steps ??= this.#compare({ placement, leads, comparesParts, isUrgent, epoch });
    try {
      if ((await this.#steps.next()).done) this.#steps = null;
    } catch (error) {
      this.#steps = null;
      throw error;
    }
    this.#nextAt = performance.now() + share * (performance.now() - begun);
    return isUrgent && this.#steps !== null;
  }

  async *#compare(round: Round): AsyncGenerator<void, void> {
    const { placement, leads } = round;
    await this.#note(round, await differingNames(this.#db, placement));
    yield;
    const { placed, lost } = await listProviders(placement);
    // Those in a loop of parents are refused here, and so named as differences.
    const [listed, own] = [[...placed, ...lost], await listOwnProviders(this.#db)];
    if (listed.length === 0 && own.length > 0 && !leads) {
      throw new Error('the other Placement has no providers: everything here would be deleted');
    }
    const stateOf = ({ uuid, ...state }: ListedProvider) => (leads ? { ...state, generation: 0 } : state);
    const here = new Map(own.map((provider) => [provider.uuid, stateOf(provider)]));
    const differing = listed.filter((provider) => !isDeepStrictEqual(here.get(provider.uuid), stateOf(provider))).map(({ uuid }) => uuid);
    const there = new Set(listed.map(({ uuid }) => uuid));
    const onlyHere = own.filter(({ uuid }) => !there.has(uuid));
    // Parents before their children, children that are gone before their parents.
    await this.#note(round, [...differing, ...onlyHere.map(({ uuid }) => uuid)].map(asProvider));
    yield;
    const seen = new Set<string>();
    // Those that differ come first: a claim raises the generation of its provider.
    const isDiffering = new Set(differing);
    const all = [
      ...onlyHere,
      ...listed.filter(({ uuid }) => isDiffering.has(uuid)),
      ...listed.filter(({ uuid }) => !isDiffering.has(uuid)),
    ];
    for (let from = 0; from < all.length; from += providersInStep) {
      await this.#compareWhole(round, all.slice(from, from + providersInStep), seen);
      yield;
    }
    await markCompared(this.#db, round);
  }

  /** Compares some providers, and the consumers on them. */
  async #compareWhole(round: Round, listed: readonly ListedProvider[], seen: Set<string>): Promise<void> {
    const { placement, comparesParts } = round;
    const providers = listed.map(({ uuid }) => uuid);
    const holders = await Promise.all(providers.map((uuid) => listHolders(placement, uuid)));
    const odd = new Set(
      holders
        .flat()
        .map(({ consumer }) => consumer)
        .filter(isOddKey),
    );
    const held = holders.map(byUuid);
    const differing = comparesParts ? await this.#differingParts(placement, listed) : await this.#regrouped(placement, providers);
    const holdings = await readOwnHoldings(this.#db, providers);
    const here = [...holdings.values()].flatMap((byConsumer) => Object.keys(byConsumer));
    const all = [...new Set([...held.flatMap((known) => [...known.keys()]), ...here])];
    const known = await readOwnConsumers(this.#db, all);
    const isEqual = (uuid: string) =>
      providers.every((provider, place) => {
        const there = held[place]?.get(uuid);
        const isSame = isDeepStrictEqual(there?.resources, holdings.get(provider)?.[uuid]);
        return isSame && (there === undefined || there.generation === known.get(uuid)?.generation);
      });
    // A switch waits for the first comparison, so that one skips consumers with equal generations and holdings. Later ones ask for every consumer.
    const isQuick = round.isUrgent && !comparesParts;
    const consumers = all.filter((uuid) => !seen.has(uuid) && !(isQuick && isEqual(uuid)));
    for (const uuid of consumers) seen.add(uuid);
    const missing = consumers.filter((uuid) => !known.has(uuid));
    const others = await this.#differingConsumers(
      round,
      consumers.filter((uuid) => known.has(uuid)),
    );
    await this.#note(round, [...differing.map(asProvider), ...[...missing, ...others, ...odd].map(asConsumer)]);
  }

  /** Providers whose aggregates differ: old clients change them without raising a generation. */
  async #regrouped(placement: PlacementClient, providers: readonly string[]): Promise<readonly string[]> {
    const aggregates = await Promise.all(providers.map((uuid) => readAggregates(placement, uuid)));
    const own = await readOwnProviders(this.#db, providers);
    return providers.filter((uuid, place) => !isDeepStrictEqual(aggregates[place], own.get(uuid)?.aggregates.toSorted()));
  }

  /** Providers whose inventories, traits or aggregates differ. */
  async #differingParts(placement: PlacementClient, listed: readonly ListedProvider[]): Promise<readonly string[]> {
    const there = await Promise.all(listed.map((provider) => readProvider(placement, provider)));
    const own = await readOwnProviders(
      this.#db,
      listed.map(({ uuid }) => uuid),
    );
    return there.flatMap((provider) => {
      const here = provider && own.get(provider.uuid);
      if (!here) return [];
      const inventories = Object.fromEntries(provider.inventories.map(({ resourceClass, ...record }) => [resourceClass, record]));
      const { traits, aggregates } = provider;
      const ours = { inventories: here.inventories, traits: here.traits.toSorted(), aggregates: here.aggregates.toSorted() };
      return isDeepStrictEqual(ours, { inventories, traits, aggregates }) ? [] : [provider.uuid];
    });
  }

  async #differingConsumers({ placement, leads }: Round, consumers: readonly string[]): Promise<readonly string[]> {
    const there = await Promise.all(consumers.map((uuid) => readHolder(placement, uuid)));
    const here = await readOwnConsumers(this.#db, consumers);
    return consumers.filter((uuid, place) => {
      const [own, holder] = [here.get(uuid), there[place]];
      return !isDeepStrictEqual(
        holder ? comparable(holder, { generations: !leads }) : null,
        own ? comparable(own, { generations: !leads }) : null,
      );
    });
  }

  /** Notes what differs. A request that is under way may be the reason; what no request has touched, and differs when it is looked at again, is told. */
  async #note(round: Round, objects: readonly NotedObject[]): Promise<void> {
    if (objects.length === 0) return;
    const noted = await selectNoted(this.#db, objects);
    const others = objects.filter(isUntouched(noted));
    if (!round.isUrgent && others.length > 0) {
      const keysOf = (noun: NotedObject['noun']) => others.filter((one) => one.noun === noun).map(({ key }) => key);
      const plain = keysOf('consumer').filter((key) => !isOddKey(key));
      const past = [
        ...(await this.#differingConsumers(round, plain)).map(asConsumer),
        ...(await this.#differingProviders(round, keysOf('provider'))).map(asProvider),
      ];
      const touched = await selectNoted(this.#db, past);
      // While this ledger leads, the reason may be an event that was not carried over yet.
      const isPending = round.leads && (await readBridgeStatus(this.#db))?.pending !== 0;
      const untouched = isPending ? [] : past.filter(isUntouched(touched));
      if (untouched.length > 0) this.#tellPast(untouched);
    }
    await noteDue(this.#db, objects);
  }

  async #differingProviders({ placement, leads }: Round, providers: readonly string[]): Promise<readonly string[]> {
    const there = await Promise.all(providers.map((uuid) => findProvider(placement, uuid)));
    const here = await readOwnProviders(this.#db, providers);
    const found = there.filter((provider) => provider !== null);
    const parts = new Set(leads ? await this.#differingParts(placement, found) : []);
    return providers.filter((uuid, place) => {
      const [own, other] = [here.get(uuid), there[place]];
      if (!own || !other) return Boolean(own) !== Boolean(other);
      return parts.has(uuid) || own.name !== other.name || own.parent !== other.parent || (!leads && own.generation !== other.generation);
    });
  }
}

/** Those that can be read by a uuid. What is stored under the uuid itself takes precedence over another spelling of it. */
function byUuid(holders: readonly Holder[]): ReadonlyMap<string, Holder> {
  const [odd, plain] = [holders.filter(({ consumer }) => isOddKey(consumer)), holders.filter(({ consumer }) => !isOddKey(consumer))];
  return new Map(
    [...odd, ...plain].flatMap((holder) => {
      const uuid = parseLooseUuid(holder.consumer);
      return uuid === null ? [] : [[uuid as string, holder] as const];
    }),
  );
}

const isUntouched =
  (noted: ReadonlySet<string>) =>
  ({ noun, key }: NotedObject): boolean =>
    !noted.has(`${noun} ${key}`) && !(noun === 'provider' && noted.has(`generation ${key}`));
const asProvider = (key: string): NotedObject => ({ noun: 'provider', key });
const asConsumer = (key: string): NotedObject => ({ noun: 'consumer', key });

async function differingNames(db: Db, placement: PlacementClient): Promise<NotedObject[]> {
  const { onlyThere, onlyHere } = await compareNames(db, placement);
  return [onlyThere, onlyHere].flatMap(({ resourceClasses, traits }) => [
    ...resourceClasses.map((key): NotedObject => ({ noun: 'resourceClass', key })),
    ...traits.map((key): NotedObject => ({ noun: 'trait', key })),
  ]);
}
