// Makes providers in the other Placement as they are here: parents first, and those that are gone last, children first.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { capacityOf, type InventoryRecord } from '../domain/inventory.ts';
import { listOwnParents, type OwnProvider, readOwnProviders } from './ledger.ts';
import { isCustomName } from './outgoing-names.ts';
import { attempt, inParallel, makeEach, Refusal, refusalOf, remove, type Work, want, write } from './outgoing-work.ts';
import { findProvider, findProviderNamed, readProvider, type UpstreamProvider } from './placement/upstream.ts';

type Inventories = OwnProvider['inventories'];

const createdAnswer = z.object({ generation: z.int() });
const changedAnswer = z.object({ resource_provider_generation: z.int() });

/**
 * Makes those that exist here. With `keepsRoom`, inventories only grow, and those that are to shrink or go stay pending: consumers may still be there that
 * are about to move.
 */
export async function makeProviders(work: Work, { keepsRoom }: { readonly keepsRoom: boolean }): Promise<void> {
  const read = (uuids: readonly string[]) => readOwnProviders(work.db, uuids);
  for (const level of levelsOf(await listOwnParents(work.db, [...work.pending.provider.keys()]))) {
    await makeEach(work, 'provider', level, read, async (uuid, own) => {
      if (own) await makeProvider(work, uuid, own, keepsRoom);
    });
  }
}

/** Deletes those that exist only there. */
export async function deleteProviders(work: Work): Promise<void> {
  const { db, pending, placement } = work;
  const here = await listOwnParents(db, [...pending.provider.keys()]);
  const gone = [...pending.provider.keys()].filter((uuid) => !here.has(uuid));
  const there = new Map<string, string | null>();
  await inParallel(gone, async (uuid) => {
    const found = await findProvider(placement, uuid);
    if (found) there.set(uuid, found.parent);
    else pending.provider.delete(uuid);
  });
  for (const level of levelsOf(there).reverse()) {
    await inParallel(level, (uuid) => attempt(work, 'provider', uuid, () => remove(work, pathOf(uuid))));
  }
}

/** Gives another name to providers there that have the name of a pending one, if they are to have another one or to go. */
export async function freeNames(work: Work): Promise<void> {
  const { db, pending, placement } = work;
  const own = await readOwnProviders(db, [...pending.provider.keys()]);
  await inParallel([...own], async ([uuid, { name }]) => {
    const holder = await findProviderNamed(placement, name);
    if (holder === null || holder === uuid) return;
    want(work, 'provider', [holder]);
    const there = pending.provider.has(holder) ? await findProvider(placement, holder) : null;
    if (there) await refusalOf(() => write(work, 'PUT', pathOf(holder), { name: holder, parent_provider_uuid: there.parent }));
  });
}

const pathOf = (uuid: string) => `/resource_providers/${uuid}`;

/** The keys by depth: those whose parent is not among them come first. */
function levelsOf(parents: ReadonlyMap<string, string | null>): string[][] {
  const below = new Map<string | null, string[]>();
  for (const [key, parent] of parents) {
    const above = parent !== null && parents.has(parent) ? parent : null;
    const siblings = below.get(above);
    if (siblings) siblings.push(key);
    else below.set(above, [key]);
  }
  const childrenOf = (key: string | null) => below.get(key) ?? [];
  const levels: string[][] = [];
  for (let level = childrenOf(null); level.length > 0; level = level.flatMap(childrenOf)) levels.push(level);
  return levels;
}

async function makeProvider(work: Work, uuid: string, own: OwnProvider, keepsRoom: boolean): Promise<void> {
  let target = own.inventories;
  const refusal = await refusalOf(async () => {
    const there = (await readWhole(work, uuid)) ?? (await createProvider(work, uuid, own));
    if (keepsRoom) target = withRoomOf(inventoriesOf(there), target);
    await makeParts(work, there, { ...own, inventories: target });
  });
  if (refusal && !refusal.isOutdated) wantNeedsOf(work, own);
  if (refusal) throw refusal;
  if (!isDeepStrictEqual(target, own.inventories)) throw new Refusal('inventories wait for consumers');
}

