// Clouds with consumers, for tests of plans, and a ledger that replays plans with only sums and the rules of inventories.
import fc from 'fast-check';
import type { Forest } from '../../src/domain/candidates/forest.ts';
import { searchCandidates } from '../../src/domain/candidates/search.ts';
import { supposeUse } from '../../src/domain/candidates/supposed-use.ts';
import { unitFault } from '../../src/domain/inventory.ts';
import type { Conditions, Holding, Occupant } from '../../src/domain/plans/consumers.ts';
import type { Move } from '../../src/domain/plans/moves.ts';
import { randomCloud, randomRequest } from './random-clouds.ts';
import { uuidOf } from './seed.ts';
import { type DrawnProvider, forestOf } from './tree.ts';

export interface InhabitedCloud {
  /** Includes the usage of the consumers. */
  readonly drawn: readonly DrawnProvider[];
  readonly holdings: readonly Holding[];
}

export const noConditions: Conditions = { rootTraits: [], rootAggregates: [], sameAggregates: [] };

/** A random cloud after some random claims. */
export const inhabitedCloud: fc.Arbitrary<InhabitedCloud> = fc
  .tuple(randomCloud, fc.array(fc.tuple(randomRequest, fc.nat()), { minLength: 3, maxLength: 12 }))
  .map(([cloud, requests]) => {
    const forest = forestOf(cloud);
    const holdings: Holding[] = [];
    for (const [request, which] of requests) {
      const { candidates } = searchCandidates(forest, { ...request, limit: 20 });
      const chosen = candidates[which % Math.max(1, candidates.length)];
      if (!chosen) continue;
      supposeUse(forest, chosen.allocations, 1);
      const allocations = chosen.allocations.map(({ provider, classId, amount }) => ({
        resourceProvider: provider.state.provider.uuid,
        resources: [{ resourceClass: forest.classes.get(classId)?.name ?? '', amount }],
      }));
      holdings.push({ uuid: uuidOf(`consumer ${holdings.length}`), generation: 1, obstacle: null, allocations });
    }
    return { drawn: withUseOf(cloud, forest), holdings };
  })
  .filter(({ holdings }) => holdings.length > 0);

/** A drawing with the usage of a forest. */
export function withUseOf(drawn: readonly DrawnProvider[], forest: Forest): DrawnProvider[] {
  return drawn.flatMap((provider) => {
    const known = forest.findByUuid(uuidOf(provider.name));
    const inventories = provider.inventories.map((inventory) => ({
      ...inventory,
      used: known?.inventoryOf(forest.classes.idOf(inventory.resourceClass) ?? -1)?.used ?? 0,
    }));
    return known ? [{ ...provider, inventories }] : [];
  });
}

/** The sums of a cloud, as a database would have them. */
export class PlainLedger {
  private readonly rows = new Map<string, { readonly capacity: number; readonly units: Parameters<typeof unitFault>[0]; used: number }>();
  private readonly held = new Map<string, ReadonlyMap<string, number>>();

  constructor(forest: Forest, holdings: readonly Holding[]) {
    for (const { state } of forest.everyProvider()) {
      for (const inventory of state.inventories) {
        this.rows.set(`${state.provider.uuid} ${inventory.className}`, {
          capacity: inventory.capacity,
          units: inventory,
          used: inventory.used,
        });
      }
    }
    for (const { uuid, allocations } of holdings) {
      const amounts = new Map<string, number>();
      for (const { resourceProvider, resources } of allocations) {
        for (const { resourceClass, amount } of resources) {
          const key = `${resourceProvider} ${resourceClass}`;
          amounts.set(key, (amounts.get(key) ?? 0) + amount);
        }
      }
      this.held.set(uuid, amounts);
    }
  }

  /** Makes a move: claims the destination beside all allocations, then releases the source. Throws if a database would refuse it. */
  make(forest: Forest, { occupant, candidate }: Pick<Move, 'occupant' | 'candidate'>): void {
    const taken = new Map<string, number>();
    for (const { provider, classId, amount } of candidate.allocations) {
      const key = `${provider.state.provider.uuid} ${forest.classes.get(classId)?.name}`;
      const row = this.rows.get(key);
      if (!row) throw new Error(`${key} does not exist`);
      if (unitFault(row.units, amount) !== null) throw new Error(`${key} does not give ${amount}`);
      if (row.used + amount > row.capacity) throw new Error(`${key} would be over capacity`);
      row.used += amount;
      taken.set(key, amount);
    }
    for (const [key, amount] of this.held.get(occupant.uuid) ?? []) {
      const row = this.rows.get(key);
      if (row) row.used -= amount;
    }
    this.held.set(occupant.uuid, taken);
  }

  usedBy(occupant: Pick<Occupant, 'uuid'>): ReadonlyMap<string, number> {
    return this.held.get(occupant.uuid) ?? new Map();
  }
}
