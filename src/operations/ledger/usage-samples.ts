// Usage and capacity of the whole cloud over time, from the samples that gateways take: a day costs the same, however much is written.

import type { Db } from '../../db/sql/client.ts';
import { deleteOldUsageSamples, insertUsageSample, selectUsageSamples } from '../../db/usage-samples.ts';
import type { UsageAt } from '../../domain/history.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { isGap, type SampledTotal, sampleSeconds } from '../../domain/usage-samples.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface CloudUsageSample {
  /** RFC 3339. */
  readonly at: string;
  /** Whether samples are missing between the previous one and this. */
  readonly followsGap: boolean;
  readonly ownUsages: readonly UsageAt[];
  readonly sharedUsages: readonly UsageAt[];
}

export interface UsageSamplesInput {
  readonly from: string;
  readonly until?: Optional<string>;
  readonly stepSeconds: number;
  readonly resourceClasses?: Optional<readonly string[]>;
}

/** The first sample of each step. One statement. Refuses INVALID_INPUT. */
export async function listUsageSamples({ db }: RequestScope, input: UsageSamplesInput): Promise<CloudUsageSample[]> {
  const { from, stepSeconds, resourceClasses } = input;
  const now = new Date();
  const until = input.until ?? now.toISOString();
  const check = new InputCheck();
  if (resourceClasses) {
    check.size(['resourceClasses'], resourceClasses, 0, limits.classesAsked);
    for (const [index, name] of resourceClasses.entries()) check.className(['resourceClasses', index], name);
  }
  const span = (Date.parse(until) - Date.parse(from)) / 1000;
  if (stepSeconds < sampleSeconds)
    check.add(['stepSeconds'], `stepSeconds must be at least ${sampleSeconds}: samples are taken once a minute`);
  else if (span < 0) check.add(['until'], 'until is before from');
  else if (span / stepSeconds >= limits.usageSamples) {
    const smallest = Math.floor(span / limits.usageSamples) + 1;
    check.add(['stepSeconds'], `at most ${limits.usageSamples} samples are returned: use a step of ${smallest} seconds`);
  }
  check.done();
  const rows = await selectUsageSamples(db, { from, until, stepSeconds });
  const wanted = resourceClasses ? new Set(resourceClasses) : null;
  return rows.map(({ at, totals }, index) => {
    const before = rows[index - 1];
    const shown = wanted ? totals.filter(([, name]) => wanted.has(name)) : totals;
    return {
      at,
      followsGap: before !== undefined && isGap(new Date(before.at), new Date(at), stepSeconds, now),
      ownUsages: shown.filter(([isShared]) => !isShared).map(usageOf),
      sharedUsages: shown.filter(([isShared]) => isShared).map(usageOf),
    };
  });
}

function usageOf([, resourceClassName, providers, total, reserved, capacity, used]: SampledTotal): UsageAt {
  return { resourceClassName, providers, total, reserved, capacity, used };
}

/** Takes the sample of this minute unless there is one. Returns whether it did. */
export function takeUsageSample(db: Db): Promise<boolean> {
  return insertUsageSample(db);
}

/** Deletes samples that are too old, and thins out old ones. Returns how many it deleted. */
export async function thinUsageSamples(db: Db, days: number): Promise<number> {
  let deleted = 0;
  for (let some = await deleteOldUsageSamples(db, days); some > 0; some = await deleteOldUsageSamples(db, days)) deleted += some;
  return deleted;
}
