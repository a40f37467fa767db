// Adds up weights of several kinds, such as free memory and free disk, after they have been made comparable: each is stretched to 0 to 1 between the least
// and the most of all that are compared, and multiplied. Pure; knows nothing of what is weighed.

/** One kind of weight. */
export interface Weigher<Weighed> {
  readonly weightOf: (weighed: Weighed) => number;
  readonly multiplierOf: (weighed: Weighed) => number;
  /** Where the range begins, instead of at the least weight; weights below count as this. */
  readonly least?: number;
}

/** The sum for each element: the higher, the better. A single element is not compared with anything, and weighs 0. */
export function sumWeights<Weighed>(elements: readonly Weighed[], weighers: readonly Weigher<Weighed>[]): Float64Array {
  const sums = new Float64Array(elements.length);
  if (elements.length < 2) return sums;
  const weights = new Float64Array(elements.length);
  for (const { weightOf, multiplierOf, least } of weighers) {
    let [low, high] = [least ?? Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let place = 0; place < elements.length; place++) {
      const weight = Math.max(weightOf(elements[place] as Weighed), least ?? Number.NEGATIVE_INFINITY);
      weights[place] = weight;
      if (weight < low) low = weight;
      if (weight > high) high = weight;
    }
    const range = high - low;
    if (range === 0) continue;
    for (let place = 0; place < elements.length; place++) {
      sums[place] = (sums[place] as number) + (multiplierOf(elements[place] as Weighed) * ((weights[place] as number) - low)) / range;
    }
  }
  return sums;
}
