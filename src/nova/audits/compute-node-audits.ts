// An audit of one compute node: compares the allocations on it with the instances that its host really has. Removes only what it has
// classified as stale, repairs only on request, and by default writes nothing.

import { invalidInput, type Problem, Refusal, refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { ResourceAmount } from '../../domain/provider.ts';
import { maxNameLength } from '../../domain/text.ts';
import { releaseAllocations } from '../../operations/allocations/allocation-writes.ts';
import { listConsumerUuids } from '../../operations/allocations/consumers.ts';
import { consumersAsWritten, findHolders, type Holder, holderOf } from '../../operations/allocations/holdings.ts';
import { findProvider } from '../../operations/providers/providers.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { findFirstAnswer, findOnce, keepAnswer, type Written, writePart } from '../../operations/scope/write.ts';
import { withoutUntracked } from '../compute-nodes/untracked-use.ts';
import { type AuditReason, type AuditVerdict, classifyAllocation, type KnownInstance, type MigrationState } from '../instances/audit.ts';
import {
  type DeviceSettings,
  deviceSettingsFor,
  type Instance,
  type InstanceInput,
  parseInstance,
  settledInstance,
} from '../instances/instance-inputs.ts';
import { writeHolding } from '../instances/instances.ts';
import { demandsOf, placeOnNode } from '../instances/placements.ts';
import { untrackedType } from '../terms/consumer-types.ts';
import { functionsOfPorts, stateOfHolding, unrelatedProviders } from './audited-holdings.ts';
import {
  type AuditedMove,
  type ComparedMove,
  type Corrections,
  compareMoves,
  type Move,
  type MoveInput,
  nothingCorrected,
  parseMoves,
  repairMoves,
} from './audited-moves.ts';

/** The recorded state of a migration. */
interface KnownMigration {
  readonly migration: string;
  readonly instance: string;
  readonly state: MigrationState;
}

export interface ComputeNodeAudit {
  /** Uuid of the compute node, and so of its root provider. */
  readonly computeNode: string;
  /** The host name in Nova. */
  readonly host: string;
  /** The instances that the host really has. */
  readonly instances: readonly InstanceInput[];
  /** Recorded states of instances, including those on the host. */
  readonly known?: Optional<readonly KnownInstance[]>;
  /** Uuids of active migrations. */
  readonly migrations?: Optional<readonly string[]>;
  readonly knownMigrations?: Optional<readonly KnownMigration[]>;
  /** Moves in progress from and to the host; their migrations count as active. */
  readonly moves?: Optional<readonly MoveInput[]>;
  /** Whether to release stale allocations. */
  readonly removeStale?: Optional<boolean>;
  /** Whether to correct the allocations of instances of this host. */
  readonly repair?: Optional<boolean>;
}

/** The allocations of one consumer in the tree of the node, and the verdict on them. */
export interface AuditedAllocation {
  readonly holder: Holder;
  readonly reason: AuditReason;
  readonly verdict: AuditVerdict;
  readonly removed: boolean;
}

/** MOVING: its allocations differ or are missing because it is being moved. Never repaired: a repair would release its destination. */
export type InstanceState = 'RIGHT' | 'MISSING' | 'WRONG' | 'MOVING';

/** Whether an instance on the host has the right allocations. */
export interface AuditedInstance {
  readonly instance: string;
  readonly state: InstanceState;
  readonly expected: readonly ResourceAmount[];
  /** Its allocations before a repair; null for none. */
  readonly holder: Holder | null;
  readonly repaired: boolean;
}

export interface ComputeNodeAudited {
  readonly allocations: readonly AuditedAllocation[];
  readonly instances: readonly AuditedInstance[];
  readonly moves: readonly AuditedMove[];
  /** What could not be removed or repaired, and why; the paths point to the instances. */
  readonly problems: readonly Problem[];
}

type ClassifiedAllocation = Omit<AuditedAllocation, 'removed'>;
type ComparedInstance = Omit<AuditedInstance, 'repaired'>;

/** What an audit finds before it corrects anything. */
interface Findings {
  readonly allocations: readonly ClassifiedAllocation[];
  readonly instances: readonly ComparedInstance[];
  readonly moves: readonly ComparedMove[];
  /** The consumers that hold untracked usage. */
  readonly untracked: readonly Holder[];
  /** The settings that it applied; absent if a gateway of the previous release found them. */
  readonly settings?: DeviceSettings;
}

/** What the call says is on the host, with the settings. */
interface Hosted {
  readonly instances: readonly Instance[];
  readonly moves: readonly Move[];
}

const maxInstances = limits.auditInstances;
const maxConsumers = limits.auditConsumers;
/** The maximum number of stale consumers that one audit removes; the rest is left to the next. */
const maxRemoved = limits.auditRemoved;

/**
 * Refuses NOT_FOUND for an unknown node, INVALID_INPUT for malformed instances or more than 1,000. Refusals of a removal or repair are listed among the
 * problems.
 */
export async function auditComputeNode(scope: RequestScope, audit: ComputeNodeAudit): Promise<ComputeNodeAudited> {
  const first = await findFirstAnswer(scope, 'keep_answer');
  if (first) return auditedBy(scope, first);
  const given = { instances: parseInstances(audit), moves: parseMoves(audit.moves ?? []) };
  // The removal and each repair is a separate write. The stored answer covers all of them.
  const findings = await findOnce(scope, async () => {
    const settings = await deviceSettingsFor(scope, [...given.instances, ...given.moves.map(({ instance }) => instance)]);
    return { ...(await findDifferences(scope, audit, settled(given, settings))), settings };
  });
  const audited = await correct(scope, audit, settled(given, findings.settings ?? {}), findings);
  if (!scope.mutation?.key) return audited;
  const known = await consumersAsWritten(scope, consumersOf(audited));
  const kept = await keepAnswer(scope, {}, { audited, eventIds: scope.mutation.eventIds, known });
  return kept?.replayed ? auditedBy(scope, kept) : audited;
}

/** All consumers that an audit concerns. */
function consumersOf({ allocations, instances, moves }: ComputeNodeAudited): string[] {
  const ofMoves = moves.map(({ consumer }) => consumer);
  return [...new Set([...allocations.map(({ holder }) => holder.uuid), ...instances.map(({ instance }) => instance), ...ofMoves])];
}

/** The result in an answer, fresh or replayed. */
function auditedBy({ mutation }: RequestScope, { besides }: Written): ComputeNodeAudited {
  const { audited, eventIds } = besides as { readonly audited: ComputeNodeAudited; readonly eventIds: readonly number[] };
  mutation?.eventIds.splice(0, Number.POSITIVE_INFINITY, ...eventIds);
  return audited;
}

function parseInstances(audit: ComputeNodeAudit): Instance[] {
  if (audit.instances.length > maxInstances) throw invalidInput(['instances'], `must have at most ${maxInstances} elements`);
  checkRecords(audit);
  const instances = audit.instances.map((instance, index) => parseInstance(instance, ['instances', index]));
  const twice = instances.findIndex(({ uuid }, index) => instances.findIndex((other) => other.uuid === uuid) < index);
  if (twice >= 0) throw invalidInput([...(instances[twice]?.place ?? []), 'uuid'], 'is listed twice');
  return instances;
}

function settled({ instances, moves }: Hosted, settings: DeviceSettings): Hosted {
  return {
    instances: instances.map((instance) => settledInstance(instance, settings)),
    moves: moves.map((move) => ({ ...move, instance: settledInstance(move.instance, settings) })),
  };
}

async function findDifferences(scope: RequestScope, audit: ComputeNodeAudit, { instances, moves }: Hosted): Promise<Findings> {
  const { computeNode } = audit;
  if (!(await findProvider(scope, { uuid: computeNode }))) throw noNode(computeNode);
  const here = await consumersIn(scope, computeNode);
  const ofMoves = moves.flatMap(({ migration, instance }) => [migration, instance.uuid]);
  const parties = [...ofMoves, ...(audit.knownMigrations ?? []).map(({ instance }) => instance)];
  const holders = await findHolders(scope, [...new Set([...here, ...instances.map(({ uuid }) => uuid), ...parties])]);
  return {
    allocations: classifyAllocations(audit, instances, statesOf(audit, ofMoves, holders), holders, here),
    instances: await compareInstances(scope, audit, instances, statesOf(audit, ofMoves, holders), holders, new Set(here)),
    moves: await compareMoves(scope, computeNode, moves, holders),
    untracked: untrackedAmong(here, holders),
  };
}

async function correct(
  scope: RequestScope,
  { computeNode, removeStale: isToRemove, repair }: ComputeNodeAudit,
  { instances, moves }: Hosted,
  findings: Findings,
): Promise<ComputeNodeAudited> {
  const removal = isToRemove ? await removeStale(scope, findings.allocations) : nothingCorrected;
  const repairs = repair ? await repairInstances(scope, computeNode, instances, findings) : nothingCorrected;
  const moved = repair ? await repairMoves(scope, computeNode, moves, findings.moves) : nothingCorrected;
  return {
    allocations: findings.allocations.map((allocation) => ({ ...allocation, removed: removal.corrected.has(allocation.holder.uuid) })),
    instances: findings.instances.map((instance) => ({ ...instance, repaired: repairs.corrected.has(instance.instance) })),
    moves: findings.moves.map((move) => ({ ...move, repaired: moved.corrected.has(move.consumer) })),
    problems: [...removal.problems, ...repairs.problems, ...moved.problems],
  };
}

/** Values that are only compared must still be valid text, and each migration has one state. */
function checkRecords({ host, known, knownMigrations }: ComputeNodeAudit): void {
  const check = new InputCheck();
  check.text(['host'], host, maxNameLength);
  check.size(['knownMigrations'], knownMigrations ?? [], 0, maxInstances);
  const migrations = (knownMigrations ?? []).map(({ migration }) => migration);
  check.unique(['knownMigrations'], migrations, (index) => [index, 'migration']);
  for (const [index, record] of (known ?? []).entries()) {
    check.text(['known', index, 'host'], record.host, maxNameLength);
    check.text(['known', index, 'taskState'], record.taskState, maxNameLength);
  }
  check.done();
}

function noNode(computeNode: string): Refusal {
  return refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: computeNode } }, ['computeNode']);
}

