// Reads all allocations of consumers from one snapshot: one statement, regardless of the number of consumers.

import { selectHoldings } from '../../db/unpaged/holdings.ts';
import type { AllocationsAnswer, HoldingConsumer, Written } from '../../db/writes/contract.ts';
import type { AllocationInput } from '../../domain/allocation.ts';
import { limits } from '../../domain/limits.ts';
import type { Holding } from '../../domain/unpaged.ts';
import { InputCheck } from '../request/input.ts';
import { groupBy } from '../request/keyed-loaders.ts';
import type { RequestScope } from '../scope/scope.ts';
import { keepAnswer } from '../scope/write.ts';

/** The allocations of a consumer (canonical uuid), by provider and class; empty when it has none or is unknown. */
export async function listHoldings({ db }: RequestScope, consumer: string): Promise<readonly Holding[]> {
  return selectHoldings(db, [consumer]);
}

/** The part of a write's answer that concerns consumers. */
export type ConsumerRows = Pick<AllocationsAnswer, 'consumers' | 'absent' | 'providers' | 'classIds'>;

/** A consumer with all its allocations, in the form in which they are written. */
export interface Holder {
  /** The id of its row. It differs when the consumer was released and created again under the same uuid, with new generations. */
  readonly id: number;
  readonly uuid: string;
  /** The generation to expect in a write that is based on this read. */
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  /** When it expires; null if it lasts. */
  readonly expiresAt: string | null;
  /** Uuid of the reservation that it claims from; null for none. */
  readonly reservation: string | null;
  readonly allocations: readonly AllocationInput[];
}

/** As many as any caller asks for: an audit asks for its consumers, its instances and both parties of its moves. */
const maxConsumers = Math.max(
  limits.auditConsumers + 3 * limits.auditInstances,
  limits.treeConsumers,
  limits.adoptedConsumers,
  limits.planConsumers,
);

/** The consumers (canonical uuids) that have allocations, by uuid. Refuses INVALID_INPUT for more than that. */
export async function findHolders({ db }: RequestScope, consumers: readonly string[]): Promise<ReadonlyMap<string, Holder>> {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 0, maxConsumers);
  const holders = new Map<
    string,
    Omit<Holder, 'allocations'> & { allocations: Map<string, { resourceClass: string; amount: number }[]> }
  >();
  for (const {
    consumerId: id,
    consumer: uuid,
    consumerGeneration,
    project,
    user,
    type,
    expiresAt,
    reservation,
    provider,
    className,
    amount,
  } of await selectHoldings(db, consumers)) {
    const own = { id, uuid, generation: consumerGeneration, project, user, type, expiresAt, reservation };
    const holder = holders.get(uuid) ?? { ...own, allocations: new Map() };
    holders.set(uuid, holder);
    const resources = holder.allocations.get(provider) ?? [];
    holder.allocations.set(provider, resources);
    resources.push({ resourceClass: className, amount });
  }
  return new Map(
    [...holders].map(([uuid, { allocations, ...holder }]) => [
      uuid,
      { ...holder, allocations: [...allocations].map(([provider, resources]) => ({ resourceProvider: provider, resources })) },
    ]),
  );
}

/** Converts a consumer of an answer to the form in which it is written. */
export function holderOf({ allocations, ...consumer }: HoldingConsumer): Holder {
  const { id, uuid, generation, project, user, type, expiresAt, reservation = null } = consumer;
  const byProvider = groupBy(allocations, ({ provider }) => provider);
  return {
    ...{ id, uuid, generation, project, user, type, expiresAt, reservation },
    allocations: [...byProvider].map(([resourceProvider, held]) => ({
      resourceProvider,
      resources: held.map(({ resourceClass, amount }) => ({ resourceClass, amount })),
    })),
  };
}

/** Consumers (canonical uuids) in the form of a write's answer, with all their allocations and the providers. Null for those without allocations. */
export async function consumersAsWritten({ loaders }: RequestScope, uuids: readonly string[]): Promise<ConsumerRows> {
  const rows = await Promise.all(uuids.map((uuid) => loaders.consumerByUuid.load(uuid)));
  const held = await Promise.all(rows.map((row) => (row ? loaders.allocationsByConsumer.load(row.id) : [])));
  const ids = [...new Set(held.flat().map(({ providerId }) => providerId))];
  const providers = (await Promise.all(ids.map((id) => loaders.providerById.load(id)))).filter((provider) => provider !== null);
  const uuidOf = new Map(providers.map(({ id, uuid }) => [id, uuid]));
  const consumers = rows.map((row, index) => {
    const allocations = (held[index] ?? []).map(({ providerId, className: resourceClass, amount }) => ({
      ...{ provider: uuidOf.get(providerId) ?? '', resourceClass, amount },
    }));
    return row && { ...row, allocations };
  });
  const absent = uuids.filter((_, index) => rows[index] === null);
  return { consumers, absent, providers, classIds: Object.fromEntries(held.flat().map(({ className, classId }) => [className, classId])) };
}

/** Stores, for replays, that a call found consumers already in the desired state. Returns null for a call without a key. */
export async function keepUnchanged(scope: RequestScope, uuids: readonly string[], besides: object): Promise<Written | null> {
  return scope.mutation?.key ? keepAnswer(scope, await consumersAsWritten(scope, uuids), besides) : null;
}

/** Allocations with one entry for each provider, and one amount for each of its classes. */
export function summed(allocations: readonly AllocationInput[]): AllocationInput[] {
  const byProvider = new Map<string, Map<string, number>>();
  for (const { resourceProvider, resources } of allocations) {
    const amounts = byProvider.get(resourceProvider) ?? new Map<string, number>();
    byProvider.set(resourceProvider, amounts);
    for (const { resourceClass, amount } of resources) amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount);
  }
  return [...byProvider].map(([resourceProvider, amounts]) => ({
    resourceProvider,
    resources: [...amounts].map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
}
