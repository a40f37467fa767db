// A change of reserved and ratio, of one inventory or of many: the write, its preview in words, and the write that undoes it.
import { formatAmount, formatCount } from '../formats/amounts.ts';
import type { PatchInventoriesInput, PatchInventoriesMutation } from './actions.generated.ts';

export type Patched = NonNullable<PatchInventoriesMutation['patchInventories']>;
type Change = NonNullable<Patched['changes']>[number];
type Patch = PatchInventoriesInput['patch'];

/** Only what differs from what is there, where that is known: what was not touched stays as it is, also in many. */
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

/** The providers of changes, each in the state in which it was read; those that are gone are left out. */
export function expected(
  changes: readonly Pick<Change, 'resourceProvider' | 'resourceProviderUuid'>[],
): NonNullable<PatchInventoriesInput['select']['many']> {
  return changes.flatMap(({ resourceProvider, resourceProviderUuid }) =>
    resourceProvider === null ? [] : [{ resourceProvider: resourceProviderUuid, expect: { generation: resourceProvider.generation } }],
  );
}

/** The one write that restores what was before; null when the inventories differed, so that one patch cannot. */
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
