// Reads of everything that consumers hold, all of one moment: one statement, however many consumers.

import { type Holding, selectHoldings } from '../../db/holdings.ts';
import type { AllocationInput } from '../../domain/allocation.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';

export type { Holding } from '../../db/holdings.ts';

/** What a consumer (canonical uuid) holds, by provider and class; empty for one that holds nothing or is unknown. */
export async function listHoldings({ db }: RequestScope, consumer: string): Promise<readonly Holding[]> {
  return selectHoldings(db, [consumer]);
}

/** A consumer and all that it holds, in the form in which it is written again. */
export interface Holder {
  readonly uuid: string;
  /** Whoever decides by what was read writes with this. */
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly AllocationInput[];
}

const mostConsumers = limits.auditInstances + limits.auditConsumers;

/** Those of these consumers (canonical uuids; at most 10,000) that hold something, by uuid. Refuses INVALID_INPUT for more. */
export async function findHolders({ db }: RequestScope, consumers: readonly string[]): Promise<ReadonlyMap<string, Holder>> {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 0, mostConsumers);
  const holders = new Map<
    string,
    Omit<Holder, 'allocations'> & { allocations: Map<string, { resourceClass: string; amount: number }[]> }
  >();
  for (const { consumer: uuid, consumerGeneration, project, user, type, provider, className, amount } of await selectHoldings(
    db,
    consumers,
  )) {
    const holder = holders.get(uuid) ?? { uuid, generation: consumerGeneration, project, user, type, allocations: new Map() };
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
