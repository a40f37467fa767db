// What a bar shows of an inventory or of a sum of several: shares of its length, and the same in words. The length is the total times the ratio: used, then free,
// then reserved.
import { formatAmount, formatCount, formatPartOf, formatShare } from './amounts.ts';

export interface Amounts {
  readonly resourceClass: { readonly name: string };
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  /** Absent in sums, where it is derived from the capacity. */
  readonly allocationRatio?: number;
}

export interface BarModel {
  /** Shares of the length, 0 to 1; `used` never passes `capacity`. */
  readonly used: number;
  readonly capacity: number;
  /** Where over-commit begins; null without over-commit. */
  readonly notch: number | null;
  readonly isOver: boolean;
  /** Colour by use: 0 empty, 1 above 0, then from 20, 40, 60, 80 and 95 % on. */
  readonly step: number;
  readonly percent: string;
  /** "17 of 128". */
  readonly amounts: string;
  /** "111 free", or by how much it is over. */
  readonly room: string;
  /** The whole bar in words, for people who do not see it. */
  readonly words: string;
}

const thresholds = [0.2, 0.4, 0.6, 0.8, 0.95];

export function stepOf(used: number, capacity: number): number {
  if (used <= 0) return 0;
  const share = capacity > 0 ? used / capacity : 1;
  return 1 + thresholds.filter((threshold) => share >= threshold).length;
}

function lengthOf({ total, reserved, capacity, allocationRatio }: Amounts): number {
  const offered = total - reserved;
  const ratio = allocationRatio ?? (offered > 0 ? capacity / offered : 1);
  return Math.max(total * ratio, capacity, 0);
}

export function barOf(amounts: Amounts): BarModel {
  const { resourceClass, total, reserved, capacity, used } = amounts;
  const { name } = resourceClass;
  const length = lengthOf(amounts);
  const share = (amount: number) => (length > 0 ? Math.min(1, Math.max(0, amount / length)) : 0);
  const isOver = used > capacity;
  const offered = Math.max(0, total - reserved);
  const percent = formatShare(used, capacity);
  const room = isOver ? `${formatAmount(used - capacity, name)} over capacity` : `${formatAmount(capacity - used, name)} free`;
  const words = [
    `${name}: ${percent} used, ${formatCount(used)} of ${formatCount(capacity)}`,
    room,
    ...(reserved > 0 ? [`${formatAmount(reserved, name)} reserved`] : []),
    ...(capacity > offered ? [`over-commit begins at ${formatAmount(offered, name)}`] : []),
  ];
  return {
    used: isOver ? share(capacity) : share(used),
    capacity: share(capacity),
    notch: capacity > offered && offered > 0 ? share(offered) : null,
    isOver,
    step: stepOf(used, capacity),
    percent,
    amounts: formatPartOf(used, capacity, name),
    room,
    words: words.join(', '),
  };
}
