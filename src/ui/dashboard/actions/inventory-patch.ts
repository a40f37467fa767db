// A change of reserved and ratio of one or many inventories: the write, its preview in words, and the write that undoes it.
import { formatAmount, formatCount } from '../formats/amounts.ts';
import type { PatchInventoriesInput, PatchInventoriesMutation } from './actions.generated.ts';

export type Patched = NonNullable<PatchInventoriesMutation['patchInventories']>;
type Change = NonNullable<Patched['changes']>[number];
type Patch = PatchInventoriesInput['patch'];

/** Only the values that differ from the current ones, if these are known. Untouched values stay as they are, in many inventories, too. */
export function patchOf(
  draft: { readonly reserved: string; readonly ratio: string },
  before: { readonly reserved: number; readonly allocationRatio: number } | null,
): Patch {
  const reserved = Number(draft.reserved);
  const ratio = Number(draft.ratio);
  return {
    ...(draft.reserved !== '' && reserved !== before?.reserved && { reserved }),
    ...(draft.ratio !== '' && ratio !== before?.allocationRatio && { allocationRatio: ratio }),
  };
}

/** "reserved 50 → 100, capacity 950 GiB → 900 GiB, 320 GiB used". */
export function changeWords({ inventories: [change] }: Change, resourceClass: string): string {
  if (!change?.before || !change.after) return '';
  const { before, after } = change;
  const used = change.used ?? 0;
  const amount = (value: number) => formatAmount(value, resourceClass);
  return [
    ...(before.reserved === after.reserved ? [] : [`reserved ${amount(before.reserved)} → ${amount(after.reserved)}`]),
    ...(before.allocationRatio === after.allocationRatio ? [] : [`ratio ${before.allocationRatio} → ${after.allocationRatio}`]),
    `capacity ${amount(before.capacity)} → ${amount(after.capacity)}`,
    `${amount(used)} used${used > after.capacity ? `, ${amount(used - after.capacity)} over capacity` : ''}`,
  ].join(', ');
}

export const countWords = (count: number): string => (count === 1 ? '1 inventory' : `${formatCount(count)} inventories`);

export const countHosts = (count: number): string => (count === 1 ? '1 host' : `${formatCount(count)} hosts`);

/** The providers of changes, each with the generation that was read; without providers that are gone. */
export function expected(
  changes: readonly Pick<Change, 'resourceProvider' | 'resourceProviderUuid'>[],
): NonNullable<PatchInventoriesInput['select']['many']> {
  return changes.flatMap(({ resourceProvider, resourceProviderUuid }) =>
    resourceProvider === null ? [] : [{ resourceProvider: resourceProviderUuid, expect: { generation: resourceProvider.generation } }],
  );
}

/** The one write that restores the earlier values; null if the inventories differed, so that no single patch can. */
export function undoOf(changes: readonly Change[], resourceClass: string): Omit<PatchInventoriesInput, 'idempotencyKey'> | null {
  const [first, ...others] = changes.map(({ inventories }) => inventories[0]?.before);
  if (!first) return null;
  const { reserved, allocationRatio } = first;
  if (others.some((before) => before?.reserved !== reserved || before.allocationRatio !== allocationRatio)) return null;
  if (changes.some(({ resourceProvider }) => resourceProvider === null)) return null;
  return {
    select: { many: expected(changes) },
    resourceClass,
    patch: { reserved, allocationRatio },
    expectedCount: changes.length,
    dryRun: false,
  };
}
