// What hosts report about themselves: the tree with the previous report, for comparison, and what is kept besides the tree.
// Trees are written by provider-tree.ts; a report that does not change the tree is written here, without waiting for other trees.

import { selectReportedTree, selectTree } from '../../db/reports.ts';
import type { BesidesTree } from '../../domain/provider.ts';
import type { ProviderState, ReportedTree, TreeReporter } from '../../domain/reported-tree.ts';
import type { RequestScope } from '../request/scope.ts';
import { keepAnswer, write } from '../request/write.ts';
import { type AppliedTree, appliedBy } from './provider-tree.ts';

/** The current tree of a reporter, and what is kept besides it; one statement. */
export async function readReportedTree({ db }: RequestScope, reporter: TreeReporter): Promise<ReportedTree> {
  return selectReportedTree(db, reporter);
}

/** The tree of a root with everything of it, parents before their children; empty when there is no such root. One statement. */
export async function readTree({ db }: RequestScope, root: string): Promise<readonly ProviderState[]> {
  return selectTree(db, root);
}

/** Keeps what a host says besides its tree, of which `root` is the uuid. `own` is kept with the answer. Refuses NOT_FOUND. */
export async function keepBesidesTree(scope: RequestScope, root: string, besides: BesidesTree, own: unknown): Promise<AppliedTree> {
  return appliedBy(await write(scope, 'apply_report', { root, ...besides }, () => [], { names: [], own }));
}

/** Keeps that a report changed nothing of the tree of this root (uuid), for when it is sent again. Returns what was kept first; null without a key. */
export async function keepUnchangedTree(scope: RequestScope, root: string, own: unknown): Promise<AppliedTree | null> {
  if (!scope.mutation?.key) return null;
  const found = await scope.loaders.providerByUuid.load(root);
  const kept = await keepAnswer(scope, found ? { root: found } : {}, { names: [], own });
  return kept && appliedBy(kept);
}
