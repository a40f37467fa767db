// Instances that need a destination, and their migrations: the consumers of a claim after which an instance holds its destination and its migration the
// source, in one transaction.

import type { Forest } from '../../domain/candidates/forest.ts';
import type { RootRule } from '../../domain/candidates/request.ts';
import { invalidInput, problemOf, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { affinityIn } from '../../operations/allocations/affinity.ts';
import { findHolders, type Holder } from '../../operations/allocations/holdings.ts';
import type { ClaimConsumer } from '../../operations/candidates/claim-units.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import { findGivers } from '../../operations/ledger/events.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { instanceType, migrationType } from '../terms/consumer-types.ts';

/** An instance without a host, or, with a migration, an instance that leaves its host. */
export interface DestinationSeeker {
  readonly instance: string;
  readonly project: string;
  readonly user: string;
  readonly migration?: Optional<string>;
  /** Whether it leaves a dead host, whose allocations it keeps. */
  readonly evacuates?: Optional<boolean>;
  readonly expiry?: ClaimConsumer['expiry'];
  readonly reservation?: ClaimConsumer['reservation'];
}

export interface Moves {
  readonly consumers: readonly ClaimConsumer[];
  /** Uuids of the hosts that evacuated instances leave. */
  readonly leaving: readonly string[];
  /** Rules that exclude the hosts to leave, unless these may be chosen. */
  readonly rules: readonly RootRule[];
  readonly migrationOf: (instance: string) => string | null;
  /** The path of a consumer in the input. */
  readonly pathOf: (consumer: number, rest: readonly string[]) => Path;
}

/**
 * Finds the consumers to write. At most two statements. Refuses NOT_FOUND if neither a moving instance nor its migration has allocations, CONSUMER_CONFLICT
 * if both have. If only the migration has, just the destination is missing. Refuses INVALID_INPUT for the migration of another instance.
 */
export async function findMoves(
  scope: RequestScope,
  seekers: readonly DestinationSeeker[],
  { isRepeated, allowSource }: { readonly isRepeated: boolean; readonly allowSource: boolean },
): Promise<Moves> {
  const moving = seekers.filter(({ migration, evacuates }) => typeof migration === 'string' || evacuates);
  const uuids = moving.flatMap(({ instance, migration }) => [instance, migration ?? []].flat());
  const held = uuids.length > 0 && !isRepeated ? await findHolders(scope, uuids) : new Map<string, Holder>();
  const taking: { readonly consumer: ClaimConsumer; readonly index: number }[] = [];
  const leaving: Holder[] = [];
  const evacuated: Holder[] = [];
  const continued: Parameters<typeof refuseMigrationsOfOthers>[1][number][] = [];
  const consumers = seekers.map(({ instance, project, user, migration, evacuates, expiry, reservation }, index): ClaimConsumer => {
    const seeker = { consumer: instance, project, user, consumerType: instanceType, expiry, reservation };
    if (evacuates && typeof migration === 'string')
      throw invalidInput(
        ['instances', index, 'evacuates'],
        'must not be given with a migration: an evacuated instance keeps its source itself',
      );
    if (isRepeated) return { ...seeker, expect: { isNew: true } };
    if (evacuates) {
      const own = held.get(instance);
      if (!own) throw refused({ code: 'NOT_FOUND', details: { noun: 'consumer', key: instance } }, ['instances', index, 'instance']);
      evacuated.push(own);
      return { ...seeker, expect: { generation: own.generation }, keeps: own.allocations };
    }
    if (typeof migration !== 'string') return { ...seeker, expect: { isNew: true } };
    const [own, started] = [held.get(instance), held.get(migration)];
    const source = own ?? started;
    if (!source) throw refused({ code: 'NOT_FOUND', details: { noun: 'consumer', key: instance } }, ['instances', index, 'instance']);
    if (own && started) {
      const details = { consumer: migration, expected: null, actual: started.generation };
      throw refused({ code: 'CONSUMER_CONFLICT', details }, ['instances', index, 'migration']);
    }
    if (!own) {
      const path = ['instances', index, 'migration'];
      refuseForeign(source, { project, user }, path);
      continued.push({ instance, migration, path });
    }
    leaving.push(source);
    if (!own) return { ...seeker, expect: { isNew: true }, reservation: reservation ?? source.reservation };
    taking.push({ consumer: { consumer: migration, expect: { isNew: true }, takeFrom: instance, consumerType: migrationType }, index });
    return { ...seeker, expect: { generation: own.generation } };
  });
  await refuseMigrationsOfOthers(scope, continued);
  const barred = allowSource ? [] : leaving;
  const forest = barred.length + evacuated.length > 0 ? await forestOf(scope.db).current() : null;
  const left = forest ? sourcesOf(forest, seekers, evacuated) : [];
  const except = new Set([...left, ...(forest ? hostsOf(forest, barred) : [])]);
  return {
    consumers: [...consumers, ...taking.map(({ consumer }) => consumer)],
    leaving: left,
    rules: except.size > 0 ? [{ words: 'other than the hosts to leave', except }] : [],
    migrationOf: (instance) => moving.find((seeker) => seeker.instance === instance)?.migration ?? null,
    pathOf: (consumer, [part, ...rest]) => {
      const taker = taking[consumer - seekers.length];
      if (taker) return ['instances', taker.index, 'migration'];
      if (part === 'expect' || part === undefined) return ['instances', consumer];
      return ['instances', consumer, part === 'consumer' ? 'instance' : part, ...rest];
    },
  };
}

/** Refuses a migration whose uuid is an instance's, or which holds allocations for another project or user. */
function refuseForeign({ type, project, user }: Holder, seeker: Pick<DestinationSeeker, 'project' | 'user'>, path: Path): void {
  if (type === instanceType) throw invalidInput(path, 'must be that of a migration: an instance has this uuid');
  if (project === seeker.project && user === seeker.user) return;
  throw invalidInput(path, 'must be the migration of this instance: it holds allocations for another project or user');
}

/**
 * Refuses migrations that took over their allocations from other instances, as far as the ledger knows. The ledger is needed because a migration's allocations
 * do not name its instance, and the instance has none meanwhile. One statement, or none.
 */
export async function refuseMigrationsOfOthers(
  scope: RequestScope,
  pairs: readonly { readonly instance: string; readonly migration: string; readonly path: Path }[],
): Promise<void> {
  if (pairs.length === 0) return;
  const migrations = pairs.map(({ migration }) => migration);
  const givers = await findGivers(scope, migrations, instanceType);
  for (const { instance, migration, path } of pairs) {
    if (givers.get(migration)?.includes(instance) === false)
      throw invalidInput(path, 'must be the migration of this instance: it holds what another instance held');
  }
}

const refused = (reason: Parameters<typeof problemOf>[0], path: Path) => new Refusal([problemOf(reason, path)]);

/** The hosts on which these consumers have allocations. */
function hostsOf(forest: Forest, holders: readonly Holder[]): ReadonlySet<string> {
  return new Set(affinityIn(forest, { policy: 'ANY', perRoot: 1 }, holders).present.keys());
}

/** The hosts of evacuated instances. Refuses INVALID_INPUT for one that is on two: it already has a destination. */
function sourcesOf(forest: Forest, seekers: readonly DestinationSeeker[], evacuated: readonly Holder[]): string[] {
  for (const holder of evacuated) {
    if (hostsOf(forest, [holder]).size <= 1) continue;
    const index = seekers.findIndex(({ instance }) => instance === holder.uuid);
    throw invalidInput(['instances', index, 'evacuates'], 'already holds a destination beside its source');
  }
  return [...hostsOf(forest, evacuated)];
}
