// What the consumers of projects held over a period: amounts times time, by project, type and class. Exact: integers of microseconds.

export interface HeldAmounts {
  /** External id. */
  readonly project: string;
  /** Null for consumers without a type. */
  readonly consumerType: string | null;
  readonly resourceClassName: string;
}

/** Units times microseconds. */
export interface HeldOverTime extends HeldAmounts {
  readonly amount: bigint;
}

/** Adds up by project, type and class. */
export class UsageTally {
  readonly #sums = new Map<string, HeldOverTime>();

  add({ project, consumerType, resourceClassName, amount }: HeldOverTime): void {
    const key = JSON.stringify([project, consumerType, resourceClassName]);
    this.#sums.set(key, { project, consumerType, resourceClassName, amount: amount + (this.#sums.get(key)?.amount ?? 0n) });
  }

  /** What is not 0, in order. */
  rows(): HeldOverTime[] {
    const rows = [...this.#sums.values()].filter(({ amount }) => amount !== 0n);
    return rows.sort(
      (one, other) =>
        compare(one.project, other.project) ||
        compare(one.consumerType ?? '', other.consumerType ?? '') ||
        compare(one.resourceClassName, other.resourceClassName),
    );
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const microseconds = 1_000_000n;

/**
 * Units times seconds, exactly. Below 0 only if a consumer was written and released by transactions that began in the other order, perhaps a second apart.
 */
export function unitSeconds(amount: bigint): string {
  if (amount < 0n) return `-${unitSeconds(-amount)}`;
  return `${amount / microseconds}.${String(amount % microseconds).padStart(6, '0')}`;
}

/** Units times hours, as near as a number can be. */
export function unitHours(amount: bigint): number {
  return Number(amount) / 3.6e9;
}
