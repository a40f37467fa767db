// Among some hosts, those that are fullest of a class, and those with most room for it.
import type { CloudColumns } from '../data/map-columns.ts';

export function fullestHosts(columns: CloudColumns, hosts: readonly number[], resourceClass: string, count: number): number[] {
  const numbers = columns.classes.get(resourceClass);
  return best(hosts, count, (host) => {
    const capacity = numbers?.capacity[host] ?? Number.NaN;
    const used = numbers?.used[host] ?? 0;
    return used > 0 ? used / Math.max(capacity, 1e-9) : Number.NaN;
  });
}

export function emptiestHosts(columns: CloudColumns, hosts: readonly number[], resourceClass: string, count: number): number[] {
  const numbers = columns.classes.get(resourceClass);
  return best(hosts, count, (host) => {
    const free = (numbers?.capacity[host] ?? Number.NaN) - (numbers?.used[host] ?? 0);
    return free > 0 ? free : Number.NaN;
  });
}

/** The hosts with the highest values, highest first; those with NaN never. In one pass, because this follows every change. */
function best(hosts: readonly number[], count: number, rank: (host: number) => number): number[] {
  const found: { host: number; value: number }[] = [];
  for (const host of hosts) {
    const value = rank(host);
    if (Number.isNaN(value) || (found.length === count && value <= (found[count - 1]?.value ?? 0))) continue;
    const place = found.findIndex((one) => one.value < value);
    found.splice(place < 0 ? found.length : place, 0, { host, value });
    if (found.length > count) found.pop();
  }
  return found.map(({ host }) => host);
}
