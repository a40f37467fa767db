// Moves of instances: while one is under way the source is held by the uuid of the migration and the destination by that of the instance,
// so that both are told apart and nothing is free in between. Each step can be repeated: a caller that crashed does the same again.
import { invalidInput, Refusal } from '../domain/errors.ts';
import { type AllocationInput, moveAllocations, releaseAllocations, replaceAllocations } from '../operations/allocation-writes.ts';
import { parseClaimToken } from '../operations/claim-token.ts';
import { findHolders, type Holder } from '../operations/holdings.ts';
import type { RequestScope } from '../operations/scope.ts';
import { compareHoldings } from './audit.ts';
import { instanceType, migrationType } from './consumer-types.ts';

type Optional<Value> = Value | null | undefined;

export interface MigrationStart {
  readonly instance: string;
  readonly migration: string;
  /** The token of the candidate to go to. Without it only the source changes hands, and the destination is claimed for the instance later. */
  readonly destination?: Optional<string>;
}

export interface MigrationStep {
  /** What the instance and the migration hold now; null for nothing. */
  readonly instance: Holder | null;
  readonly migration: Holder | null;
  /** False when the step had been done before. */
  readonly changed: boolean;
}

/**
 * Gives what the instance holds to the migration and, with a destination, takes that for the instance, in one transaction.
 * Repeated, it does what is left to do. Refuses NOT_FOUND when the instance holds nothing and neither does the migration, INVALID_INPUT when
 * the instance holds another destination already, and whatever the claim of a destination may be refused.
 */
export async function startMigration(scope: RequestScope, { instance, migration, destination }: MigrationStart): Promise<MigrationStep> {
  if (instance === migration) throw invalidInput(['migration'], 'migration must have a uuid of its own');
  const target = typeof destination === 'string' ? parseClaimToken(destination) : null;
  if (typeof destination === 'string' && target === null)
    throw invalidInput(['destination'], 'destination is not the token of a candidate');
  const held = await findHolders(scope, [instance, migration]);
  const [source, started] = [held.get(instance), held.get(migration)];
  if (!started) await handOver(scope, instance, migration, source, target);
  else if (!source && target) await claimDestination(scope, instance, started, target);
  else if (source && target && compareHoldings(target, source.allocations) !== 'RIGHT') {
    throw invalidInput(['destination'], `instance ${instance} holds another destination already: revert the migration first`);
  } else return step(scope, instance, migration, false);
  return step(scope, instance, migration, true);
}

/** The first step: nothing of the migration exists yet. */
async function handOver(
  scope: RequestScope,
  instance: string,
  migration: string,
  source: Holder | undefined,
  target: readonly AllocationInput[] | null,
): Promise<void> {
  if (!source) throw nothingHeld(instance, ['instance']);
  await writeAt(
    scope,
    ['instance'],
    [
      { consumer: migration, expect: { isNew: true }, hold: { takeFrom: instance }, type: migrationType },
      { consumer: instance, expect: { generation: source.generation }, hold: { allocations: target ?? [] } },
    ],
  );
}

/** The second step, after a first one without a destination. */
async function claimDestination(
  scope: RequestScope,
  instance: string,
  { project, user }: Holder,
  allocations: readonly AllocationInput[],
): Promise<void> {
  await writeAt(
    scope,
    ['destination'],
    [{ consumer: instance, expect: { isNew: true }, hold: { allocations }, project, user, type: instanceType }],
  );
}

export interface MigrationEnd {
  readonly instance: string;
  readonly migration: string;
}

/**
 * The instance stays where it went: the source is given free. Repeated, it changes nothing. Refuses NOT_FOUND when the instance holds
 * nothing: it would lose its place.
 */
export async function confirmMigration(scope: RequestScope, { instance, migration }: MigrationEnd): Promise<MigrationStep> {
  const held = await findHolders(scope, [instance, migration]);
  if (!held.has(instance)) throw nothingHeld(instance, ['instance']);
  const source = held.get(migration);
  if (source) {
    await at(['migration'], () =>
      releaseAllocations(scope, { consumers: [{ consumer: migration, expect: { generation: source.generation } }] }),
    );
  }
  return step(scope, instance, migration, source !== undefined);
}

/**
 * The instance is back where it was: it holds the source again, and the destination is given free, in one transaction. Repeated, it changes
 * nothing. Refuses NOT_FOUND when neither of them holds anything.
 */
export async function revertMigration(scope: RequestScope, { instance, migration }: MigrationEnd): Promise<MigrationStep> {
  const held = await findHolders(scope, [instance, migration]);
  const [own, source] = [held.get(instance), held.get(migration)];
  if (!source && !own) throw nothingHeld(migration, ['migration']);
  if (source) {
    await at(['migration'], () =>
      moveAllocations(scope, {
        from: migration,
        expectFrom: { generation: source.generation },
        to: instance,
        expectTo: own ? { generation: own.generation } : { isNew: true },
        toType: instanceType,
      }),
    );
  }
  return step(scope, instance, migration, source !== undefined);
}

async function step(scope: RequestScope, instance: string, migration: string, changed: boolean): Promise<MigrationStep> {
  const held = await findHolders(scope, [instance, migration]);
  return { instance: held.get(instance) ?? null, migration: held.get(migration) ?? null, changed };
}

function nothingHeld(consumer: string, path: readonly string[]): Refusal {
  const message = `Consumer ${consumer} holds nothing.`;
  return new Refusal([{ code: 'NOT_FOUND', message, path, details: { noun: 'consumer', key: consumer } }]);
}

function writeAt(scope: RequestScope, path: readonly string[], consumers: Parameters<typeof replaceAllocations>[1]['consumers']) {
  return at(path, () => replaceAllocations(scope, { consumers }));
}

/** Refusals of a write in words of another input: all of it was for the value at this path. */
async function at<Result>(path: readonly string[], run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.problems.map((problem) => ({ ...problem, path })));
  }
}
