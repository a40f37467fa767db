// What was in use over some times, class by class: one question for all charts of a page. The answer stays until the times have moved on, and the question is
// cancelled when the page is left.
import { AskError } from '../../data/ask.ts';
import { useAsk } from '../../data/queries.ts';
import { classesIn, pointsIn, type TrendPoint, type UsageMoment, withNothing } from '../../parts/trend-model.ts';
import { type Times, timesSince } from './ranges.ts';
import { CloudTrend, type CloudTrendQuery, OldestEvent, UsageTrend, type UsageTrendQueryVariables } from './usage.generated.ts';

export type TrendSubject = UsageTrendQueryVariables['of'];

/** The use of a class; that of shared pools is separate. */
export interface Series {
  readonly title: string;
  readonly resourceClass: string;
  readonly points: readonly TrendPoint[];
}

interface PastUse {
  /** Null until they are known. */
  readonly series: readonly Series[] | null;
  readonly error: Error | null;
}

const noTimes: Times = { from: '', until: '', stepSeconds: 1 };
/** Until now, the end is left to the gateway: a database that has just begun refuses an end before its beginning. */
const askedOf = ({ from, until, stepSeconds }: Times, isUntilNow: boolean) => ({ from, until: isUntilNow ? null : until, stepSeconds });

/** Asks nothing without times. If older events have been deleted, shows what is left. */
export function usePastUse(of: TrendSubject, times: Times | null, isUntilNow: boolean): PastUse {
  const whole = useWhole(of, times, isUntilNow);
  const isCut = whole.error instanceof AskError && whole.error.code === 'HISTORY_GONE';
  const oldest = useAsk(OldestEvent, {}, { enabled: isCut });
  const since = oldest.data?.events.nodes[0]?.at;
  const left = isCut && times !== null && since !== undefined ? timesSince(times, since) : null;
  const rest = useWhole(of, left, isUntilNow);
  if (!isCut) return whole;
  if (oldest.error !== null) return { series: null, error: oldest.error };
  return oldest.data !== undefined && left === null ? { series: [], error: null } : rest;
}

function useWhole(of: TrendSubject, times: Times | null, isUntilNow: boolean): PastUse {
  const asked = askedOf(times ?? noTimes, isUntilNow);
  const isCloud = of.cloud === true;
  // While the time moves on, the charts stay.
  const keepsPrevious = ({ stepSeconds, of: previous }: { readonly stepSeconds: number; readonly of?: TrendSubject }) =>
    stepSeconds === asked.stepSeconds && (isCloud || JSON.stringify(previous) === JSON.stringify(of));
  const cloud = useAsk(CloudTrend, asked, { enabled: times !== null && isCloud, isPast: true, keepsPrevious });
  const part = useAsk(UsageTrend, { of, ...asked }, { enabled: times !== null && !isCloud, isPast: true, keepsPrevious });
  if (isCloud) return { series: cloud.data ? seriesOfCloud(cloud.data.usageSamples) : null, error: cloud.error };
  const moments = part.data?.usageHistory.samples.map((sample) => ({ ...sample, followsGap: false }));
  return { series: moments ? seriesOf(withNothing(moments), '') : null, error: part.error };
}

function seriesOfCloud(samples: CloudTrendQuery['usageSamples']): Series[] {
  return [
    ...seriesOf(
      samples.map(({ ownUsages, ...moment }) => ({ ...moment, usages: ownUsages })),
      '',
    ),
    ...seriesOf(
      samples.map(({ sharedUsages, ...moment }) => ({ ...moment, usages: sharedUsages })),
      ', shared pools',
    ),
  ];
}

const seriesOf = (moments: readonly UsageMoment[], which: string): Series[] =>
  classesIn(moments).map((name) => ({ title: `${name}${which}`, resourceClass: name, points: pointsIn(moments, name) }));
