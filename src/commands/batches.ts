// Cuts long lists into pieces that one statement, or one round of requests, takes at a time.

/** The items in their order, `size` at a time. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
