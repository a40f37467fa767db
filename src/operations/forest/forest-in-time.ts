// The forest as a search sees it that asks for another time than from now on, or for what a reservation keeps: a copy, in which `promised` says what is not free then.
import { selectPeakLoads, selectUnclaimed } from '../../db/room-in-time.ts';
import { type Db, forHeavyWork } from '../../db/sql/client.ts';
import type { Forest, ProviderState } from '../../domain/candidates/forest.ts';
import { growForest, type Snapshot, snapshotOf } from '../../domain/plans/snapshot.ts';
import type { Inventory } from '../../domain/provider.ts';
import type { Period } from '../../domain/reservation.ts';
import { workInTurn } from '../request/event-loop-share.ts';

/** With what fits at every moment of a period. `without`: as if this reservation were not there. To be called while the forest is valid. */
export async function forestDuring(
  { db }: { readonly db: Db },
  forest: Forest,
  period: Period,
  without: string | null = null,
): Promise<Forest> {
  const snapshot = snapshotOf(forest);
  const loads = byInventory(await selectPeakLoads(db, period, without));
  // Only the load during the period counts, not what is promised before or after it.
  return withPromises(snapshot, (inventory, providerId) => {
    const peak = loads.get(keyOf(providerId, inventory.classId));
    return peak === undefined ? 0 : peak.load - inventory.used;
  });
}

/** The same for a question, which decides nothing. It may read much of the cloud, so few such reads run at once, and others go first. */
export function forestAskedFor({ db }: { readonly db: Db }, forest: Forest, period: Period): Promise<Forest> {
  return forestDuring({ db: forHeavyWork(db) }, forest, period);
}

/** With what is left of a reservation, and nothing else: only the trees in which it keeps something. To be called while the forest is valid. */
export async function forestOfReservation({ db }: { readonly db: Db }, forest: Forest, reservation: string): Promise<Forest> {
  const { names, states } = snapshotOf(forest);
  const rows = await selectUnclaimed(db, reservation);
  const left = byInventory(rows);
  const kept = new Set(rows.map(({ providerId }) => providerId));
  const roots = new Set(states.filter(({ provider }) => kept.has(provider.id)).map(({ provider }) => provider.rootId));
  return withPromises(
    { names, states: states.filter(({ provider }) => roots.has(provider.rootId)) },
    ({ capacity, used, classId }, providerId) => Math.max(capacity - used - (left.get(keyOf(providerId, classId))?.left ?? 0), 0),
  );
}

const keyOf = (providerId: number, classId: number) => `${providerId} ${classId}`;

function byInventory<Row extends { readonly providerId: number; readonly classId: number }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row.providerId, row.classId), row]));
}

function withPromises({ names, states }: Snapshot, promisedOf: (inventory: Inventory, providerId: number) => number): Promise<Forest> {
  const changed = states.map((state): ProviderState => {
    const inventories = state.inventories.map((inventory) => {
      const promised = promisedOf(inventory, state.provider.id);
      return promised === (inventory.promised ?? 0) ? inventory : { ...inventory, promised };
    });
    return inventories.every((inventory, n) => inventory === state.inventories[n]) ? state : { ...state, inventories };
  });
  return workInTurn(growForest({ names, states: changed }));
}
