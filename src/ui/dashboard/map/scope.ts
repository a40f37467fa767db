// Which hosts the viewer looks at: those of the groups that the address names. Links name groups of the map, or any aggregate by its name or uuid.
import type { CloudColumns } from '../data/map-columns.ts';
import { type Grouping, isOfNames } from './families.ts';

export interface Scope {
  /** Names of the groups, from above. */
  readonly path: readonly string[];
  readonly hosts: readonly number[];
  /** The levels of groups inside. */
  readonly levels: readonly Grouping[];
  /** Names or uuids of aggregates that together have exactly these hosts: none for the whole cloud, null if no aggregates do. */
  readonly aggregates: readonly string[] | null;
  /** The uuid of an aggregate that has exactly these hosts, if there is one. */
  readonly aggregate: string | null;
}

/** A link may name a rack without its zone: the path then has the groups of the levels between, if all its hosts are in the same ones. */
export function scopeOf(columns: CloudColumns, levels: readonly Grouping[], names: readonly string[]): Scope {
  let hosts: readonly number[] = Array.from({ length: columns.hostCount }, (_, host) => host);
  let depth = 0;
  const path: string[] = [];
  const aggregates: number[] = [];
  let isOfAggregates = true;
  for (const name of names) {
    const at = levels.findIndex(({ groups }, level) => level >= depth && groups.includes(name));
    const level = levels[at];
    const aggregate = columns.aggregates.findIndex((one) => one.name === name || one.uuid === name);
    if (level) {
      const group = level.groups.indexOf(name);
      hosts = hosts.filter((host) => level.groupOf[host] === group);
      for (const between of levels.slice(depth, at)) path.push(...theOnlyGroup(between, hosts));
      depth = at + 1;
    } else hosts = hosts.filter((host) => isMember(columns, host, aggregate));
    path.push(columns.aggregates[aggregate]?.name ?? name);
    if (aggregate < 0 || (level && isOfNames(level))) isOfAggregates = false;
    else aggregates.push(aggregate);
  }
  const isExactly = (some: readonly number[]) => countOf(columns, some) === hosts.length;
  const single = aggregates.findLast((one) => isOfAggregates && isExactly([one]));
  return {
    path,
    hosts,
    levels: levels.slice(depth),
    aggregates:
      isOfAggregates && isExactly(aggregates)
        ? aggregates.map((one) => columns.aggregates[one]?.name ?? columns.aggregates[one]?.uuid ?? '')
        : null,
    aggregate: single === undefined ? null : (columns.aggregates[single]?.uuid ?? null),
  };
}

function theOnlyGroup({ groups, groupOf }: Grouping, hosts: readonly number[]): string[] {
  const [group, ...others] = new Set(hosts.map((host) => groupOf[host] ?? 0));
  return group === undefined || others.length > 0 ? [] : [groups[group] ?? ''];
}

const isMember = ({ aggregateSets, aggregateSet }: CloudColumns, host: number, aggregate: number) =>
  aggregateSets[aggregateSet[host] ?? 0]?.includes(aggregate) ?? false;

/** The number of hosts in all of these aggregates. */
function countOf({ aggregateSets, aggregateSet }: CloudColumns, aggregates: readonly number[]): number {
  const areIn = aggregateSets.map((set) => aggregates.every((one) => set.includes(one)));
  return aggregateSet.reduce((sum, set) => sum + Number(areIn[set] ?? false), 0);
}