/** All consumers with allocations in the tree of the node. */
async function consumersIn(scope: RequestScope, computeNode: string): Promise<string[]> {
  const uuids = await listConsumerUuids(scope, { inTrees: [computeNode] }, maxConsumers);
  if (uuids) return uuids;
  throw invalidInput(['computeNode'], `more than ${maxConsumers} consumers have allocations there`);
}

type States = ReadonlyMap<string, MigrationState>;

/** The states of migrations, and of the instances that move. A migration is not over as long as its instance would lose its place with it. */
function statesOf(
  { known, migrations, knownMigrations }: ComputeNodeAudit,
  ofMoves: readonly string[],
  holders: ReadonlyMap<string, Holder>,
): States {
  const deleted = new Set((known ?? []).flatMap((record) => (record.deleted ? record.instance : [])));
  const ofRecords = (knownMigrations ?? []).flatMap(({ migration, instance, state }): [string, MigrationState][] => {
    if (state === 'RUNNING') return [migration, instance].map((uuid) => [uuid, state]);
    const isOver = state === 'DONE' && (holders.has(instance) || deleted.has(instance));
    return [[migration, isOver ? 'DONE' : 'FAILED']];
  });
  const running = [...(migrations ?? []), ...ofMoves].map((uuid): [string, MigrationState] => [uuid, 'RUNNING']);
  return new Map([...ofRecords, ...running]);
}

