// Supposed usage: what would be free if amounts had been taken or released. Changes the forest itself, so the caller must own the forest (a copy), or undo
// the change before anything else runs.
import type { Forest, ForestProvider, ProviderUse } from './forest.ts';

/** An amount of a class on a provider. */
export interface UsedAmount {
  readonly provider: ForestProvider;
  readonly classId: number;
  readonly amount: number;
}

/** Counts amounts as used (1) or as released (-1). */
export function supposeUse(forest: Forest, amounts: readonly UsedAmount[], sign: 1 | -1): void {
  const uses = new Map<ForestProvider, Map<number, number>>();
  for (const { provider, classId, amount } of amounts) {
    const own = uses.get(provider) ?? new Map<number, number>();
    uses.set(provider, own);
    own.set(classId, (own.get(classId) ?? 0) + sign * amount);
  }
  forest.applyUse([...uses].map(([provider, own]) => withChange(provider, own)));
}

function withChange({ state: { provider, inventories } }: ForestProvider, changes: ReadonlyMap<number, number>): ProviderUse {
  const { id, generation, updatedAt } = provider;
  const used = inventories.map((inventory) => inventory.used + (changes.get(inventory.classId) ?? 0));
  return { id, generation, updatedAt, used };
}
