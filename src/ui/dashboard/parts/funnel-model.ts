// Why nothing fits, as a funnel: each condition of a search with the trees before and after it.

export interface SearchStep {
  readonly suffix: string | null;
  readonly filter: string;
  readonly rootsBefore: number;
  readonly rootsAfter: number;
}

export interface FunnelRow {
  readonly words: string;
  readonly left: number;
  readonly lost: number;
  /** Shares of the trees that the search began with. */
  readonly before: number;
  readonly after: number;
  /** Whether this condition left nothing. */
  readonly empties: boolean;
}

/** Conditions that cost nothing are many and say little: they are counted, not shown, unless nothing else was asked. */
export function funnelOf(steps: readonly SearchStep[]): { readonly rows: readonly FunnelRow[]; readonly harmless: number } {
  const most = Math.max(1, ...steps.map(({ rootsBefore }) => rootsBefore));
  const rows = steps.map(({ suffix, filter, rootsBefore, rootsAfter }) => ({
    words: suffix === null || suffix === '' ? filter : `${filter} (group ${suffix})`,
    left: rootsAfter,
    lost: rootsBefore - rootsAfter,
    before: rootsBefore / most,
    after: rootsAfter / most,
    empties: rootsBefore > 0 && rootsAfter === 0,
  }));
  const telling = rows.filter(({ lost }) => lost > 0);
  return { rows: telling, harmless: rows.length - telling.length };
}