function classifyAllocations(
  { host, known }: ComputeNodeAudit,
  instances: readonly Instance[],
  states: States,
  holders: ReadonlyMap<string, Holder>,
  here: readonly string[],
): ClassifiedAllocation[] {
  const records = new Map((known ?? []).map((record) => [record.instance, record]));
  const node = { host, tracked: new Set(instances.map(({ uuid }) => uuid)) };
  return here.flatMap((consumer) => {
    const holder = holders.get(consumer);
    // Consumers that were released in the meantime need no verdict.
    if (!holder) return [];
    const { reason, verdict } = classifyAllocation(consumer, records, states, node);
    return [{ holder, reason, verdict }];
  });
}

async function compareInstances(
  scope: RequestScope,
  { computeNode, host, known, knownMigrations }: ComputeNodeAudit,
  instances: readonly Instance[],
  states: States,
  holders: ReadonlyMap<string, Holder>,
  here: ReadonlySet<string>,
): Promise<ComparedInstance[]> {
  const records = new Map((known ?? []).map((record) => [record.instance, record]));
  const over = new Set((knownMigrations ?? []).flatMap(({ instance, state }) => (state === 'DONE' ? instance : [])));
  const unrelated = await unrelatedProviders(
    scope,
    computeNode,
    instances.flatMap(({ uuid }) => holders.get(uuid)?.allocations ?? []),
  );
  return instances.map((instance) => {
    const { uuid } = instance;
    const holder = holders.get(uuid) ?? null;
    const demands = demandsOf(instance);
    const state = stateOfHolding(demands, holder, unrelated, functionsOfPorts(instance));
    const record = records.get(uuid);
    // What it holds on another host as well may be the source of an evacuation, which only that host may give up.
    const isDoubled = here.has(uuid) && !over.has(uuid) && holder?.allocations.some((held) => unrelated.has(held.resourceProvider));
    const isMoving =
      states.has(uuid) || isDoubled || Boolean(record?.taskState) || (typeof record?.host === 'string' && record.host !== host);
    return { instance: uuid, state: state !== 'RIGHT' && isMoving ? 'MOVING' : state, expected: demands[0] ?? [], holder };
  });
}

