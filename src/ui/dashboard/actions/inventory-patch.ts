// A change of reserved and ratio of one or many inventories: the write, its preview in words, and what its undo would write.
import { formatAmount, formatCount } from '../formats/amounts.ts';
import { groupedBy } from '../parts/grouped.ts';
import type { PatchInventoriesInput, PatchInventoriesMutation, PresentInventoriesQuery } from './actions.generated.ts';

export type Patched = NonNullable<PatchInventoriesMutation['patchInventories']>;
export type Change = NonNullable<Patched['changes']>[number];
export type Patch = PatchInventoriesInput['patch'];
type Values = NonNullable<PresentInventoriesQuery['resourceProviders']['nodes'][number]['inventory']>;

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
export function changeWords(change: Change, resourceClass: string): string {
  const [{ before = null, after = null, used } = {}] = change.inventories;
  if (!before || !after) return '';
  const amount = (value: number) => formatAmount(value, resourceClass);
  const excess = excessOf(change);
  return [
    ...(before.reserved === after.reserved ? [] : [`reserved ${amount(before.reserved)} → ${amount(after.reserved)}`]),
    ...(before.allocationRatio === after.allocationRatio ? [] : [`ratio ${before.allocationRatio} → ${after.allocationRatio}`]),
    `capacity ${amount(before.capacity)} → ${amount(after.capacity)}`,
    `${amount(used ?? 0)} used${excess > 0 ? `, ${amount(excess)} over capacity` : ''}`,
  ].join(', ');
}

/** What would be used beyond the capacity. */
export const excessOf = ({ inventories: [change] }: Change): number => Math.max(0, (change?.used ?? 0) - (change?.after?.capacity ?? 0));

/** Those that would be over capacity first, by how much. */
export const worstFirst = (changes: readonly Change[]): Change[] => changes.toSorted((a, b) => excessOf(b) - excessOf(a));

/** The uuid of the host, or of the provider if it is gone. */
export const rootOf = ({ resourceProvider, resourceProviderUuid }: Change): string => resourceProvider?.root.uuid ?? resourceProviderUuid;

/** What was written: "ratio of VCPU to 6 on 24 hosts". */
export function writtenWords(changes: readonly Change[], { resourceClass, patch }: Pick<PatchInventoriesInput, 'resourceClass' | 'patch'>) {
  const { allocationRatio: ratio, reserved } = patch;
  const values = [
    ...(ratio === undefined ? [] : [`ratio of ${resourceClass} to ${ratio}`]),
    ...(reserved === undefined ? [] : [`reserved ${resourceClass} to ${formatAmount(reserved ?? 0, resourceClass)}`]),
  ].join(' and ');
  const count = new Set(changes.map(rootOf)).size;
  const [first] = changes;
  const name = changes.length === 1 ? first?.resourceProvider?.name : first?.resourceProvider?.root.name;
  return `${values} on ${count === 1 ? (name ?? countHosts(1)) : countHosts(count)}`;
}

/** What changes in all: "2,700 inventories of 2,500 hosts change, 1,392 would be over capacity. Together: …". */
export function totalWords(changes: readonly Change[], resourceClass: string): string {
  const hosts = new Set(changes.map(rootOf));
  const over = changes.filter((change) => excessOf(change) > 0).length;
  const sum = (of: (change: Change['inventories'][number]) => number | undefined | null) =>
    formatAmount(
      changes.reduce((total, { inventories: [change] }) => total + ((change && of(change)) ?? 0), 0),
      resourceClass,
    );
  const capacity = `capacity ${sum(({ before }) => before?.capacity)} → ${sum(({ after }) => after?.capacity)}, ${sum(({ used }) => used)} used`;
  const what = hosts.size === changes.length ? countWords(changes.length) : `${countWords(changes.length)} of ${countHosts(hosts.size)}`;
  const verb = changes.length === 1 ? 'changes' : 'change';
  const together = changes.length === 1 ? '' : ` Together: ${capacity}.`;
  return `${what} ${verb}, ${over === 0 ? 'none' : formatCount(over)} would be over capacity.${together}`;
}

export const countWords = (count: number): string => (count === 1 ? '1 inventory' : `${formatCount(count)} inventories`);

export const countHosts = (count: number): string => (count === 1 ? '1 host' : `${formatCount(count)} hosts`);

/** The providers of changes, each with the generation that was read; without providers that are gone. */
export function expected(
  changes: readonly {
    readonly resourceProviderUuid: string;
    readonly resourceProvider: { readonly generation: number } | null;
  }[],
): NonNullable<PatchInventoriesInput['select']['many']> {
  return changes.flatMap(({ resourceProvider, resourceProviderUuid }) =>
    resourceProvider === null ? [] : [{ resourceProvider: resourceProviderUuid, expect: { generation: resourceProvider.generation } }],
  );
}

/** The patch that restores the former value of what another one has changed. */
const formerOf = ({ inventories: [change] }: Change, patch: Patch): Patch => ({
  ...('reserved' in patch && { reserved: change?.before?.reserved ?? 0 }),
  ...('allocationRatio' in patch && { allocationRatio: change?.before?.allocationRatio ?? 1 }),
});

/** The changes by what restores them: an undo writes each of these once. */
export function undoOf(changes: readonly Change[], patch: Patch): { readonly patch: Patch; readonly changes: readonly Change[] }[] {
  const groups = groupedBy(changes, (change) => JSON.stringify(formerOf(change, patch)));
  return [...groups.values()].map((group) => ({ patch: formerOf(group[0], patch), changes: group }));
}

/** The most writes of one undo. */
const mostWrites = 100;

export const canUndo = (changes: readonly Change[], patch: Patch): boolean => undoOf(changes, patch).length <= mostWrites;

/** Whether there will be an undo, to be known before the write. */
export function undoWords(changes: readonly Change[], patch: Patch): string {
  const count = undoOf(changes, patch).length;
  if (count > mostWrites)
    return `There will be no undo: they have ${formatCount(count)} different values now, and an undo restores at most ${mostWrites}. The history keeps them.`;
  const restored = count === 1 ? 'the former value' : `each one's own value, of ${count} different ones`;
  return `Undo restores ${restored}, until you close or reload this tab.`;
}

/** Whether an inventory has the values that a patch has written. */
export const hasValues = (present: Values | null, patch: Patch): boolean =>
  present !== null && (['reserved', 'allocationRatio'] as const).every((field) => !(field in patch) || present[field] === patch[field]);

/** Whether an inventory is as the preview has shown it, whatever is used of it. */
const isAsShown = (present: Values | null, { inventories: [change] }: Change): boolean =>
  present !== null && (['reserved', 'allocationRatio', 'capacity'] as const).every((field) => present[field] === change?.before?.[field]);

/** What a refused write finds: its own values, because an earlier attempt was written without an answer, what its preview has shown, or something else. */
export function findingOf(
  shown: readonly Change[],
  present: ReadonlyMap<string, { readonly inventory: Values | null }>,
  patch: Patch,
): 'written' | 'as shown' | 'changed' {
  const isEach = (is: (inventory: Values | null, change: Change) => boolean) =>
    shown.every((change) => is(present.get(change.resourceProviderUuid)?.inventory ?? null, change));
  if (isEach((inventory) => hasValues(inventory, patch))) return 'written';
  return isEach(isAsShown) ? 'as shown' : 'changed';
}
