// Work that is done several at a time.

/** Processes all items, `width` at a time. */
export async function inParallel<Item>(items: readonly Item[], width: number, run: (item: Item) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: width }, work));
}
