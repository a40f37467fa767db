// Roots that have a class only until a pool serves them with it: from then on they offer no more of it than is used.
import { type StillOffered, selectRootsStillOffering } from '../../db/sharing.ts';
import { Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { RequestScope } from '../request/scope.ts';
import { besideAnswer, write } from '../request/write.ts';

/**
 * Sets the inventories of these roots to what is used of them, beside what the mutation answers. One statement when there are none; otherwise two for each
 * 10,000 roots. Those that the caller may not write to stay as they are.
 */
export async function freezeOffered(scope: RequestScope, offered: StillOffered): Promise<void> {
  for (;;) {
    const providers = await selectRootsStillOffering(scope.db, offered, limits.patchedProviders);
    if (providers.length === 0) return;
    const isLast = providers.length < limits.patchedProviders;
    const request = { providers, resourceClass: offered.resourceClass, patch: { toUse: true }, dryRun: false } as const;
    try {
      await besideAnswer(scope, () => write(scope, 'patch_inventories', request, () => []));
    } catch (error) {
      if (error instanceof Refusal && error.problems.every(({ code }) => code === 'FORBIDDEN')) return;
      throw error;
    }
    if (isLast) return;
  }
}
