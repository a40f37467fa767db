// Formats amounts of resource classes: three digits with a suitable unit, and the exact number beside it. MEMORY_MB counts MiB and DISK_GB counts GiB, despite
// their names.

const binaryUnits = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'];
/** Resource classes whose amounts are bytes, with the position of their unit. */
const bytes: Readonly<Record<string, number>> = { MEMORY_MB: 1, NUMA_MEMORY_MB: 1, DISK_GB: 2 };

const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

interface Scale {
  readonly unit: string;
  readonly divisor: number;
}

/** The unit in which `amount` has at most three digits before the point. */
export function scaleOf(amount: number, resourceClass: string): Scale | null {
  const start = bytes[resourceClass];
  if (start === undefined) return null;
  let position = start;
  let divisor = 1;
  while (Number(threeDigits.format(Math.abs(amount) / divisor)) >= 1000 && position < binaryUnits.length - 1) {
    position += 1;
    divisor *= 1024;
  }
  return { unit: binaryUnits[position] ?? '', divisor };
}

function inScale(amount: number, scale: Scale | null): string {
  if (scale) return threeDigits.format(amount / scale.divisor);
  return Math.abs(amount) < 100_000 ? exact.format(amount) : short.format(amount);
}

const withUnit = (text: string, scale: Scale | null) => (scale ? `${text} ${scale.unit}` : text);

/** "3.47 TiB", "17", "1.73M". */
export function formatAmount(amount: number, resourceClass: string): string {
  const scale = scaleOf(amount, resourceClass);
  return withUnit(inScale(amount, scale), scale);
}

/** "3.47 of 3.81 TiB", "17 of 128": both in the unit of the whole, unless the part would vanish in it. */
export function formatPartOf(part: number, whole: number, resourceClass: string): string {
  const scale = scaleOf(whole, resourceClass);
  if (scale && part !== 0 && Math.abs(part / scale.divisor) < 0.01) {
    return `${formatAmount(part, resourceClass)} of ${formatAmount(whole, resourceClass)}`;
  }
  return `${inScale(part, scale)} of ${withUnit(inScale(whole, scale), scale)}`;
}

/** "3,555,123 MiB of MEMORY_MB", "17 of VCPU": as it is stored. */
export function exactAmount(amount: number, resourceClass: string): string {
  const unit = unitOf(resourceClass);
  return `${exact.format(amount)}${unit === null ? '' : ` ${unit}`} of ${resourceClass}`;
}

/** The unit of the amounts of a class, if it has a name. */
export function unitOf(resourceClass: string): string | null {
  const start = bytes[resourceClass];
  return start === undefined ? null : (binaryUnits[start] ?? null);
}

/** "1,204". */
export const formatCount = (count: number): string => exact.format(count);

/** "68 %". Only an empty inventory has 0 %, and only a full one 100 %; nothing of nothing is 0 %. */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return part > 0 ? 'over' : '0 %';
  const percent = (100 * part) / whole;
  if (percent < 1) return '<1 %';
  if (percent > 99 && percent < 100) return '>99 %';
  return `${exact.format(Math.round(percent))} %`;
}
