// Releases all allocations of consumers, for tests that call operations.
import { releaseAllocations } from '../../src/operations/allocations/allocation-writes.ts';
import type { RequestScope } from '../../src/operations/scope/scope.ts';

export async function release(scope: RequestScope, ...consumers: readonly string[]): Promise<void> {
  await releaseAllocations(scope, { consumers: consumers.map((consumer) => ({ consumer, expect: { unchecked: true } })) });
}
