// Writes the contents of another Placement into our ledger, batch by batch. Knows no HTTP.

import { randomUUID } from 'node:crypto';
import type { Db } from '../db/sql/client.ts';
import { applyWrite } from '../db/writes/apply-write.ts';
import { type Call, type ImportedConsumer, isRefused, type Refused } from '../db/writes/contract.ts';
import { findTextFault, maxNameLength } from '../domain/text.ts';
import { readOwnProviders } from './ledger.ts';
import type { UpstreamProvider } from './placement/upstream.ts';

/** The result of a batch: the number of changes, and what the ledger refused. */
export interface BatchOutcome<Item> {
  readonly written: number;
  readonly refused: readonly { readonly item: Item; readonly refusal: Refused['refusal'] }[];
}

/** Who makes the next write of an import. */
export type Importer = () => Pick<Call, 'by' | 'carrier'>;

/**
 * The actor of each write of an import, which has no user. The events of one run share its global request id. Each write has a request id of its own, like writes
 * of callers, because the hash index on request ids would become slower with each event of the same id. `carrier`: the epoch of the process, for writes that carry
 * changes over a bridge.
 */
export function importer(run: string, carrier?: number): Importer {
  return () => ({ by: { user: null, project: null, roles: [], requestId: `req-${randomUUID()}`, globalRequestId: run }, carrier });
}

export const refusedItems = <Item>({ refused }: BatchOutcome<Item>): Item[] => refused.map(({ item }) => item);

/** Creates resource classes unless they exist. */
export async function importResourceClasses(db: Db, names: readonly string[], by: Importer): Promise<void> {
  for (const name of names) await applyWrite(db, 'create_resource_class', { name }, by());
}

/** Creates traits unless they exist. */
export async function importTraits(db: Db, names: readonly string[], by: Importer): Promise<void> {
  for (const name of names) await applyWrite(db, 'create_trait', { name }, by());
}

/** Writes providers, parents before children. What reservations keep of inventories that are gone there is dropped. */
export function importProviders(db: Db, providers: readonly UpstreamProvider[], by: Importer): Promise<BatchOutcome<UpstreamProvider>> {
  const faultOf = ({ name }: UpstreamProvider) => faultIn({ name });
  const write = (items: readonly UpstreamProvider[]) => applyWrite(db, 'import_resource_providers', { providers: items }, by());
  return writeBatch(providers, (items) => writeOverReservations(db, by, () => write(items)), faultOf);
}

/** Writes consumers. They last, because the other Placement knows no expiry, unless it has not written them. */
export function importConsumers<Item extends ImportedConsumer>(
  db: Db,
  consumers: readonly Item[],
  by: Importer,
  isUnwritten: (consumer: Item) => boolean = () => false,
): Promise<BatchOutcome<Item>> {
  const faultOf = ({ project, user }: Item) => faultIn({ project, user });
  return writeBatch(
    consumers,
    (items) => {
      const wanted = items.map((item) => (isUnwritten(item) ? item : { ...item, expiresAt: null }));
      return applyWrite(db, 'import_consumers', { consumers: wanted }, by());
    },
    faultOf,
  );
}

/** Releases all that consumers hold, without raising the generations of the providers, which are those of the other Placement. */
export function forgetConsumers(db: Db, uuids: readonly string[], by: Importer): Promise<BatchOutcome<{ readonly uuid: string }>> {
  const gone = uuids.map((uuid) => ({ uuid, generation: 0, allocations: [] }));
  return writeBatch(gone, (items) => applyWrite(db, 'import_consumers', { consumers: items }, by()));
}

/** Deletes a provider, and what reservations keep of it. False if it is refused because the provider is in use or has children. */
export async function forgetProvider(db: Db, provider: string, by: Importer): Promise<boolean> {
  return isGone(await writeOverReservations(db, by, () => applyWrite(db, 'delete_resource_provider', { provider, expect: {} }, by())));
}

