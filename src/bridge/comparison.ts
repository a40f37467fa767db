// Compares everything with the other Placement, slowly and again and again, while it leads: finds what was never taken over, and what clients have changed past the
// gateways. What differs is noted, and so read back. The first comparison is the import: it finds that everything is missing here.
import { isDeepStrictEqual } from 'node:util';
import { type BridgeState, markCompared, type NotedObject, noteDue, selectNoted } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { listOwnNames, listOwnProviders, type OwnConsumer, readOwnConsumers, readOwnHoldings, readOwnProviders } from './ledger.ts';
import type { PlacementClient } from './placement/client.ts';
import {
  findProvider,
  listProviders,
  listResourceClasses,
  listTraits,
  readAggregates,
  readHolder,
  readHoldings,
} from './placement/upstream.ts';

/** Providers that are compared in one step, with all that is held on them. */
const providersInStep = 10;
/** A step is followed by a pause of so many times its length: comparing takes a hundredth of the time. */
const share = 100;

/** Told of what differs although no request through the gateways has changed it. */
type TellPast = (objects: readonly NotedObject[]) => void;

export class Comparison {
  readonly #db: Db;
  readonly #tellPast: TellPast;
  #steps: AsyncGenerator<void, void> | null = null;
  #epoch = 0;
  /** Moments of performance.now(). */
  #nextAt = 0;

  constructor(db: Db, tellPast: TellPast) {
    this.#db = db;
    this.#tellPast = tellPast;
  }

