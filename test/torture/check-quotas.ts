// Whether quotas bind: no write that obeys them takes more than one lets it. Uses only the recorded operations and the rows of events.
import type { LedgerEvent, Operation, State, Violation } from './history.ts';
import { replay, type States } from './replay.ts';

interface Quota {
  readonly user: string | null;
  readonly consumerType: string | null;
  readonly resourceClass: string | null;
  readonly aggregate?: string | null;
  readonly amount: number | null;
}

interface Settings {
  readonly name: string;
  readonly parent: string | null;
  readonly quotas: readonly Quota[];
}

const bound = /^(replaceAllocations|claim|selectDestinations|claimAlternate|startMigration)$|^P(UT|OST) \/allocations/;

export function checkQuotas(history: readonly Operation[], events: readonly LedgerEvent[]): Violation[] {
  const violations: Violation[] = [];
  const obeying = new Set(history.flatMap(({ id, name }) => (bound.test(name) ? [id] : [])));
  for (const { event, was, states } of replay(events)) {
    if (!obeying.has(event.tag ?? '') || states.quotas.size === 0) continue;
    const { defaults, own } = settingsIn(states);
    const changed = Object.keys(event.changes.consumers ?? {}).map(
      (uuid) => [was('consumers', uuid), states.consumers.get(uuid) ?? null] as const,
    );
    const parentOf = (project: unknown) => own.get(String(project))?.parent ?? null;
    const whose = new Set(changed.flat().flatMap((state) => (state ? [String(state.project), parentOf(state.project)] : [])));
    for (const project of whose) {
      if (project === null) continue;
      const holders = [...states.consumers.values()].filter((state) => state.project === project || parentOf(state.project) === project);
      const counts = (quota: Quota) => (state: State | null) =>
        state !== null && (state.project === project || parentOf(state.project) === project) ? amountIn(state, quota, states) : 0;
      for (const quota of quotasOf(project, own, defaults)) {
        const count = counts(quota);
        const gain = changed.reduce((sum, [before, after]) => sum + count(after) - count(before), 0);
        if (quota.amount === null || gain <= 0) continue;
        const used = holders.reduce((sum, state) => sum + count(state), 0);
        if (used > quota.amount)
          violations.push({
            anomaly: 'quota exceeded',
            text: `event ${event.id} makes ${project} hold ${used} of ${JSON.stringify(quota)}`,
          });
      }
    }
  }
  return violations;
}

function settingsIn({ quotas }: States): { readonly defaults: readonly Quota[]; readonly own: ReadonlyMap<string, Settings> } {
  const all = [...quotas].map(([key, state]) => [key.startsWith('default_'), state as unknown as Settings] as const);
  return {
    defaults: all.find(([isDefault]) => isDefault)?.[1].quotas ?? [],
    own: new Map(all.flatMap(([isDefault, settings]) => (isDefault ? [] : [[settings.name, settings]]))),
  };
}

/** Its own, and the defaults for what it has no quota of its own. */
function quotasOf(project: string, own: ReadonlyMap<string, Settings>, defaults: readonly Quota[]): readonly Quota[] {
  const keyOf = ({ user, consumerType, resourceClass, aggregate = null }: Quota) =>
    JSON.stringify([user, consumerType, resourceClass, aggregate]);
  return [...new Map([...defaults, ...(own.get(project)?.quotas ?? [])].map((quota) => [keyOf(quota), quota])).values()];
}

/** What a consumer counts against a quota of its project. */
function amountIn(state: State, { user, consumerType, resourceClass, aggregate = null }: Quota, states: States): number {
  if ((user ?? state.user) !== state.user || (consumerType ?? state.type) !== state.type) return 0;
  const rows = (state.allocations ?? []) as readonly { provider: string; resourceClass: string; amount: number }[];
  const there = aggregate === null ? rows : rows.filter(({ provider }) => isIn(aggregate, provider, states));
  if (resourceClass === null) return there.length > 0 ? 1 : 0;
  return there.reduce((sum, row) => sum + (row.resourceClass === resourceClass ? row.amount : 0), 0);
}

/** A provider is in the aggregates of its root. */
function isIn(aggregate: string, provider: string, { providers }: States): boolean {
  let root = providers.get(provider);
  while (root?.parent) root = providers.get(String(root.parent));
  return ((root?.aggregates ?? []) as readonly string[]).includes(aggregate);
}