/** Writes, and drops what reservations keep of anything that stands in the way: the other Placement knows none, and has decided. */
async function writeOverReservations<Answer extends object>(
  db: Db,
  by: Importer,
  write: () => Promise<Answer | Refused>,
): Promise<Answer | Refused> {
  for (;;) {
    const answer = await write();
    if (!isRefused(answer) || answer.refusal.code !== 'IN_USE' || !answer.refusal.details.isReserved) return answer;
    const { noun, key, provider = key } = answer.refusal.details;
    await applyWrite(db, 'drop_reserved_amounts', { provider, resourceClass: noun === 'inventory' ? key : null }, by());
  }
}

/** Deletes a custom resource class; false if a provider has it. */
export async function forgetResourceClass(db: Db, name: string, by: Importer): Promise<boolean> {
  return isGone(await applyWrite(db, 'delete_resource_class', { name }, by()));
}

/** Deletes a custom trait; false if a provider has it. */
export async function forgetTrait(db: Db, name: string, by: Importer): Promise<boolean> {
  return isGone(await applyWrite(db, 'delete_trait', { name }, by()));
}

/** The providers, with the inventories that they have only here: for a write before consumers move from these to others. */
export async function withOwnInventories(db: Db, providers: readonly UpstreamProvider[]): Promise<UpstreamProvider[]> {
  const here = await readOwnProviders(
    db,
    providers.map(({ uuid }) => uuid),
  );
  return providers.map((provider) => {
    const has = new Set(provider.inventories.map(({ resourceClass }) => resourceClass));
    const own = Object.entries(here.get(provider.uuid)?.inventories ?? {}).filter(([resourceClass]) => !has.has(resourceClass));
    return { ...provider, inventories: [...provider.inventories, ...own.map(([resourceClass, record]) => ({ resourceClass, ...record }))] };
  });
}

/** Whether what was to be deleted is not there any more. */
function isGone(answer: object): boolean {
  return !isRefused(answer) || answer.refusal.code === 'NOT_FOUND';
}

/** Why one of the texts cannot be stored here, or null. Other databases store NUL characters. */
function faultIn(texts: Readonly<Record<string, string | null | undefined>>): string | null {
  for (const [what, text] of Object.entries(texts)) {
    const fault = findTextFault(text ?? '', { minLength: 0, maxLength: maxNameLength });
    if (fault !== null) return `its ${what} ${fault}`;
  }
  return null;
}

/** Writes a batch at once or, if one item is refused, one by one, without those that have a fault. */
async function writeBatch<Item>(
  given: readonly Item[],
  write: (items: readonly Item[]) => Promise<{ written: number } | Refused>,
  faultOf: (item: Item) => string | null = () => null,
): Promise<BatchOutcome<Item>> {
  const faults = given.map(faultOf);
  const outcome = await writeFaultless(
    given.filter((_, place) => faults[place] === null),
    write,
  );
  const faulty = given.flatMap((item, place) => {
    const message = faults[place];
    return message == null ? [] : [{ item, refusal: { code: 'INVALID_INPUT' as const, details: { message } } }];
  });
  return { ...outcome, refused: [...faulty, ...outcome.refused] };
}

async function writeFaultless<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<{ written: number } | Refused>,
): Promise<BatchOutcome<Item>> {
  if (items.length === 0) return { written: 0, refused: [] };
  const answer = await write(items);
  if ('written' in answer) return { written: answer.written, refused: [] };
  const [only] = items;
  if (only !== undefined && items.length === 1) return { written: 0, refused: [{ item: only, refusal: answer.refusal }] };
  const outcome = { written: 0, refused: [] as BatchOutcome<Item>['refused'][number][] };
  for (const item of items) {
    const { written, refused } = await writeFaultless([item], write);
    outcome.written += written;
    outcome.refused.push(...refused);
  }
  return outcome;
}