  /**
   * Does the next step if it is time. The first comparison, and that after going back to the other side, is urgent: it makes no pauses, and whatever differs is
   * expected. Whether more is to be done at once.
   */
  async next(placement: PlacementClient, { epoch, comparedAt }: Pick<BridgeState, 'epoch' | 'comparedAt'>): Promise<boolean> {
    const begun = performance.now();
    const isUrgent = comparedAt === null;
    if (!isUrgent && begun < this.#nextAt) return false;
    // What was compared before a switch says nothing about the time after it.
    if (epoch !== this.#epoch) this.#steps = null;
    this.#epoch = epoch;
    this.#steps ??= this.#compare(placement, isUrgent);
    try {
      if ((await this.#steps.next()).done) this.#steps = null;
    } catch (error) {
      this.#steps = null;
      throw error;
    }
    this.#nextAt = performance.now() + share * (performance.now() - begun);
    return isUrgent;
  }

  async *#compare(placement: PlacementClient, isUrgent: boolean): AsyncGenerator<void, void> {
    await this.#note(placement, await differingNames(this.#db, placement), isUrgent);
    yield;
    const { placed, lost } = await listProviders(placement);
    // Those in a loop of parents are refused here, and so named as differences.
    const [listed, own] = [[...placed, ...lost], await listOwnProviders(this.#db)];
    if (listed.length === 0 && own.length > 0) throw new Error('the other Placement has no providers: everything here would be deleted');
    const here = new Map(own.map(({ uuid, ...state }) => [uuid, state]));
    const differing = listed.filter(({ uuid, ...state }) => !isDeepStrictEqual(here.get(uuid), state)).map(({ uuid }) => uuid);
    const there = new Set(listed.map(({ uuid }) => uuid));
    // Parents before their children, children that are gone before their parents.
    await this.#note(
      placement,
      [...differing, ...own.map(({ uuid }) => uuid).filter((uuid) => !there.has(uuid))].map(asProvider),
      isUrgent,
    );
    yield;
    const uuids = [...there];
    const seen = new Set<string>();
    for (let from = 0; from < uuids.length; from += providersInStep) {
      await this.#compareHoldings(placement, uuids.slice(from, from + providersInStep), seen, isUrgent);
      yield;
    }
    await markCompared(this.#db, this.#epoch);
  }

  async #compareHoldings(placement: PlacementClient, providers: readonly string[], seen: Set<string>, isUrgent: boolean): Promise<void> {
    const [held, aggregates] = await Promise.all([
      Promise.all(providers.map((uuid) => readHoldings(placement, uuid))),
      Promise.all(providers.map((uuid) => readAggregates(placement, uuid))),
    ]);
    const [holdings, own] = await Promise.all([readOwnHoldings(this.#db, providers), readOwnProviders(this.#db, providers)]);
    const regrouped = providers.filter((uuid, place) => !isDeepStrictEqual(aggregates[place], own.get(uuid)?.aggregates.toSorted()));
    const there = held.flatMap(Object.keys);
    const here = [...holdings.values()].flatMap((byConsumer) => Object.keys(byConsumer));
    const consumers = [...new Set([...there, ...here])].filter((uuid) => !seen.has(uuid));
    for (const uuid of consumers) seen.add(uuid);
    const known = await readOwnConsumers(this.#db, consumers);
    const differing = [
      ...consumers.filter((uuid) => !known.has(uuid)),
      ...(await this.#differingConsumers(
        placement,
        consumers.filter((uuid) => known.has(uuid)),
      )),
    ];
    await this.#note(placement, [...regrouped.map(asProvider), ...differing.map(asConsumer)], isUrgent);
  }

  async #differingConsumers(placement: PlacementClient, consumers: readonly string[]): Promise<readonly string[]> {
    const there = await Promise.all(consumers.map((uuid) => readHolder(placement, uuid)));
    const here = await readOwnConsumers(this.#db, consumers);
    return consumers.filter((uuid, place) => {
      const holder = there[place];
      if (!holder) return here.has(uuid);
      const own = here.get(uuid);
      return own === undefined || !isDeepStrictEqual(comparable(holder), comparable(own));
    });
  }

  /** Notes what differs. A request that is under way may be the reason; what no request has touched, and differs when it is looked at again, is told. */
  async #note(placement: PlacementClient, objects: readonly NotedObject[], isUrgent: boolean): Promise<void> {
    if (objects.length === 0) return;
    const noted = await selectNoted(this.#db, objects);
    const others = objects.filter(isUntouched(noted));
    if (!isUrgent && others.length > 0) {
      const consumers = others.filter(({ noun }) => noun === 'consumer').map(({ key }) => key);
      const providers = others.filter(({ noun }) => noun === 'provider').map(({ key }) => key);
      const past = [
        ...(await this.#differingConsumers(placement, consumers)).map(asConsumer),
        ...(await this.#differingProviders(placement, providers)).map(asProvider),
      ];
      const touched = await selectNoted(this.#db, past);
      const untouched = past.filter(isUntouched(touched));
      if (untouched.length > 0) this.#tellPast(untouched);
    }
    await noteDue(this.#db, objects);
  }

  async #differingProviders(placement: PlacementClient, providers: readonly string[]): Promise<readonly string[]> {
    const there = await Promise.all(providers.map((uuid) => findProvider(placement, uuid)));
    const here = await readOwnProviders(this.#db, providers);
    return providers.filter((uuid, place) => there[place]?.generation !== here.get(uuid)?.generation);
  }
}

const isUntouched =
  (noted: ReadonlySet<string>) =>
  ({ noun, key }: NotedObject): boolean =>
    !noted.has(`${noun} ${key}`) && !(noun === 'provider' && noted.has(`generation ${key}`));
const asProvider = (key: string): NotedObject => ({ noun: 'provider', key });
const asConsumer = (key: string): NotedObject => ({ noun: 'consumer', key });

/** What both sides must have alike. */
function comparable({ generation, project, user, type, allocations }: OwnConsumer): OwnConsumer {
  const keyOf = ({ provider, resourceClass }: OwnConsumer['allocations'][number]) => `${provider} ${resourceClass}`;
  return { generation, project, user, type, allocations: allocations.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

/** Standard names that exist only here do not count: versions of Placement differ in them. */
async function differingNames(db: Db, placement: PlacementClient): Promise<NotedObject[]> {
  const own = await listOwnNames(db);
  const differing = (noun: NotedObject['noun'], here: ReadonlySet<string>, there: ReadonlySet<string>) =>
    [...[...there].filter((name) => !here.has(name)), ...[...here].filter((name) => name.startsWith('CUSTOM_') && !there.has(name))].map(
      (key): NotedObject => ({ noun, key }),
    );
  return [
    ...differing('resourceClass', own.resourceClasses, new Set(await listResourceClasses(placement))),
    ...differing('trait', own.traits, new Set(await listTraits(placement))),
  ];
}
