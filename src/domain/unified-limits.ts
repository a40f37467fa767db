// The unified limits of Keystone as quotas: which of them bound what consumers hold, and whose they are.
import type { Quota, QuotaSettings, QuotaSubject } from './quota.ts';
import { resourceClassNameFault } from './text.ts';

/** A limit of a service in a region. */
export interface UnifiedLimit {
  readonly resourceName: string;
  /** -1 without a bound. */
  readonly amount: number;
  /** The id of the project or domain; null for a registered limit, the default of all. */
  readonly owner: string | null;
}

/** All limits of a service in a region. */
export interface UnifiedLimits {
  readonly limits: readonly UnifiedLimit[];
  /** The domains of all projects, by the ids of the projects; empty unless Keystone enforces two levels. */
  readonly domains: ReadonlyMap<string, string>;
}

/** Quotas as they are to be set for a project, or as defaults. */
export type WantedQuotas = Pick<QuotaSettings, 'parent' | 'quotas'>;

/** What a limit of this name bounds; null if it is not about what consumers hold, such as `server_key_pairs`. */
export function subjectOfLimit(resourceName: string): QuotaSubject | null {
  if (resourceName === 'servers') return { user: null, consumerType: 'INSTANCE', resourceClass: null };
  if (!resourceName.startsWith('class:')) return null;
  const resourceClass = resourceName.slice('class:'.length);
  return resourceClassNameFault(resourceClass) === null ? { user: null, consumerType: null, resourceClass } : null;
}

/**
 * The quotas that follow from limits, by project. Those of domains come first and the defaults (null) last, because the old defaults bind projects without a quota
 * of their own until then. Quotas that are no longer wanted are emptied after the defaults. `ignored` names the limits of other resources, and those of classes
 * missing in `classes`. Yields to other work now and then.
 */
export function* quotasOfLimits(
  { limits, domains }: UnifiedLimits,
  classes: ReadonlySet<string>,
): Generator<undefined, { readonly wanted: ReadonlyMap<string | null, WantedQuotas>; readonly ignored: readonly string[] }> {
  const ignored = new Set<string>();
  const byOwner = new Map<string | null, Quota[]>();
  for (const { resourceName, amount, owner } of limits) {
    yield;
    const subject = subjectOfLimit(resourceName);
    if (subject === null || (subject.resourceClass !== null && !classes.has(subject.resourceClass))) {
      ignored.add(resourceName);
      continue;
    }
    const quotas = byOwner.get(owner) ?? [];
    byOwner.set(owner, quotas);
    quotas.push({ ...subject, amount: amount < 0 ? null : amount });
  }
  const wanted = new Map<string | null, WantedQuotas>();
  const above = [...new Set(domains.values())].filter((domain) => byOwner.has(domain));
  for (const owner of [...above, ...domains.keys(), ...byOwner.keys()]) {
    yield;
    if (owner !== null) wanted.set(owner, { parent: domains.get(owner) ?? null, quotas: byOwner.get(owner) ?? [] });
  }
  wanted.set(null, { parent: null, quotas: byOwner.get(null) ?? [] });
  return { wanted, ignored: [...ignored].toSorted() };
}

/** Whether two sets of quotas say the same, in any order. */
export function areSameQuotas(one: WantedQuotas, other: WantedQuotas): boolean {
  return one.parent === other.parent && one.quotas.length === other.quotas.length && textOf(one) === textOf(other);
}

function textOf({ quotas }: WantedQuotas): string {
  const texts = quotas.map(({ user, consumerType, resourceClass, aggregate = null, amount }) =>
    JSON.stringify([resourceClass, consumerType, user, aggregate, amount]),
  );
  return texts.toSorted().join();
}
