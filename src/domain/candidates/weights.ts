// Adds up weights of several kinds, such as free memory and free disk. To make them comparable, each kind is scaled to 0 to 1 between the lowest and the
// highest weight of all elements compared, and then multiplied. Pure; knows nothing of what is weighed.

/** One kind of weight. */
export interface Weigher<Weighed> {
  readonly weightOf: (weighed: Weighed) => number;
  /** One for all elements, or one for each. */
  readonly multiplier: number | ((weighed: Weighed) => number);
  /** The lower end of the range, instead of the lowest weight; lower weights count as this. */
  readonly least?: number;
}

/** One kind of weight of all elements. */
interface Column<Weighed> {
  readonly weigher: Weigher<Weighed>;
  readonly weights: Float64Array;
  /** The multiplier of all elements, or of each. */
  readonly factors: number | Float64Array;
}

/** The weights of elements. Single ones can be updated, so that many choices from one list weigh again only the elements that changed. */
export class WeightTable<Weighed> {
  private readonly size: number;
  private readonly columns: readonly Column<Weighed>[];

  constructor(elements: readonly Weighed[], weighers: readonly Weigher<Weighed>[]) {
    this.size = elements.length;
    this.columns = weighers.flatMap((weigher) => {
      const { multiplier } = weigher;
      if (multiplier === 0) return [];
      const weights = new Float64Array(elements.length);
      for (let place = 0; place < elements.length; place++) weights[place] = weightIn(weigher, elements[place] as Weighed);
      const factors = typeof multiplier === 'number' ? multiplier : Float64Array.from(elements, multiplier);
      return [{ weigher, weights, factors }];
    });
  }

  /** Weighs one element again. Its multipliers do not change. */
  update(place: number, element: Weighed): void {
    for (const { weigher, weights } of this.columns) weights[place] = weightIn(weigher, element);
  }

  /**
   * The sum for each element: the higher, the better. Only included elements (1) are compared and have a sum. A single one has nothing to be compared with,
   * and weighs 0.
   */
  sums(included: Uint8Array = new Uint8Array(this.size).fill(1)): Float64Array {
    const sums = new Float64Array(this.size);
    if (count(included) < 2) return sums;
    for (const { weigher, weights, factors } of this.columns) {
      let [low, high] = [weigher.least ?? Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let place = 0; place < this.size; place++) {
        if (included[place] === 0) continue;
        const weight = weights[place] as number;
        if (weight < low) low = weight;
        if (weight > high) high = weight;
      }
      const range = high - low;
      if (range === 0) continue;
      for (let place = 0; place < this.size; place++) {
        if (included[place] === 0) continue;
        const factor = typeof factors === 'number' ? factors : (factors[place] as number);
        sums[place] = (sums[place] as number) + (factor * ((weights[place] as number) - low)) / range;
      }
    }
    return sums;
  }
}

function weightIn<Weighed>({ weightOf, least }: Weigher<Weighed>, element: Weighed): number {
  return Math.max(weightOf(element), least ?? Number.NEGATIVE_INFINITY);
}

function count(included: Uint8Array): number {
  let sum = 0;
  for (const one of included) sum += one;
  return sum;
}
