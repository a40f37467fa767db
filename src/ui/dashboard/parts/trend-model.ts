// A trend as steps: how much of the capacity was in use at each moment, in parts separated by gaps without samples.

export interface TrendPoint {
  /** RFC 3339. */
  readonly at: string;
  readonly used: number;
  /** 0 if there is none, as for projects. */
  readonly capacity: number;
  /** Whether the time before it is unknown. */
  readonly followsGap: boolean;
}

/** The use of several classes at one moment. */
export interface UsageMoment {
  readonly at: string;
  readonly followsGap: boolean;
  readonly usages: readonly { readonly resourceClassName: string; readonly used: number; readonly capacity: number }[];
}

/** The moments that have an amount of a class. */
export function pointsIn(moments: readonly UsageMoment[], resourceClass: string): TrendPoint[] {
  return moments.flatMap(({ at, followsGap, usages }) => {
    const usage = usages.find(({ resourceClassName }) => resourceClassName === resourceClass);
    return usage ? [{ at, followsGap, used: usage.used, capacity: usage.capacity }] : [];
  });
}

/** The classes with amounts at more than one moment, by name. */
export function classesIn(moments: readonly UsageMoment[]): string[] {
  const names = new Set(moments.flatMap(({ usages }) => usages.map(({ resourceClassName }) => resourceClassName)));
  return [...names].filter((name) => pointsIn(moments, name).length > 1).toSorted();
}

/** The size of the picture. */
export const trendBox = { width: 288, height: 24 } as const;

/** Paths of areas, one for each part without gaps. With a capacity the height is 100 %, otherwise the largest use. */
export function trendPaths(points: readonly TrendPoint[]): string[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return [];
  const [begin, end] = [Date.parse(first.at), Date.parse(last.at)];
  const most = Math.max(1, ...points.map(({ used }) => used));
  const x = ({ at }: TrendPoint) => round(end === begin ? 0 : ((Date.parse(at) - begin) / (end - begin)) * trendBox.width);
  const y = ({ used, capacity }: TrendPoint) => round(trendBox.height * (1 - Math.min(1, capacity > 0 ? used / capacity : used / most)));
  return partsOf(points).flatMap((part) => {
    const [from] = part;
    const to = part.at(-1);
    if (!from || !to || from === to) return [];
    const steps = part.map((point) => `H${x(point)}V${y(point)}`).join('');
    return [`M${x(from)} ${trendBox.height}${steps}V${trendBox.height}Z`];
  });
}

function partsOf(points: readonly TrendPoint[]): TrendPoint[][] {
  const parts: TrendPoint[][] = [];
  for (const point of points) {
    if (point.followsGap || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(point);
  }
  return parts;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** "+1.2 points in a day", "−12 in 3 hours"; null if there is nothing to compare. `format` formats amounts. */
export function trendWords(points: readonly TrendPoint[], format: (amount: number) => string): string | null {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || first === last) return null;
  const hours = (Date.parse(last.at) - Date.parse(first.at)) / 3_600_000;
  const gaps = points.some(({ followsGap }) => followsGap) ? ', with gaps' : '';
  if (first.capacity > 0 && last.capacity > 0) {
    const points100 = round((last.used / last.capacity - first.used / first.capacity) * 100);
    return `${signed(points100, String)} ${Math.abs(points100) === 1 ? 'point' : 'points'} in ${spanWords(hours)}${gaps}`;
  }
  return `${signed(last.used - first.used, format)} in ${spanWords(hours)}${gaps}`;
}

function signed(value: number, format: (amount: number) => string): string {
  if (value === 0) return '±0';
  return `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}

function spanWords(hours: number): string {
  if (hours >= 23) return 'a day';
  if (hours >= 1.5) return `${Math.round(hours)} hours`;
  const minutes = Math.max(1, Math.round(hours * 60));
  return minutes === 60 ? 'an hour' : minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
