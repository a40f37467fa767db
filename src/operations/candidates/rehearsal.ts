// Searches a small cloud of its own many times before the first request. V8 compiles code that has run often: without this, the first search of a gateway
// with 10,000 hosts holds the event loop for 215 ms, afterwards for 31 ms, no longer than the following ones. It takes some 250 ms in all.
import { setImmediate } from 'node:timers/promises';
import { Forest, type ProviderState } from '../../domain/candidates/forest.ts';
import type { CandidateRequest, CandidateSortKey } from '../../domain/candidates/request.ts';
import { searchCandidates, summarize } from '../../domain/candidates/search.ts';
import { type Inventory, supposedProvider } from '../../domain/provider.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';

const hosts = 300;
const rounds = 40;
const amounts = { VCPU: 64, MEMORY_MB: 65_536, DISK_GB: 1000 } as const;
const createdAt = '2000-01-01 00:00:00+00';

/** Yields to other work after each search. */
export async function rehearseSearches(): Promise<void> {
  const forest = rehearsalForest();
  const orders: readonly (readonly CandidateSortKey[])[] = [
    [],
    [{ by: 'FREE', weights: [{ resourceClass: 'VCPU', weight: 1 }], descending: true }],
    [{ by: 'RANDOM', seed: 1 }],
  ];
  for (let round = 0; round < rounds; round++) {
    for (const order of orders) {
      for (const candidate of summarizedCandidates(forest, order))
        if (candidate.allocations.length === 0) throw new Error('nothing was allocated');
      await setImmediate();
    }
  }
}

function summarizedCandidates(forest: Forest, order: CandidateRequest['order']) {
  const resources = Object.keys(amounts).map((resourceClass) => ({ resourceClass, amount: 1 }));
  const { candidates } = searchCandidates(forest, {
    groups: [{ suffix: '', resources, traits: [], aggregates: [], inTrees: null }],
    groupPolicy: 'NONE',
    rootTraits: [],
    sameSubtree: [],
    limit: hosts,
    perRootLimit: null,
    order,
  });
  if (summarize(candidates).length < hosts) throw new Error('hosts are missing');
  return candidates;
}

/** Every third host keeps its processors in a child. */
function rehearsalForest(): Forest {
  const forest = new Forest();
  forest.setNames({ resourceClasses: standardResourceClasses, traits: [], aggregates: [] });
  const changed = Array.from({ length: hosts }, (_, index) => {
    const rootId = 2 * index + 1;
    if (index % 3 > 0) return [provider(rootId, rootId, ['VCPU', 'MEMORY_MB', 'DISK_GB'])];
    return [provider(rootId, rootId, ['MEMORY_MB', 'DISK_GB']), provider(rootId + 1, rootId, ['VCPU'])];
  });
  forest.apply({ changed: changed.flat(), removed: [] });
  return forest;
}

function provider(id: number, rootId: number, classes: readonly (keyof typeof amounts)[]): ProviderState {
  const name = `rehearsal-${id}`;
  const parentId = id === rootId ? null : rootId;
  const inventories = classes.flatMap((className): Inventory[] => {
    const classId = standardResourceClasses.find((known) => known.name === className)?.id;
    const total = amounts[className];
    const units = { minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
    return classId === undefined
      ? []
      : [{ providerId: id, classId, className, total, reserved: 0, ...units, capacity: total, used: 0, updatedAt: createdAt }];
  });
  const record = supposedProvider({ id, uuid: name, name, parentId, rootId }, createdAt);
  return { provider: record, inventories: inventories.sort((a, b) => a.classId - b.classId), traitIds: [], aggregateIds: [] };
}
