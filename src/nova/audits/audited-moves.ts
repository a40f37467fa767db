// The audit of moves that are under way: on the source the migration holds the old flavor of the instance, on the destination the instance holds the new
// one. A repair only ever adds what is missing altogether, or corrects a source that is the migration's already: it never takes a destination away.
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
  /** With the flavor that it has on this host: of a versioned object the old or the new one, if it has them. */
  readonly hostedInstance: InstanceInput;
}

/** Whether one side of a move has the right allocations. */
export interface AuditedMove {
  readonly migration: string;
  readonly instance: string;
  readonly side: MoveSide;
  /** The one of them that holds this side. */
  readonly consumer: string;
  /** MOVING: what differs belongs to another step of the move. */
  readonly state: 'RIGHT' | 'MISSING' | 'WRONG' | 'MOVING';
  readonly expected: readonly ResourceAmount[];
  /** What it holds before a repair; null for nothing. */
  readonly holder: Holder | null;
  readonly repaired: boolean;
}

export type ComparedMove = Omit<AuditedMove, 'repaired'>;

/** What was written of what an audit found: the uuids of consumers; and what could not be, and why. */
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

/** `holders` are those of all migrations and instances, by uuid. */
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
        return writeHolding(scope, instance, allocations, expect, undefined, party);
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
 * Whether a state is what it seems. A source that is missing may still be the instance's, before the first step; an instance that does not hold its
 * destination may still hold its source, or another destination.
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
