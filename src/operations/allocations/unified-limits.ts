// Lets the quotas of projects follow the unified limits of Keystone.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectProjectQuotas } from '../../db/quotas.ts';
import { selectResourceClassesByNames } from '../../db/resource-classes.ts';
import type { Db } from '../../db/sql/client.ts';
import { Refusal } from '../../domain/errors.ts';
import { plainIdentity } from '../../domain/identity.ts';
import type { QuotaSettings } from '../../domain/quota.ts';
import { areSameQuotas, quotasOfLimits, subjectOfLimit, type UnifiedLimits, type WantedQuotas } from '../../domain/unified-limits.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import { Scope } from '../scope/scope.ts';
import { findQuotas, replaceQuotas } from './quotas.ts';

/** What a round did. */
interface FollowedLimits {
  /** Projects whose quotas were replaced, with the defaults for all as one. */
  readonly replaced: number;
  /** Why those of others could not be. */
  readonly refused: readonly string[];
  /** Whether something else replaced quotas meanwhile, such as another gateway that follows the same limits: the rest is left to the next round. */
  readonly isOvertaken: boolean;
  /** What kept the rest from being replaced, such as a database that is too busy. */
  readonly failure?: unknown;
  /** Names of limits that are no quotas here. */
  readonly ignored: readonly string[];
}

/** The user of the events. */
const user = 'limits-of-keystone';
const rowsAtOnce = 1000;
const none: QuotaSettings = { generation: 0, parent: null, quotas: [] };

/**
 * Replaces the quotas that differ from the limits, one after another: each replacement holds up other writes for a moment, so they get as much time after it as it took.
 * Quotas without a limit are emptied. Any number of gateways can do this at the same time.
 */
export async function followLimits(db: Db, limits: UnifiedLimits): Promise<FollowedLimits> {
  const scope = new Scope({ db, identity: plainIdentity('keystone', user, null, []), requestId: `req-${randomUUID()}` });
  const names = [...new Set(limits.limits.map(({ resourceName }) => resourceName))];
  const ofClasses = names.map((name) => subjectOfLimit(name)?.resourceClass ?? null).filter((name) => name !== null);
  const classes = await selectResourceClassesByNames(db, ofClasses);
  const { wanted, ignored } = await workInTurn(quotasOfLimits(limits, new Set(classes.map(({ name }) => name))));
  const differing = await workInTurn(differences(await readStored(scope), wanted));
  const refused: string[] = [];
  let replaced = 0;
  for (const { project, generation, parent, quotas } of differing) {
    const beganAt = performance.now();
    try {
      await replaceQuotas(scope, { expect: { generation }, project, parentProject: parent, quotas });
      replaced += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) return { replaced, refused, isOvertaken: false, failure: error, ignored };
      if (error.problems[0]?.code === 'SETTINGS_CONFLICT') return { replaced, refused, isOvertaken: true, ignored };
      refused.push(`${project ?? 'the defaults'}: ${error.message}`);
    }
    await sleep(performance.now() - beganAt);
  }
  return { replaced, refused, isOvertaken: false, ignored };
}

/** All quotas that were set, by project. */
async function readStored(scope: Scope): Promise<Map<string | null, QuotaSettings>> {
  const stored = new Map<string | null, QuotaSettings>([[null, await findQuotas(scope, null)]]);
  for (let after = ''; ; ) {
    const rows = await selectProjectQuotas(scope.db, after, rowsAtOnce);
    for (const { project, settings } of rows) stored.set(project, settings);
    if (rows.length < rowsAtOnce) return stored;
    after = rows.at(-1)?.project ?? '';
  }
}

type Difference = QuotaSettings & { readonly project: string | null };

/** What to set, with the generation to expect: the wanted quotas in their order, then those that are no longer wanted, whose projects the new defaults bind at once. */
function* differences(
  stored: ReadonlyMap<string | null, QuotaSettings>,
  wanted: ReadonlyMap<string | null, WantedQuotas>,
): Generator<undefined, Difference[]> {
  const found: Difference[] = [];
  for (const project of new Set([...wanted.keys(), ...stored.keys()])) {
    yield;
    const [before, after] = [stored.get(project) ?? none, wanted.get(project) ?? none];
    if (!areSameQuotas(before, after)) found.push({ project, ...after, generation: before.generation });
  }
  return found;
}
