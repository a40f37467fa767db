// Makes objects here as they are in the other Placement, which leads: reads each there, and writes it to our ledger. Idempotent; needs no order between objects,
// because what waits for another object is tried again after that.
import { isDeepStrictEqual } from 'node:util';
import { type NotedObject, selectExisting } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import {
  type BatchOutcome,
  forgetConsumers,
  forgetProvider,
  forgetResourceClass,
  forgetTrait,
  type Importer,
  importConsumers,
  importProviders,
  importResourceClasses,
  importTraits,
  refusedItems,
  withOwnInventories,
} from './imports.ts';
import { comparable, listConsumersWith, listProvidersWith, type OwnConsumer, readOwnConsumers, readOwnProviders } from './ledger.ts';
import type { ReadObject } from './made.ts';
import type { PlacementClient } from './placement/client.ts';
import {
  findProvider,
  findProviderNamed,
  hasName,
  readHolder,
  readProvider,
  type UpstreamHolder,
  type UpstreamProvider,
} from './placement/upstream.ts';
import { bySpelling, type Refused } from './spellings.ts';

export interface ReadBackOutcome {
  readonly refused: readonly Refused[];
  /** What must be read, too, before those that were refused can be as they are there. */
  readonly needed: readonly NotedObject[];
  /** What was read there: consumers, and providers of which at least the generation was. */
  readonly read: readonly ReadObject[];
}

export interface Reading {
  readonly db: Db;
  readonly placement: PlacementClient;
  readonly by: Importer;
}

/** Rejects when the other side cannot be read, and when this process does not carry over any more. */
export async function readBack({ db, placement, by }: Reading, objects: readonly NotedObject[]): Promise<ReadBackOutcome> {
  const keysOf = (noun: NotedObject['noun']) => objects.filter((object) => object.noun === noun).map(({ key }) => key);
  const gone = await takeNames({ db, placement, by }, keysOf('resourceClass'), keysOf('trait'));
  const named = await Promise.all(keysOf('providerName').map((name) => findProviderNamed(placement, name)));
  const uuids = [...new Set([...keysOf('provider'), ...named.filter((uuid) => uuid !== null)])];
  const { consumers, odd } = await bySpelling(placement, keysOf('consumer'));
  const existing = await selectExisting(db, uuids, consumers);
  const [providers, holders] = await Promise.all([
    Promise.all(uuids.map((uuid) => readWhole(placement, uuid))),
    Promise.all(consumers.map((uuid) => readHolder(placement, uuid))),
  ]);
  const released = consumers.filter((uuid, place) => holders[place] === null && existing.consumers.has(uuid));
  // A write that has emptied a consumer has raised the generations of the providers that it held.
  const left = [...(await readOwnConsumers(db, released)).values()].flatMap(({ allocations }) =>
    allocations.map(({ provider }) => provider),
  );
  const noted = [...new Set([...keysOf('generation'), ...left])];
  const raised = await readGenerations(db, placement, noted, { uuids, holders });
  const present = inOrderOfTrees([...providers.filter((provider) => provider !== null), ...raised]);
  const late = await importProviders(db, present, by);
  // Consumers move first, perhaps to another inventory of the same provider.
  await importProviders(db, await withOwnInventories(db, refusedItems(late)), by);
  const held = holders.filter((holder) => holder !== null);
  const isUnwritten = await findUnwritten(db, held);
  const outcomes = [await forgetConsumers(db, released, by), await importConsumers(db, held, by, isUnwritten)];
  // What waited for consumers that moved, and consumers that waited for an inventory.
  const refusedProviders = await importProviders(db, refusedItems(late), by);
  const refusedHolders = await importConsumers(
    db,
    outcomes.flatMap((outcome) => refusedItems(outcome as BatchOutcome<UpstreamHolder>)),
    by,
    isUnwritten,
  );
  const inUse: Refused[] = [];
  for (const uuid of uuids.filter((one, place) => providers[place] === null && existing.providers.has(one)).toReversed()) {
    if (!(await forgetProvider(db, uuid, by)))
      inUse.push({ noun: 'provider', key: uuid, reason: 'it is gone there, but in use or with children here' });
  }
  const renamed: string[] = [];
  for (const { object, forget } of gone) {
    if (await forget()) continue;
    inUse.push({ ...object, reason: 'it is gone there, but in use here' });
    if (object.noun === 'resourceClass') renamed.push(object.key);
  }
  return {
    refused: [
      ...refusedProviders.refused.map(({ item, refusal }): Refused => ({ noun: 'provider', key: item.uuid, reason: told(refusal) })),
      ...refusedHolders.refused.map(({ item, refusal }): Refused => ({ noun: 'consumer', key: item.uuid, reason: told(refusal) })),
      ...odd,
      ...inUse,
    ],
    needed: [
      ...refusedItems(refusedProviders).flatMap(({ parent }) => (parent === null ? [] : [parent])),
      ...refusedItems(refusedHolders).flatMap(({ allocations }) => allocations.map(({ provider }) => provider)),
      // A class that was renamed there: what had it has another one now, at the same generation.
      ...(await listProvidersWith(db, renamed)),
    ]
      .map((key): NotedObject => ({ noun: 'provider', key }))
      .concat([...(await listConsumersWith(db, renamed))].map((key) => ({ noun: 'consumer', key }))),
    read: [
      ...consumers.map((key): ReadObject => ({ noun: 'consumer', key })),
      ...[...uuids, ...noted, ...holders.flatMap((holder) => Object.keys(holder?.generations ?? {}))].map(
        (key): ReadObject => ({ noun: 'provider', key }),
      ),
    ],
  };
}

