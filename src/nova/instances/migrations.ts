// Moves of instances. During a move, the migration's uuid holds the allocations on the source, and the instance's uuid those on the destination, so that the
// two can be distinguished and nothing is released in between. Each step can be repeated, for callers that crashed.
import type { AllocationInput } from '../../domain/allocation.ts';
import { invalidInput, type Place, Refusal, refusalOf, relabel } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { writtenAffinity } from '../../operations/allocations/affinity.ts';
import {
  type ConsumerExpectation,
  moveAllocations,
  releaseAllocations,
  replaceAllocations,
} from '../../operations/allocations/allocation-writes.ts';
import { consumersAsWritten, findHolders, type Holder, holderOf, keepUnchanged } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { findFirstAnswer, type Written } from '../../operations/scope/write.ts';
import { decodeText } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { parseServerGroup, type ServerGroupFields } from '../requests/server-groups.ts';
import { instanceType, migrationType } from '../terms/consumer-types.ts';
import { compareHoldings } from './audit.ts';
import { refuseMigrationsOfOthers } from './moves.ts';
import { parseSelection, type SelectionInput } from './selections.ts';

/** A migration and its instance. */
interface MigrationInput {
  readonly migrationRecord: Given<{ readonly uuid: string; readonly instance: string }>;
}

export interface MigrationStart extends MigrationInput {
  /** What the instance holds before. */
  readonly expect: ConsumerExpectation;
  /** The destination. If omitted, only the source passes to the migration, and the destination is claimed later. */
  readonly selection?: Optional<SelectionInput>;
  /** The group whose policy applies to the destination. */
  readonly serverGroup?: Optional<Given<ServerGroupFields>>;
}

export interface MigrationEnd extends MigrationInput {
  readonly outcome: 'CONFIRMED' | 'REVERTED';
}

export interface MigrationStep {
  /** The current allocations of the instance and the migration; null for none. */
  readonly instance: Holder | null;
  readonly migration: Holder | null;
  /** False if the step had been completed before. */
  readonly changed: boolean;
}

/** What an instance is expected to hold, the allocations that it gets, and the policy that applies to them. */
interface Destination {
  readonly expect: ConsumerExpectation;
  readonly target: readonly AllocationInput[];
  readonly affinity: ReturnType<typeof writtenAffinity>;
}

interface Parties {
  readonly instance: string;
  readonly migration: string;
  /** Their paths in the input. */
  readonly places: { readonly [Party in 'instance' | 'migration']: Path };
}

/**
 * Moves the allocations of the instance to the migration and, if a destination is given, claims it for the instance, in one transaction. Repeating the call
 * completes what is left. Refuses NOT_FOUND if neither the instance nor the migration has allocations, INVALID_INPUT if the instance already has allocations
 * on another destination, CONSUMER_CONFLICT if it holds something else than expected, and what the claim of a destination refuses.
 */
export async function startMigration(
  scope: RequestScope,
  { selection, migrationRecord, expect, serverGroup }: MigrationStart,
): Promise<MigrationStep> {
  const parties = parseParties(migrationRecord);
  const target = selection ? parseSelection(selection, ['selection']) : null;
  const group = serverGroup ? parseServerGroup(serverGroup, ['serverGroup']) : null;
  const affinity = group ? writtenAffinity(group.affinity) : undefined;
  const first = await findFirstAnswer(scope, 'replace_allocations');
  if (first) return stepOf(parties, first);
  const { source, started } = await holdersOf(scope, parties);
  if (!started) return passSourceToMigration(scope, parties, source, { expect, target, affinity });
  if (!source && target) return claimDestination(scope, parties, started, { expect, target, affinity });
  if (source && target && compareHoldings(target, source.allocations) !== 'RIGHT') {
    throw invalidInput(
      ['selection'],
      `instance ${parties.instance} already has allocations on another destination: revert the migration first`,
    );
  }
  return unchanged(scope, parties, { source, started });
}

function parseParties({ object, fields }: MigrationInput['migrationRecord']): Parties {
  const below = ['migrationRecord', object === undefined ? 'fields' : 'object'];
  if (object === undefined) {
    const places = { instance: [...below, 'instance'], migration: [...below, 'uuid'] };
    return checkParties({ instance: fields.instance, migration: fields.uuid, places });
  }
  const { instance_uuid: instance, uuid: migration } = decodeText('Migration', object, below).fields;
  const data = [...below, 'nova_object.data'];
  const places = { instance: [...data, 'instance_uuid'], migration: [...data, 'uuid'] };
  if (!instance) throw invalidInput(places.instance, 'is missing');
  if (!migration) throw invalidInput(places.migration, 'is missing');
  return checkParties({ instance, migration, places });
}

function checkParties(parties: Parties): Parties {
  const { instance, migration, places } = parties;
  if (instance === migration) throw invalidInput(places.migration, 'must differ from the uuid of the instance');
  return parties;
}

/** Refuses INVALID_INPUT if the uuid of the migration is an instance's, which would lose its allocations to the other one. */
async function holdersOf(scope: RequestScope, { instance, migration, places }: Parties) {
  const held = await findHolders(scope, [instance, migration]);
  if (held.get(migration)?.type === instanceType)
    throw invalidInput(places.migration, 'must be that of a migration: an instance has this uuid');
  return { source: held.get(instance), started: held.get(migration) };
}

