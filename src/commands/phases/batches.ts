// Splits long lists into batches for one statement, or one round of requests.

/** The items in order, `size` at a time. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
