// Writes a locally edited tree, in one write. Only edits are written, and only if no other write has changed the edited providers since the read; providers
// that other writes added meanwhile stay. A conflict writes nothing and returns the concurrent changes.

import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../domain/errors.ts';
import type { BesidesTree } from '../../domain/provider.ts';
import type { ProviderState } from '../../domain/reported-tree.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type AppliedTree, applyProviderTree, type DesiredProvider } from '../../operations/trees/provider-tree.ts';
import { readTree } from '../../operations/trees/reports.ts';
import type { ProviderTree } from './provider-tree.ts';

/** A concurrent change of one part of a provider; null where the part did not exist. */
export interface ForeignChange {
  readonly provider: string;
  readonly name: string;
  readonly part: 'provider' | 'name' | 'parent' | 'inventories' | 'traits' | 'aggregates';
  readonly before: unknown;
  readonly after: unknown;
}

export type Flushed =
  | { readonly applied: AppliedTree }
  /** Nothing was written. `changes` are the concurrent changes since the tree was read, `now` is the current tree, to start over with. */
  | { readonly conflict: Refusal; readonly changes: readonly ForeignChange[]; readonly now: readonly ProviderState[] };

export interface FlushOptions {
  /** The allocations of consumers after the write, if they move together with inventories. */
  readonly allocations?: readonly ConsumerAllocations[];
  readonly dryRun?: boolean;
  readonly besides?: BesidesTree;
  /** Stored with the answer, for replays. */
  readonly own?: unknown;
}

/**
 * How often a report is compared and written before it is refused as a conflict. Every claim on a host changes its generation, so a busy host
 * needs several attempts.
 */
export const maxReportAttempts = 16;

/** Whether anything in the tree of this root was edited. */
export function isEdited(tree: ProviderTree, root: string): boolean {
  return tree.removedFrom(root).length > 0 || tree.uuidsInTree(root).some((uuid) => tree.changesOf(uuid).length > 0);
}

/**
 * Writes the edits to the tree of a root. `read`: the tree before the edits, to determine concurrent changes. Refuses what applyProviderTree refuses,
 * except that providers changed or deleted since the read are returned as a conflict.
 */
export async function flushTree(
  scope: RequestScope,
  tree: ProviderTree,
  root: string,
  read: readonly ProviderState[],
  { allocations = [], dryRun = false, besides, own }: FlushOptions = {},
): Promise<Flushed> {
  const desired = {
    root,
    resourceProviders: desiredProviders(tree, root),
    removed: tree.removedFrom(root),
    consumers: allocations,
    dryRun,
  };
  try {
    return { applied: await applyProviderTree(scope, besides ? { ...desired, besides } : desired, own) };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.problems.every(isConflict)) throw error;
    const now = await readTree(scope, root);
    return { conflict: error, changes: foreignChanges(read, now), now };
  }
}

function isConflict(problem: Refusal['problems'][number]): boolean {
  return problem.code === 'PROVIDER_CONFLICT' || (problem.code === 'NOT_FOUND' && problem.noun === 'resourceProvider');
}

/** The edited providers and their ancestors. Other providers stay unchanged, because they are not listed. */
function desiredProviders(tree: ProviderTree, root: string): DesiredProvider[] {
  const listed = new Set([root]);
  for (const uuid of tree.uuidsInTree(root).toReversed()) {
    const { parent } = tree.data(uuid);
    if (tree.changesOf(uuid).length > 0 || listed.has(uuid)) for (const one of [uuid, parent]) if (one !== null) listed.add(one);
  }
  return tree
    .uuidsInTree(root)
    .filter((uuid) => listed.has(uuid))
    .map((uuid) => {
      const { name, parent, generation, inventories, traits, aggregates } = tree.data(uuid);
      const changed = tree.changesOf(uuid);
      return {
        uuid,
        name,
        parentName: parent === null ? null : tree.data(parent).name,
        expect: generation === null || changed.length === 0 ? { unchecked: true } : { generation },
        ...(changed.includes('inventories')
          ? { inventories: Object.entries(inventories).map(([resourceClass, inventory]) => ({ ...inventory, resourceClass })) }
          : {}),
        ...(changed.includes('traits') ? { traits } : {}),
        ...(changed.includes('aggregates') ? { aggregates } : {}),
      };
    });
}

const parts = ['name', 'parent', 'inventories', 'traits', 'aggregates'] as const;

function foreignChanges(before: readonly ProviderState[], after: readonly ProviderState[]): ForeignChange[] {
  const had = new Map(before.map((state) => [state.uuid, state]));
  const has = new Map(after.map((state) => [state.uuid, state]));
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((uuid): ForeignChange[] => {
    const [old, now] = [had.get(uuid), has.get(uuid)];
    const provider = { provider: uuid, name: (now ?? old)?.name ?? '' };
    if (!old || !now) return [{ ...provider, part: 'provider', before: old ?? null, after: now ?? null }];
    return parts
      .filter((part) => !isDeepStrictEqual(old[part], now[part]))
      .map((part) => ({ ...provider, part, before: old[part], after: now[part] }));
  });
}
