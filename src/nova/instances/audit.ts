// Classifies an allocation on a compute node by what is known about its consumer. Only those of deleted instances are stale; allocations that may be part of
// a move, or belong to another service, are kept. Pure: it removes nothing itself.
import type { AllocationInput } from '../../domain/allocation.ts';
import type { Optional } from '../../domain/input.ts';

/** The recorded state of an instance, which may be deleted. */
export interface KnownInstance {
  readonly instance: string;
  /** The host on which it runs; null before it is placed and after it is shelved. */
  readonly host?: Optional<string>;
  /** The current task; null if there is none. */
  readonly taskState?: Optional<string>;
  readonly deleted?: Optional<boolean>;
  /** A deleted record that is hidden has a live duplicate in another cell. */
  readonly hidden?: Optional<boolean>;
}

/**
 * RUNNING: until it is confirmed, reverted or completed; an evacuation until its source has come back and was cleaned up. DONE: nothing of it is left to do.
 */
export type MigrationState = 'RUNNING' | 'FAILED' | 'DONE';

/** The audited compute node. */
export interface AuditedNode {
  readonly host: string;
  /** Uuids of the instances that the host really has. */
  readonly tracked: ReadonlySet<string>;
}

export type AuditReason =
  | 'TRACKED'
  | 'MIGRATING'
  | 'MIGRATION_UNFINISHED'
  | 'MIGRATION_OVER'
  | 'UNKNOWN'
  | 'DELETED'
  | 'HIDDEN'
  | 'NOT_PLACED'
  | 'HERE_IN_TRANSITION'
  | 'HERE_UNTRACKED'
  | 'ELSEWHERE';

/** STALE: may be removed. SUSPECT: kept, but an operator should look. */
export type AuditVerdict = 'RIGHT' | 'SUSPECT' | 'STALE';

export interface Classified {
  readonly action: 'KEEP' | 'REMOVE';
  readonly reason: AuditReason;
  readonly verdict: AuditVerdict;
}

const verdicts: Readonly<Record<AuditReason, AuditVerdict>> = {
  TRACKED: 'RIGHT',
  MIGRATING: 'RIGHT',
  // The instance may have to return to what it holds.
  MIGRATION_UNFINISHED: 'SUSPECT',
  MIGRATION_OVER: 'STALE',
  // It may still be building, or not be an instance at all.
  UNKNOWN: 'SUSPECT',
  DELETED: 'STALE',
  HIDDEN: 'RIGHT',
  NOT_PLACED: 'RIGHT',
  HERE_IN_TRANSITION: 'RIGHT',
  HERE_UNTRACKED: 'SUSPECT',
  // It may be in the middle of a move, or left behind by an evacuation.
  ELSEWHERE: 'SUSPECT',
};

/**
 * Classifies the allocations of one consumer on a node. `instances`: known instances by uuid; `migrations`: the states of known migrations, and of the instances
 * that move. Returns REMOVE only for an instance that is known to be deleted, and for a migration that is over.
 */
export function classifyAllocation(
  consumer: string,
  instances: ReadonlyMap<string, KnownInstance>,
  migrations: ReadonlyMap<string, MigrationState>,
  node: AuditedNode,
): Classified {
  const reason = reasonFor(consumer, instances.get(consumer), migrations, node);
  const verdict = verdicts[reason];
  return { action: verdict === 'STALE' ? 'REMOVE' : 'KEEP', reason, verdict };
}

function reasonFor(
  consumer: string,
  instance: KnownInstance | undefined,
  migrations: ReadonlyMap<string, MigrationState>,
  { host, tracked }: AuditedNode,
): AuditReason {
  if (tracked.has(consumer)) return 'TRACKED';
  const state = migrations.get(consumer);
  if (state) return ({ RUNNING: 'MIGRATING', FAILED: 'MIGRATION_UNFINISHED', DONE: 'MIGRATION_OVER' } as const)[state];
  if (!instance) return 'UNKNOWN';
  if (instance.deleted) return instance.hidden ? 'HIDDEN' : 'DELETED';
  if (!instance.host) return 'NOT_PLACED';
  if (instance.host !== host) return 'ELSEWHERE';
  return instance.taskState ? 'HERE_IN_TRANSITION' : 'HERE_UNTRACKED';
}

/** Compares allocations, regardless of the order of rows: RIGHT if exactly as expected, MISSING if there are none, otherwise WRONG. */
export function compareHoldings(expected: readonly AllocationInput[], held: readonly AllocationInput[]): 'RIGHT' | 'MISSING' | 'WRONG' {
  const [wanted, found] = [rowsOf(expected), rowsOf(held)];
  if (wanted.join() === found.join()) return 'RIGHT';
  return found.length === 0 ? 'MISSING' : 'WRONG';
}

function rowsOf(allocations: readonly AllocationInput[]): string[] {
  return allocations
    .flatMap(({ resourceProvider: provider, resources }) =>
      resources.map(({ resourceClass, amount }) => `${provider} ${resourceClass} ${amount}`),
    )
    .toSorted();
}