const told = ({ code, details }: { readonly code: string; readonly details: object }) => `${code} ${JSON.stringify(details)}`.slice(0, 500);

async function readWhole(placement: PlacementClient, uuid: string): Promise<UpstreamProvider | null> {
  const listed = await findProvider(placement, uuid);
  return listed && readProvider(placement, listed);
}

/** Consumers that differ in their generation alone: each side has counted its own while this ledger led, and the other one has changed nothing of them. */
async function findUnwritten(db: Db, holders: readonly UpstreamHolder[]): Promise<(holder: UpstreamHolder) => boolean> {
  const here = await readOwnConsumers(
    db,
    holders.map(({ uuid }) => uuid),
  );
  const contentsOf = (one: UpstreamHolder | OwnConsumer) => comparable(one, { generations: false });
  return (holder) => {
    const own = here.get(holder.uuid);
    return own !== undefined && isDeepStrictEqual(contentsOf(holder), contentsOf(own));
  };
}

/** Providers of which only the generation is of interest, unless what was read of others has it already: as they are here, with the generation of the other side. */
async function readGenerations(
  db: Db,
  placement: PlacementClient,
  noted: readonly string[],
  read: { readonly uuids: readonly string[]; readonly holders: readonly (UpstreamHolder | null)[] },
): Promise<UpstreamProvider[]> {
  const known = new Set([...read.uuids, ...read.holders.flatMap((holder) => Object.keys(holder?.generations ?? {}))]);
  const asked = noted.filter((uuid) => !known.has(uuid));
  const [listed, own] = [await Promise.all(asked.map((uuid) => findProvider(placement, uuid))), await readOwnProviders(db, asked)];
  return listed.flatMap((provider) => {
    const here = provider && own.get(provider.uuid);
    if (!here || provider.generation === here.generation) return [];
    const inventories = Object.entries(here.inventories).map(([resourceClass, record]) => ({ resourceClass, ...record }));
    return [{ ...provider, inventories, traits: here.traits, aggregates: here.aggregates }];
  });
}

/** Parents before their children. */
function inOrderOfTrees(providers: readonly UpstreamProvider[]): UpstreamProvider[] {
  const known = new Map(providers.map((provider) => [provider.uuid, provider]));
  const depthOf = (provider: UpstreamProvider): number => {
    let depth = 0;
    // No deeper than there are providers: the other side may have a loop.
    for (let above = provider.parent; above !== null && depth <= known.size; above = known.get(above)?.parent ?? null) depth++;
    return depth;
  };
  return providers.toSorted((a, b) => depthOf(a) - depthOf(b));
}

interface GoneName {
  readonly object: NotedObject;
  readonly forget: () => Promise<boolean>;
}

/** Creates names that are new there; those that are gone there are returned, because something may still use them here. */
async function takeNames({ db, placement, by }: Reading, classes: readonly string[], traits: readonly string[]): Promise<GoneName[]> {
  const there = async (noun: 'resource_classes' | 'traits', names: readonly string[]) =>
    new Set((await Promise.all(names.map(async (name) => ((await hasName(placement, noun, name)) ? [name] : [])))).flat());
  const [knownClasses, knownTraits] = [await there('resource_classes', classes), await there('traits', traits)];
  await importResourceClasses(db, [...knownClasses], by);
  await importTraits(db, [...knownTraits], by);
  const isGone = (known: ReadonlySet<string>) => (name: string) => name.startsWith('CUSTOM_') && !known.has(name);
  return [
    ...classes
      .filter(isGone(knownClasses))
      .map((key): GoneName => ({ object: { noun: 'resourceClass', key }, forget: () => forgetResourceClass(db, key, by) })),
    ...traits
      .filter(isGone(knownTraits))
      .map((key): GoneName => ({ object: { noun: 'trait', key }, forget: () => forgetTrait(db, key, by) })),
  ];
}
