// Groups items by a key or by number, in the order in which they come.

export function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export const slicesOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, slice) => items.slice(slice * size, (slice + 1) * size));