function removeStale(scope: RequestScope, classified: readonly ClassifiedAllocation[]): Promise<Corrections> {
  const stale = classified.filter(({ verdict }) => verdict === 'STALE').slice(0, maxRemoved);
  return remove(
    scope,
    'stale',
    stale.map(({ holder }) => holder),
  );
}

/** Releases consumers together, unless one of them was written in the meantime: then the next audit judges them again. */
async function remove(scope: RequestScope, part: string, holders: readonly Holder[]): Promise<Corrections> {
  if (holders.length === 0) return nothingCorrected;
  try {
    const consumers = holders.map(({ uuid, generation }) => ({ consumer: uuid, expect: { generation } }));
    const { touched } = await writePart(scope, part, () => releaseAllocations(scope, { consumers }));
    return { corrected: new Set(touched), problems: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { corrected: new Set(), problems: error.relabelled(() => []).problems };
  }
}

function untrackedAmong(here: readonly string[], holders: ReadonlyMap<string, Holder>): Holder[] {
  return here.flatMap((uuid) => {
    const holder = holders.get(uuid);
    return holder?.type === untrackedType ? [holder] : [];
  });
}

/** The allocations that count as free when an instance is placed: its own, and the untracked usage. */
function withGivers(holder: Holder | null, givers: readonly Holder[]): Holder | null {
  const [first] = givers;
  if (!first) return holder;
  return { ...(holder ?? first), allocations: [...(holder?.allocations ?? []), ...givers.flatMap(({ allocations }) => allocations)] };
}

/** Repairs instances one by one, so that one that does not fit does not prevent the repair of the others. */
async function repairInstances(
  scope: RequestScope,
  computeNode: string,
  instances: readonly Instance[],
  { instances: compared, untracked }: Findings,
): Promise<Corrections> {
  let givers = untracked;
  const corrected = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, instance] of instances.entries()) {
    const { state, holder } = compared[index] as ComparedInstance;
    if (state === 'RIGHT' || state === 'MOVING') continue;
    try {
      const { consumers, touched } = await writePart(scope, instance.uuid, async () => {
        const allocations = await placeOnNode(scope, instance, computeNode, withGivers(holder, givers), {
          ofPorts: functionsOfPorts(instance),
        });
        const giving = withoutUntracked(givers, allocations);
        const expect = holder ? { generation: holder.generation } : ({ isNew: true } as const);
        return writeHolding(scope, instance, allocations, expect, undefined, { givers: giving });
      });
      const left = new Map(consumers.flatMap((consumer) => (consumer ? [[consumer.uuid, holderOf(consumer)]] : [])));
      givers = givers.flatMap((giver) => (touched.includes(giver.uuid) ? (left.get(giver.uuid) ?? []) : giver));
      corrected.add(instance.uuid);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(...error.problems);
    }
  }
  // Every instance on the host now has allocations of its own, so the rest of the untracked usage is released.
  if (problems.length === 0 && !compared.some(({ state }) => state === 'MOVING'))
    problems.push(...(await remove(scope, 'untracked', givers)).problems);
  return { corrected, problems };
}
