// The row of the tables in this folder that describes one mutation, and helpers to write rows.
import type { createWriter } from '../../support/mutations.ts';
import { claim, unchecked } from '../../support/mutations.ts';
import { type createSeed, uuidOf } from '../../support/seed.ts';

/** A cloud of its own for each row. */
export interface Cloud {
  readonly seed: ReturnType<typeof createSeed>;
  /** Sends a mutation that must succeed. */
  readonly write: ReturnType<typeof createWriter>['write'];
}

export interface Row {
  readonly mutation: string;
  /** What the first call meets or does, and what happens before it is sent again. */
  readonly sentence: string;
  readonly before?: (cloud: Cloud) => Promise<unknown>;
  /** Another mutation that `before` sends, if a release may lack it. */
  readonly needs?: string;
  readonly input: object;
  /** The selected fields of the payload, besides the event and the refusals. */
  readonly fields: string;
  /** The complete answer of the first call for these fields. */
  readonly answer: object;
  /** The kind of the event; null for a call that finds nothing to write. */
  readonly event: string | null;
  /** A change after which the same call without a key would have another answer. */
  readonly meanwhile: (cloud: Cloud) => Promise<unknown>;
  /** Fields of another input, for the same key. */
  readonly other: object;
  /** Refusals of parts when the rest was done. */
  readonly userErrors?: readonly object[];
}

/** A provider by its seed name, in any state. */
export const at = (provider: string) => ({ resourceProvider: uuidOf(provider), expect: unchecked });

export const rename = ({ write }: Cloud, provider: string) =>
  write('updateResourceProvider', { ...at(provider), name: `${provider} as it is called now` });

/** Deletes a provider without allocations. */
export const remove = ({ write }: Cloud, provider: string) => write('deleteResourceProvider', at(provider));

export const release = ({ write }: Cloud, ...consumers: readonly string[]) =>
  write('releaseAllocations', { consumers: consumers.map((consumer) => ({ consumer: uuidOf(consumer), expect: unchecked })) });

/** Takes VCPU for another consumer. */
export const take = ({ write }: Cloud, provider: string, amount: number) =>
  write('replaceAllocations', { consumers: [claim(`somebody else on ${provider}`, provider, amount)] });

/** All inventories of a provider. */
export const stock = ({ write }: Cloud, provider: string, totals: Readonly<Record<string, number>>) =>
  write('replaceInventories', {
    ...at(provider),
    inventories: Object.entries(totals).map(([resourceClass, total]) => ({ resourceClass, total })),
  });

/** A host of Nova's. */
export const host = async ({ seed }: Cloud, name: string, vcpus = 4, aggregates: readonly string[] = []) =>
  seed.provider(name, { inventories: { VCPU: vcpus, MEMORY_MB: 4096, DISK_GB: 100 }, traits: ['COMPUTE_NODE'], aggregates });

/** The fields of a consumer and its allocations. */
export const holder =
  '{ uuid generation consumerType project { externalId } user { externalId } allocations { amount resourceProvider { name generation } resourceClass { name } } }';

/** A consumer as `holder` shows it: rows of provider, its generation, class and amount. */
export const holding = (
  consumer: string,
  generation: number,
  rows: readonly (readonly [provider: string, generation: number, resourceClass: string, amount: number])[],
  consumerType: string | null = 'INSTANCE',
) => ({
  ...{ uuid: uuidOf(consumer), generation, consumerType, project: { externalId: 'p1' }, user: { externalId: 'u1' } },
  allocations: rows.map(([name, ofProvider, resourceClass, amount]) => ({
    ...{ amount, resourceProvider: { name, generation: ofProvider }, resourceClass: { name: resourceClass } },
  })),
});