/** The first step: the migration has no allocations yet. */
async function passSourceToMigration(
  scope: RequestScope,
  parties: Parties,
  source: Holder | undefined,
  { expect, target, affinity }: Omit<Destination, 'target'> & { readonly target: Destination['target'] | null },
): Promise<MigrationStep> {
  const { instance, migration, places } = parties;
  if (!source) throw noAllocations(instance, places.instance);
  const consumers = [
    { consumer: migration, expect: { isNew: true }, hold: { takeFrom: instance }, consumerType: migrationType },
    { consumer: instance, expect, hold: { allocations: target ?? [] } },
  ];
  const write = () =>
    withFirstProblemOnly(replaceAllocations(scope, { consumers, affinity: target ? affinity : undefined }, { changed: true }));
  return stepOf(parties, await relabel(write, placeInStart(parties)));
}

/** The second step, after a first one without a destination. */
async function claimDestination(
  scope: RequestScope,
  parties: Parties,
  { project, user, reservation }: Holder,
  { expect, target, affinity }: Destination,
): Promise<MigrationStep> {
  const { instance, migration, places } = parties;
  await refuseMigrationsOfOthers(scope, [{ instance, migration, path: places.migration }]);
  const consumer = {
    consumer: instance,
    expect,
    hold: { allocations: target },
    project,
    user,
    consumerType: instanceType,
    reservation,
  };
  const besides = { changed: true, known: await consumersAsWritten(scope, [migration]) };
  const write = () => replaceAllocations(scope, { consumers: [consumer], affinity }, besides);
  return stepOf(parties, await relabel(write, placeInStart(parties)));
}

/** Ends a move; repeating the call changes nothing. */
export function endMigration(scope: RequestScope, { migrationRecord, outcome }: MigrationEnd): Promise<MigrationStep> {
  const parties = parseParties(migrationRecord);
  return outcome === 'CONFIRMED' ? confirm(scope, parties) : revert(scope, parties);
}

/** The instance stays at its destination, and the source is released. Refuses NOT_FOUND if the instance has no allocations, because it would lose its place. */
async function confirm(scope: RequestScope, parties: Parties): Promise<MigrationStep> {
  const first = await findFirstAnswer(scope, 'release_allocations');
  if (first) return stepOf(parties, first);
  const { source, started } = await holdersOf(scope, parties);
  if (!source) throw noAllocations(parties.instance, parties.places.instance);
  if (!started) return unchanged(scope, parties, { source, started });
  const consumers = [{ consumer: parties.migration, expect: { generation: started.generation }, id: started.id }];
  const besides = { changed: true, known: await consumersAsWritten(scope, [parties.instance]) };
  const write = () => releaseAllocations(scope, { consumers }, besides);
  return stepOf(parties, await relabel(write, placeInMove(parties, parties.places.migration)));
}

/**
 * The instance returns to its source: it gets its source allocations back, for as long as the migration had them, and the destination is released, in one
 * transaction.
 * After a confirmation, this changes nothing. Refuses NOT_FOUND if neither of them has allocations.
 */
async function revert(scope: RequestScope, parties: Parties): Promise<MigrationStep> {
  const first = await findFirstAnswer(scope, 'move_allocations');
  if (first) return stepOf(parties, first);
  const { source, started } = await holdersOf(scope, parties);
  if (!started && !source) throw noAllocations(parties.migration, parties.places.migration);
  if (!started) return unchanged(scope, parties, { source, started });
  const expectTo = source ? { generation: source.generation } : { isNew: true };
  const move = {
    from: parties.migration,
    expectFrom: { generation: started.generation },
    to: parties.instance,
    expectTo,
    consumerType: instanceType,
    takesExpiry: true as const,
  };
  const write = () => moveAllocations(scope, move, { changed: true });
  return stepOf(parties, await relabel(write, placeInMove(parties, parties.places.migration)));
}

interface Holders {
  readonly source: Holder | undefined;
  readonly started: Holder | undefined;
}

/** A step that had been completed before. */
async function unchanged(scope: RequestScope, parties: Parties, { source, started }: Holders): Promise<MigrationStep> {
  const kept = await keepUnchanged(scope, [parties.instance, parties.migration], { changed: false });
  return kept ? stepOf(parties, kept) : { instance: source ?? null, migration: started ?? null, changed: false };
}

/** The result in an answer, fresh or replayed. */
function stepOf({ instance, migration }: Parties, { consumers = [], besides }: Written): MigrationStep {
  const { changed, known } = besides as { readonly changed: boolean; readonly known?: Written };
  const held = new Map([...consumers, ...(known?.consumers ?? [])].flatMap((holder) => (holder ? [[holder.uuid, holderOf(holder)]] : [])));
  return { instance: held.get(instance) ?? null, migration: held.get(migration) ?? null, changed };
}

/** A write that exceeds capacity is refused for both consumers. Both problems refer to the same value of the input, so only the first is reported. */
async function withFirstProblemOnly<Answer>(written: Promise<Answer>): Promise<Answer> {
  try {
    return await written;
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(error.problems.slice(0, 1)) : error;
  }
}

function noAllocations(consumer: string, path: Path): Refusal {
  return refusalOf({ code: 'NOT_FOUND', details: { noun: 'consumer', key: consumer } }, path);
}

/** The path of a refused start. */
function placeInStart(parties: Parties): Place {
  const place = placeInMove(parties, ['selection']);
  return (problem) => {
    const [, , part, ...rest] = problem.path;
    const isOfMigration = problem.code === 'CONSUMER_CONFLICT' && problem.consumer === parties.migration;
    return part === 'expect' && !isOfMigration ? [part, ...rest] : place(problem);
  };
}

/** The path of a refused write: one of the two parties of a move, or the argument that the write implements. */
function placeInMove({ migration, places }: Parties, path: Path): Place {
  return (problem) => (problem.code === 'CONSUMER_CONFLICT' ? places[problem.consumer === migration ? 'migration' : 'instance'] : path);
}
