// Makes consumers in the other Placement as they are here.
import { isDeepStrictEqual } from 'node:util';
import { capacityOf, unitFault } from '../domain/inventory.ts';
import { type OwnConsumer, type OwnProvider, readOwnConsumers, readOwnProviders } from './ledger.ts';
import { inParallel, makeEach, Refusal, refusalOf, type Work, want, write } from './outgoing-work.ts';
import { readConsumer, type UpstreamConsumer } from './placement/upstream.ts';

type Allocations = OwnConsumer['allocations'];

/** The last version in which a write does not name the type: a new consumer gets none, others keep theirs. */
const untyped = '1.37';

/**
 * The generation of a consumer that holds nothing, which upstream leaves behind when a claim fails, and shows nowhere but in the refusal of the next one
 * (`consumer generation conflict - expected 0 but got None`).
 */
const hiddenGeneration = /expected (\d+) but got None/;

export function makeConsumers(work: Work): Promise<void> {
  const read = (uuids: readonly string[]) => readOwnConsumers(work.db, uuids);
  return makeEach(work, 'consumer', [...work.pending.consumer.keys()], read, async (uuid, own) => {
    const there = await readConsumer(work.placement, uuid);
    if (holdsNothing(own)) {
      if (there) await release(work, uuid, there);
    } else if (!there || !isSame(own, there)) {
      await makeConsumer(work, uuid, own, there);
    }
  });
}

const pathOf = (uuid: string) => `/allocations/${uuid}`;

/** Not by DELETE, which names no generation: a process that was stopped for a while must not release what another one has made meanwhile. */
function release(work: Work, uuid: string, there: UpstreamConsumer): Promise<unknown> {
  return write(work, 'PUT', pathOf(uuid), renderConsumer({ ...there, allocations: [] }, there.generation), untyped);
}

const holdsNothing = (own: OwnConsumer | undefined): own is undefined => own === undefined || own.allocations.length === 0;

async function makeConsumer(work: Work, uuid: string, own: OwnConsumer, there: UpstreamConsumer | null): Promise<void> {
  // Nothing takes the type from a consumer, only from one that is new.
  const isNew = there === null || (own.type === null && there.type !== null);
  try {
    if (there && isNew) await release(work, uuid, there);
    const put = (generation: number | null) =>
      write(
        work,
        'PUT',
        pathOf(uuid),
        { ...renderConsumer(own, generation), ...(own.type !== null && { consumer_type: own.type }) },
        own.type === null ? untyped : undefined,
      );
    const refusal = await refusalOf(() => put(isNew ? null : there.generation));
    const hidden = isNew && refusal?.isOutdated ? hiddenGeneration.exec(refusal.message)?.[1] : undefined;
    if (hidden !== undefined) await put(Number(hidden));
    else if (refusal) throw refusal;
  } catch (error) {
    // A provider may be missing there, or lack an inventory.
    if (error instanceof Refusal && !error.isOutdated) want(work, 'provider', providersOf(own.allocations));
    throw error;
  }
}

/**
 * Moves pending consumers that wait for each other at once: those that were refused, although they break no rule here, in groups that share providers.
 * Their types are written with the next attempt.
 */
export async function moveTogether(work: Work): Promise<void> {
  const own = await readOwnConsumers(work.db, [...work.pending.consumer.keys()]);
  const providers = await readOwnProviders(work.db, [...new Set([...own.values()].flatMap(({ allocations }) => providersOf(allocations)))]);
  const movers = [...own].filter(([, one]) => !holdsNothing(one) && isAllowed(one.allocations, providers));
  const moves: Move[] = [];
  await inParallel(movers, async ([uuid, wanted]) => {
    moves.push({ uuid, wanted, there: await readConsumer(work.placement, uuid) });
  });
  for (const group of groupsOf(moves)) {
    const body = Object.fromEntries(group.map(({ uuid, wanted, there }) => [uuid, renderConsumer(wanted, there?.generation ?? null)]));
    if (group.length > 1) await refusalOf(() => write(work, 'POST', '/allocations', body, untyped));
  }
}

interface Move {
  readonly uuid: string;
  readonly wanted: OwnConsumer;
  readonly there: UpstreamConsumer | null;
}

/** Whether a new consumer could have these allocations, when all others are where they are here. */
function isAllowed(allocations: Allocations, providers: ReadonlyMap<string, OwnProvider>): boolean {
  return allocations.every(({ provider, resourceClass, amount }) => {
    const { inventories, used } = providers.get(provider) ?? {};
    const inventory = inventories?.[resourceClass];
    return inventory && unitFault(inventory, amount) === null && (used?.[resourceClass] ?? 0) <= capacityOf(inventory);
  });
}

/** Moves that share providers, directly or through others. */
function groupsOf(moves: readonly Move[]): Move[][] {
  let groups: { readonly moves: Move[]; readonly providers: Set<string> }[] = [];
  for (const move of moves) {
    const providers = new Set([...providersOf(move.wanted.allocations), ...providersOf(move.there?.allocations ?? [])]);
    const touched = groups.filter((group) => [...providers].some((provider) => group.providers.has(provider)));
    const joined = {
      moves: [...touched.flatMap((group) => group.moves), move],
      providers: new Set([...touched.flatMap((group) => [...group.providers]), ...providers]),
    };
    groups = [...groups.filter((group) => !touched.includes(group)), joined];
  }
  return groups.map((group) => group.moves);
}

const providersOf = (allocations: Allocations) => allocations.map(({ provider }) => provider);

function renderConsumer({ project, user, allocations }: Omit<OwnConsumer, 'generation' | 'type'>, generation: number | null) {
  const held: Record<string, { resources: Record<string, number> }> = {};
  for (const { provider, resourceClass, amount } of allocations) {
    held[provider] ??= { resources: {} };
    held[provider].resources[resourceClass] = amount;
  }
  return { allocations: held, project_id: project, user_id: user, consumer_generation: generation };
}

function isSame(own: OwnConsumer, there: UpstreamConsumer): boolean {
  return own.type === there.type && isDeepStrictEqual(renderConsumer(own, null), renderConsumer(there, null));
}
