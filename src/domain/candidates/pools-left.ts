// What is left of pools while requests take from them in turn.
import { type Batch, fitsOn, freeOf } from './fit-trees.ts';
import type { ForestProvider } from './forest.ts';

export class PoolsLeft {
  readonly #left = new Map<ForestProvider, Map<number, number>>();

  /** How many of a batch still fit. */
  mostOf({ times, fromPools }: Batch): number {
    return fromPools.reduce(
      (least, { provider, takes }) =>
        Math.min(
          least,
          fitsOn(takes, (classId) => this.#leftOf(provider, classId)),
        ),
      times,
    );
  }

  take({ fromPools }: Batch, times: number): void {
    for (const { provider, takes } of fromPools) {
      const own = this.#left.get(provider) ?? new Map<number, number>();
      this.#left.set(provider, own);
      for (const { classId, amount } of takes) own.set(classId, this.#leftOf(provider, classId) - times * amount);
    }
  }

  #leftOf(provider: ForestProvider, classId: number): number {
    return this.#left.get(provider)?.get(classId) ?? freeOf(provider, classId);
  }
}
