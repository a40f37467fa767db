// The audit of moves in progress: on the source the migration holds the old flavor of the instance, on the destination the instance holds the new one.
// A repair only adds a side that is missing altogether, or corrects a source that the migration already holds. It never releases a destination.
import { invalidInput, type Problem, Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { ResourceAmount } from '../../domain/provider.ts';
import type { Holder } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { writePart } from '../../operations/scope/write.ts';
import { type Instance, type InstanceInput, parseInstance } from '../instances/instance-inputs.ts';
import { writeHolding } from '../instances/instances.ts';
import { demandsOf, placeOnNode } from '../instances/placements.ts';
import { instanceType, migrationType } from '../terms/consumer-types.ts';
import { stateOfHolding, unrelatedProviders } from './audited-holdings.ts';

/** OUTGOING: the audited host is the source; INCOMING: it is the destination. */
export type MoveSide = 'OUTGOING' | 'INCOMING';

export interface MoveInput {
  /** Uuid of the migration. */
  readonly migration: string;
  readonly side: MoveSide;
  /** The instance with its flavor on this host. Of a versioned object, the old or the new flavor is used if it has one. */
  readonly hostedInstance: InstanceInput;
}

/** Whether one side of a move has the right allocations. */
export interface AuditedMove {
  readonly migration: string;
  readonly instance: string;
  readonly side: MoveSide;
  /** The consumer of this side: the migration or the instance. */
  readonly consumer: string;
  /** MOVING: the difference may belong to another step of the move. */
  readonly state: 'RIGHT' | 'MISSING' | 'WRONG' | 'MOVING';
  readonly expected: readonly ResourceAmount[];
  /** The allocations of the consumer before a repair; null if it has none. */
  readonly holder: Holder | null;
  readonly repaired: boolean;
}

export type ComparedMove = Omit<AuditedMove, 'repaired'>;

/** The uuids of the consumers whose allocations were corrected, and the reasons why others could not be. */
export interface Corrections {
  readonly corrected: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

export const nothingCorrected: Corrections = { corrected: new Set(), problems: [] };

export interface Move {
  readonly migration: string;
  readonly side: MoveSide;
  readonly instance: Instance;
}

/** Refuses INVALID_INPUT for more than 1,000, malformed instances, and one side given twice. */
export function parseMoves(moves: readonly MoveInput[]): Move[] {
  if (moves.length > limits.auditInstances) throw invalidInput(['moves'], `must have at most ${limits.auditInstances} elements`);
  const seen = new Set<string>();
  return moves.map(({ migration, side, hostedInstance }, index) => {
    const flavor = side === 'OUTGOING' ? 'old_flavor' : 'new_flavor';
    const parsed = parseInstance(hostedInstance, ['moves', index, 'hostedInstance'], flavor);
    if (parsed.uuid === migration) throw invalidInput(['moves', index, 'migration'], 'must differ from the uuid of the instance');
    const key = side === 'OUTGOING' ? migration : parsed.uuid;
    if (seen.has(key)) throw invalidInput(['moves', index, 'migration'], 'is listed twice');
    seen.add(key);
    return { migration, side, instance: parsed };
  });
}

/** `holders`: the allocations of all migrations and instances, by uuid. */
export async function compareMoves(
  scope: RequestScope,
  computeNode: string,
  moves: readonly Move[],
  holders: ReadonlyMap<string, Holder>,
): Promise<ComparedMove[]> {
  const held = moves.flatMap(({ migration, instance }) =>
    [migration, instance.uuid].flatMap((uuid) => holders.get(uuid)?.allocations ?? []),
  );
  const unrelated = await unrelatedProviders(scope, computeNode, held);
  return moves.map(({ migration, side, instance }) => {
    const consumer = side === 'OUTGOING' ? migration : instance.uuid;
    const holder = holders.get(consumer) ?? null;
    const demands = demandsOf(instance);
    const found = stateOfHolding(demands, holder, unrelated);
    const state = mayRepair(side, found, holders.get(instance.uuid), unrelated) ? found : 'MOVING';
    return { migration, instance: instance.uuid, side, consumer, state, expected: demands[0] ?? [], holder };
  });
}

export async function repairMoves(
  scope: RequestScope,
  computeNode: string,
  moves: readonly Move[],
  compared: readonly ComparedMove[],
): Promise<Corrections> {
  const corrected = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, { side, instance }] of moves.entries()) {
    const { consumer, state, holder } = compared[index] as ComparedMove;
    if (state === 'RIGHT' || state === 'MOVING') continue;
    const party = { consumer, consumerType: side === 'OUTGOING' ? migrationType : instanceType };
    const expect = holder ? { generation: holder.generation } : { isNew: true as const };
    try {
      await writePart(scope, `move ${consumer}`, async () => {
        const allocations = await placeOnNode(scope, instance, computeNode, holder);
        return writeHolding(scope, instance, allocations, expect, undefined, { party });
      });
      corrected.add(consumer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(...error.problems);
    }
  }
  return { corrected, problems };
}

/**
 * Whether a state can be trusted. Before the first step of the move, the instance may still hold the source; an instance that does not hold its destination
 * may still hold its source, or another destination.
 */
function mayRepair(
  side: MoveSide,
  state: 'RIGHT' | 'MISSING' | 'WRONG',
  instance: Holder | undefined,
  unrelated: ReadonlySet<string>,
): boolean {
  if (state === 'RIGHT') return true;
  if (side === 'INCOMING') return state === 'MISSING';
  return state === 'WRONG' || !(instance?.allocations ?? []).some(({ resourceProvider }) => !unrelated.has(resourceProvider));
}
