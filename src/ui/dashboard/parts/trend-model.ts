// A trend as lines: how much was in use at each moment, in parts separated by gaps without samples.

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

/** The same moments, with nothing of each class that a moment does not name: for answers that leave out what is not there. */
export function withNothing(moments: readonly UsageMoment[]): UsageMoment[] {
  const names = [...new Set(moments.flatMap(({ usages }) => usages.map(({ resourceClassName }) => resourceClassName)))];
  return moments.map((moment) => {
    const known = new Map(moment.usages.map((usage) => [usage.resourceClassName, usage]));
    return {
      ...moment,
      usages: names.map((resourceClassName) => known.get(resourceClassName) ?? { resourceClassName, used: 0, capacity: 0 }),
    };
  });
}

/** The classes with amounts at more than one moment, by name. */
export function classesIn(moments: readonly UsageMoment[]): string[] {
  const names = new Set(moments.flatMap(({ usages }) => usages.map(({ resourceClassName }) => resourceClassName)));
  return [...names].filter((name) => pointsIn(moments, name).length > 1).toSorted();
}

/** The size of the picture. */
export const trendBox = { width: 288, height: 24 } as const;

/** Differences below a fiftieth of the amounts would look like more than they are. */
const smallestPart = 0.02;

/** Paths of lines, one for each part without gaps, from the least at the bottom to the most at the top. */
export function trendPaths(points: readonly TrendPoint[]): string[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return [];
  const [begin, end] = [Date.parse(first.at), Date.parse(last.at)];
  const { least, most } = extremesOf(points);
  const value = valueIn(points);
  const height = Math.max(most - least, most * smallestPart) || 1;
  const bottom = (least + most - height) / 2;
  const x = ({ at }: TrendPoint) => round(end === begin ? 0 : ((Date.parse(at) - begin) / (end - begin)) * trendBox.width);
  const y = (point: TrendPoint) => round(1 + (trendBox.height - 2) * (1 - (value(point) - bottom) / height));
  return partsOf(points).flatMap((part) => (part.length < 2 ? [] : [`M${part.map((point) => `${x(point)} ${y(point)}`).join('L')}`]));
}

/** Whether all moments have a capacity, so that they can be compared by the part of it that was in use. */
const haveCapacity = (points: readonly TrendPoint[]) => points.every(({ capacity }) => capacity > 0);
const valueIn = (points: readonly TrendPoint[]) =>
  haveCapacity(points) ? ({ used, capacity }: TrendPoint) => used / capacity : ({ used }: TrendPoint) => used;

function extremesOf(points: readonly TrendPoint[]): { readonly least: number; readonly most: number } {
  const values = points.map(valueIn(points));
  return { least: Math.min(...values), most: Math.max(...values) };
}

/** The points between gaps. */
export function partsOf<Point extends { readonly followsGap: boolean }>(points: readonly Point[]): Point[][] {
  const parts: Point[][] = [];
  for (const point of points) {
    if (point.followsGap || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(point);
  }
  return parts;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** "52 to 58 %, +1.2 points in a day": between which bounds the line is, and what changed; null if there is nothing to compare. */
export function trendCaption(points: readonly TrendPoint[], format: (amount: number) => string): string | null {
  const words = trendWords(points, format);
  if (words === null) return null;
  const { least, most } = extremesOf(points);
  const unit = haveCapacity(points) ? ' %' : '';
  const [low, high] = unit ? [String(Math.round(least * 100)), String(Math.round(most * 100))] : [format(least), format(most)];
  return `${low === high ? `${low}${unit}` : `${low} to ${high}${unit}`}, ${words}`;
}

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
  if (hours >= 36) return `${Math.round(hours / 24)} days`;
  if (hours >= 23) return 'a day';
  if (hours >= 1.5) return `${Math.round(hours)} hours`;
  const minutes = Math.max(1, Math.round(hours * 60));
  return minutes === 60 ? 'an hour' : minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
