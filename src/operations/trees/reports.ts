// Reports of hosts: the current tree and the previous report, for comparison, and what is stored beside the tree.
// Trees are written by provider-tree.ts; a report that does not change the tree is written here, without waiting for other trees.

import { selectReportedTree, selectTree } from '../../db/reports.ts';
import type { BesidesTree } from '../../domain/provider.ts';
import type { ProviderState, ReportedTree, TreeReporter } from '../../domain/reported-tree.ts';
import type { RequestScope } from '../scope/scope.ts';
import { keepAnswer, write } from '../scope/write.ts';
import { type AppliedTree, appliedBy } from './provider-tree.ts';

/** The current tree of a reporter, and what is stored beside it; one statement. */
export async function readReportedTree({ db }: RequestScope, reporter: TreeReporter): Promise<ReportedTree> {
  return selectReportedTree(db, reporter);
}

/** The tree of a root with all its parts, parents before their children; empty without such a root. One statement. */
export async function readTree({ db }: RequestScope, root: string): Promise<readonly ProviderState[]> {
  return selectTree(db, root);
}

/** Stores what a host reports beside its tree; `root` is a uuid. `own` is stored with the answer. Refuses NOT_FOUND. */
export async function keepBesidesTree(scope: RequestScope, root: string, besides: BesidesTree, own: unknown): Promise<AppliedTree> {
  return appliedBy(await write(scope, 'apply_report', { root, ...besides }, () => [], { names: [], own }));
}

/** Stores, for replays, that a report did not change the tree of this root (uuid). Returns what was first stored; null without a key. */
export async function keepUnchangedTree(scope: RequestScope, root: string, own: unknown): Promise<AppliedTree | null> {
  if (!scope.mutation?.key) return null;
  const found = await scope.loaders.providerByUuid.load(root);
  const kept = await keepAnswer(scope, found ? { root: found } : {}, { names: [], own });
  return kept && appliedBy(kept);
}