const inventoriesOf = ({ inventories }: UpstreamProvider): Inventories =>
  Object.fromEntries(inventories.map(({ resourceClass, ...record }) => [resourceClass, record]));

async function readWhole({ placement }: Work, uuid: string): Promise<UpstreamProvider | null> {
  const listed = await findProvider(placement, uuid);
  return listed && readProvider(placement, listed);
}

async function createProvider(work: Work, uuid: string, { name, parent }: OwnProvider): Promise<UpstreamProvider> {
  const body = { uuid, name, ...(parent !== null && { parent_provider_uuid: parent }) };
  try {
    const { generation } = createdAnswer.parse(await write(work, 'POST', '/resource_providers', body));
    return { uuid, name, parent, generation, inventories: [], traits: [], aggregates: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The answer to a first attempt may have been lost.
    const there = await readWhole(work, uuid);
    if (!there) throw error;
    return there;
  }
}

/** Writes the parts that differ. A refused part does not keep the others from being written. */
async function makeParts(work: Work, there: UpstreamProvider, target: OwnProvider): Promise<void> {
  const path = pathOf(there.uuid);
  const { name, parent } = target;
  let { generation } = there;
  const refusals: Refusal[] = [];
  const part = async (isSame: boolean, put: () => Promise<unknown>) => {
    const refusal = isSame ? null : await refusalOf(put);
    if (refusal?.isOutdated) throw refusal;
    if (refusal) refusals.push(refusal);
  };
  const set = async (of: string, body: object) => {
    const sent = { ...body, resource_provider_generation: generation };
    generation = changedAnswer.parse(await write(work, 'PUT', `${path}/${of}`, sent)).resource_provider_generation;
  };
  await part(there.name === name && there.parent === parent, async () => {
    const answer = await write(work, 'PUT', path, { name, parent_provider_uuid: parent });
    generation = createdAnswer.parse(answer).generation;
  });
  await part(isDeepStrictEqual(inventoriesOf(there), target.inventories), () =>
    set('inventories', { inventories: renderInventories(target.inventories) }),
  );
  await part(isDeepStrictEqual(there.traits, target.traits), () => set('traits', { traits: target.traits }));
  const aggregates = target.aggregates.toSorted();
  await part(isDeepStrictEqual(there.aggregates, aggregates), () => set('aggregates', { aggregates }));
  if (refusals[0]) throw refusals[0];
}

/** What a refused provider may lack there. */
function wantNeedsOf(work: Work, { parent, inventories, traits }: OwnProvider): void {
  want(work, 'provider', parent === null ? [] : [parent]);
  want(work, 'resourceClass', Object.keys(inventories).filter(isCustomName));
  want(work, 'trait', traits.filter(isCustomName));
}

const renderInventories = (inventories: Inventories) =>
  Object.fromEntries(
    Object.entries(inventories).map(([resourceClass, record]) => [
      resourceClass,
      {
        total: record.total,
        reserved: record.reserved,
        min_unit: record.minUnit,
        max_unit: record.maxUnit,
        step_size: record.stepSize,
        allocation_ratio: record.allocationRatio,
      },
    ]),
  );

/** Inventories that allow what either side allows. */
function withRoomOf(there: Inventories, here: Inventories): Inventories {
  const merged: Record<string, InventoryRecord> = { ...there };
  for (const [resourceClass, own] of Object.entries(here)) {
    const old = there[resourceClass];
    merged[resourceClass] = old && !allowsAllOf(own, old) ? loosest(own, old) : own;
  }
  return merged;
}

const allowsAllOf = (one: InventoryRecord, other: InventoryRecord) =>
  capacityOf(one) >= capacityOf(other) &&
  one.minUnit <= other.minUnit &&
  one.maxUnit >= other.maxUnit &&
  other.stepSize % one.stepSize === 0;

const loosest = (one: InventoryRecord, other: InventoryRecord): InventoryRecord => ({
  ...(capacityOf(one) >= capacityOf(other) ? one : other),
  minUnit: Math.min(one.minUnit, other.minUnit),
  maxUnit: Math.max(one.maxUnit, other.maxUnit),
  stepSize: one.stepSize === other.stepSize ? one.stepSize : 1,
});
