// What is counted and timed anywhere in the process: numbers that only grow, by labels from fixed lists. Does not know how or why they are published;
// records a value in well below a microsecond. Snapshots of several processes can be added up.

/** The values of the labels, in their order, with a separator that occurs in none. */
type Key = string;
const separator = '\u0001';

/** The numbers of an instrument, in JSON: a count for each combination of labels, or counts by bucket with the sum at the end. */
export interface Measured {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of the buckets; null for counters. */
  readonly bounds: readonly number[] | null;
  readonly values: readonly (readonly [key: Key, numbers: readonly number[]])[];
}

/** More combinations than this are a defect of the recording code: further ones are counted as one. */
const mostCombinations = 1000;
const others = 'other';

abstract class Instrument {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly bounds: readonly number[] | null;
  readonly #values = new Map<Key, number[]>();

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[] | null) {
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.bounds = bounds;
  }

  protected numbersOf(values: readonly string[]): number[] {
    const key = values.length === 1 ? (values[0] as string) : values.join(separator);
    const known = this.#values.get(key);
    if (known) return known;
    const isOne = this.#values.size < mostCombinations;
    const place = isOne ? key : this.labels.map(() => others).join(separator);
    const numbers = this.#values.get(place) ?? new Array<number>(this.bounds === null ? 1 : this.bounds.length + 2).fill(0);
    this.#values.set(place, numbers);
    return numbers;
  }

  read(): Measured {
    const { name, help, labels, bounds } = this;
    return { name, help, labels, bounds, values: [...this.#values].map(([key, numbers]) => [key, [...numbers]] as const) };
  }
}

export class Counter extends Instrument {
  constructor(name: string, help: string, labels: readonly string[] = []) {
    super(name, help, labels, null);
  }

  /** `labels`: from fixed lists, never a caller's words. */
  add(amount: number, ...labels: string[]): void {
    const numbers = this.numbersOf(labels);
    numbers[0] = (numbers[0] as number) + amount;
  }
}

export class Histogram extends Instrument {
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, bounds: readonly number[], labels: readonly string[] = []) {
    super(name, help, labels, bounds);
    this.#bounds = bounds;
  }

  observe(value: number, ...labels: string[]): void {
    const numbers = this.numbersOf(labels);
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    numbers[bucket] = (numbers[bucket] as number) + 1;
    numbers[bounds.length + 1] = (numbers[bounds.length + 1] as number) + value;
  }
}

/** The sums of the measurements of several processes. */
export function addUp(all: readonly (readonly Measured[])[]): Measured[] {
  const sums = new Map<string, { readonly first: Measured; readonly values: Map<Key, number[]> }>();
  for (const one of all.flat()) {
    const sum = sums.get(one.name) ?? { first: one, values: new Map<Key, number[]>() };
    sums.set(one.name, sum);
    for (const [key, numbers] of one.values) {
      const known = sum.values.get(key);
      if (known) for (const [place, number] of numbers.entries()) known[place] = (known[place] ?? 0) + number;
      else sum.values.set(key, [...numbers]);
    }
  }
  return [...sums.values()].map(({ first, values }) => ({ ...first, values: [...values] }));
}

/** The values of the labels of a key. */
export function labelsOf(key: Key): readonly string[] {
  return key.split(separator);
}
