// Writes the contents of another Placement into our ledger, batch by batch. Knows no HTTP.

import type { Db } from '../../db/sql/client.ts';
import { applyWrite } from '../../db/writes/apply-write.ts';
import { type Actor, isRefused, type Refused } from '../../db/writes/contract.ts';
import type { UpstreamConsumer, UpstreamProvider } from './upstream.ts';

/** The result of a batch: the number of changes, and what the ledger refused. */
export interface BatchOutcome<Item> {
  readonly written: number;
  readonly refused: readonly { readonly item: Item; readonly refusal: Refused['refusal'] }[];
}

/** The actor of an import, without a user. The events of one run share its request id. */
export function importer(requestId: string): Actor {
  return { user: null, project: null, roles: [], requestId };
}

/** Creates resource classes unless they exist. */
export async function importResourceClasses(db: Db, names: readonly string[], by: Actor): Promise<void> {
  for (const name of names) await applyWrite(db, 'create_resource_class', { name }, { by });
}

/** Creates traits unless they exist. */
export async function importTraits(db: Db, names: readonly string[], by: Actor): Promise<void> {
  for (const name of names) await applyWrite(db, 'create_trait', { name }, { by });
}

/** Writes providers, parents before children. */
export function importProviders(db: Db, providers: readonly UpstreamProvider[], by: Actor): Promise<BatchOutcome<UpstreamProvider>> {
  return writeBatch(providers, (items) => applyWrite(db, 'import_resource_providers', { providers: items }, { by }));
}

/** Writes consumers. */
export function importConsumers(db: Db, consumers: readonly UpstreamConsumer[], by: Actor): Promise<BatchOutcome<UpstreamConsumer>> {
  return writeBatch(consumers, (items) => applyWrite(db, 'import_consumers', { consumers: items }, { by }));
}

/** Lets go of all that consumers hold, without raising the generations of the providers: those are the other service's. */
export function forgetConsumers(db: Db, uuids: readonly string[], by: Actor): Promise<BatchOutcome<{ readonly uuid: string }>> {
  const gone = uuids.map((uuid) => ({ uuid, generation: 0, allocations: [] }));
  return writeBatch(gone, (items) => applyWrite(db, 'import_consumers', { consumers: items }, { by }));
}

/** Deletes a provider that nobody uses and that has no children. False when it is refused: somebody does, or it has. */
export async function forgetProvider(db: Db, provider: string, by: Actor): Promise<boolean> {
  return !isRefused(await applyWrite(db, 'delete_resource_provider', { provider, expect: {} }, { by }));
}

/** Deletes a custom resource class that no provider has; false when one has it. */
export async function forgetResourceClass(db: Db, name: string, by: Actor): Promise<boolean> {
  return !isRefused(await applyWrite(db, 'delete_resource_class', { name }, { by }));
}

/** Deletes a custom trait that no provider has; false when one has it. */
export async function forgetTrait(db: Db, name: string, by: Actor): Promise<boolean> {
  return !isRefused(await applyWrite(db, 'delete_trait', { name }, { by }));
}

/** Writes a batch at once or, when one item is refused, one by one. */
async function writeBatch<Item>(
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
    const { written, refused } = await writeBatch([item], write);
    outcome.written += written;
    outcome.refused.push(...refused);
  }
  return outcome;
}
