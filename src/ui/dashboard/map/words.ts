// The words of the map for a host and for a group of hosts.
import { type CloudColumns, disabledFlag, type HostTotals, overFlag } from '../data/map-columns.ts';
import { formatAmount, formatCount, formatPartOf, formatShare } from '../formats/amounts.ts';
import { classesOfPools, type PoolsBySet, sharedOf } from './serving-pools.ts';

/** "MEMORY_MB 41 % of 512 GiB", "DISK_GB 70 % of 2.19 PiB, shared by az1-ceph-pool": everything that a host has or is served with but one class. */
export function otherWordsOfHost(columns: CloudColumns, pools: PoolsBySet, host: number, resourceClass: string): string[] {
  const words = ({ used, capacity }: Pick<HostTotals, 'used' | 'capacity'>, name: string) =>
    `${name} ${formatShare(used, capacity)} of ${formatAmount(capacity, name)}`;
  const own = [...columns.classes].flatMap(([name, { used, capacity }]) =>
    name === resourceClass || Number.isNaN(capacity[host]) ? [] : [words({ used: used[host] ?? 0, capacity: capacity[host] ?? 0 }, name)],
  );
  const serving = pools[columns.aggregateSet[host] ?? 0] ?? [];
  const shared = classesOfPools(serving).flatMap((name) => {
    const amounts = sharedOf(serving, name);
    return amounts ? [`${words(amounts, name)}, shared by ${amounts.poolNames.join(', ')}`] : [];
  });
  return [...own, ...shared];
}

/** "az1-rack09-node001: 68 % of VCPU used, 17 of 128, over capacity". */
export function wordsOfHost(columns: CloudColumns, host: number, resourceClass: string): string {
  const numbers = columns.classes.get(resourceClass);
  const capacity = numbers?.capacity[host] ?? Number.NaN;
  const used = numbers?.used[host] ?? 0;
  const flags = columns.flags[host] ?? 0;
  return [
    Number.isNaN(capacity)
      ? `has no ${resourceClass}`
      : `${formatShare(used, capacity)} of ${resourceClass} used, ${formatPartOf(used, capacity, resourceClass)}`,
    ...(flags & overFlag ? ['▲ over capacity'] : []),
    ...(flags & disabledFlag ? ['✕ disabled'] : []),
  ].join(', ');
}

/** "68 % of 640K VCPU used · 2,500 hosts". */
export function wordsOfGroup({ used, capacity, hosts }: HostTotals, resourceClass: string): string {
  const count = `${formatCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}`;
  return capacity === 0
    ? `no ${resourceClass} · ${count}`
    : `${formatShare(used, capacity)} of ${formatAmount(capacity, resourceClass)} ${resourceClass} used · ${count}`;
}
