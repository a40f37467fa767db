// Finds groups of hosts without any setting. Aggregates whose names differ only in digits are a family: zones az1 and az2, racks az1-rack01 to az2-rack10.
// If aggregates form no family, the beginnings of the hosts' names may group them.
import type { CloudColumns } from '../data/map-columns.ts';

/** One way to put each host into a group. */
export interface Grouping {
  /** In addresses: `az#`, or `name:1` for the first part of the names. */
  readonly id: string;
  readonly title: string;
  /** Names of the groups, in the order in which they are shown. */
  readonly groups: readonly string[];
  /** The group of each host. The last group holds those that belong to none. */
  readonly groupOf: Uint32Array;
}

/** Shares of the hosts: the least that a family must cover, and the most that may be in two of its aggregates. */
const leastCovered = 0.9;
const mostTwice = 0.02;
/** A second level has at least this many times the groups of the first. */
const nextLevel = 3;
const nameParts = 3;

const ungrouped = 'others';

/** All groupings that the cloud offers, fewest groups first. */
export function groupingsOf(columns: CloudColumns): Grouping[] {
  return [...familiesOf(columns), ...nameGroupings(columns)].sort((a, b) => a.groups.length - b.groups.length || (a.id < b.id ? -1 : 1));
}

/** The one or two levels that are shown by default: families of aggregates if there are any, else beginnings of names, else none. */
export function usualLevels(groupings: readonly Grouping[]): Grouping[] {
  const families = groupings.filter((grouping) => !isOfNames(grouping));
  const [first, ...rest] = families.length > 0 ? families : groupings;
  if (!first) return [];
  const second = rest.find(({ groups }) => groups.length >= nextLevel * first.groups.length);
  return second ? [first, second] : [first];
}

const namePrefix = 'name:';
/** Whether groups are beginnings of names, instead of aggregates. */
export const isOfNames = ({ id }: Grouping): boolean => id.startsWith(namePrefix);
const familyOf = (name: string) => name.replace(/\d+/g, '#');

function familiesOf(columns: CloudColumns): Grouping[] {
  const members = new Map<string, number[]>();
  for (const [place, { name }] of columns.aggregates.entries()) {
    if (name === null) continue;
    const family = familyOf(name);
    members.set(family, [...(members.get(family) ?? []), place]);
  }
  return [...members].flatMap(([family, aggregates]) => {
    if (aggregates.length < 2) return [];
    return groupingOf(columns, family, aggregates) ?? [];
  });
}

function groupingOf(columns: CloudColumns, family: string, aggregates: readonly number[]): Grouping | null {
  const isMember = new Set(aggregates);
  const inSets = columns.aggregateSets.map((set) => set.filter((aggregate) => isMember.has(aggregate)));
  const nameOfHost: (string | null)[] = [];
  let [covered, twice] = [0, 0];
  for (let host = 0; host < columns.hostCount; host++) {
    const inSet = inSets[columns.aggregateSet[host] ?? 0] ?? [];
    const [aggregate] = inSet;
    if (inSet.length > 0) covered += 1;
    if (inSet.length > 1) twice += 1;
    nameOfHost.push(aggregate === undefined ? null : (columns.aggregates[aggregate]?.name ?? null));
  }
  if (covered < leastCovered * columns.hostCount || twice > mostTwice * columns.hostCount) return null;
  return grouped(family, family, nameOfHost);
}

function nameGroupings(columns: CloudColumns): Grouping[] {
  return Array.from({ length: nameParts }, (_, index) => index + 1).flatMap((parts) => {
    const start = new RegExp(`^(?:[^-._]+[-._]){${parts - 1}}[^-._]+(?=[-._])`);
    const found = grouped(
      `${namePrefix}${parts}`,
      parts === 1 ? 'first part of the name' : `first ${parts} parts of the name`,
      columns.names.map((name) => start.exec(name)?.[0] ?? null),
    );
    // One group for all hosts, or one for each, does not group them.
    return found.groups.length > 1 && found.groups.length <= columns.hostCount / 2 ? [found] : [];
  });
}

function grouped(id: string, title: string, nameOfHost: readonly (string | null)[]): Grouping {
  const names = new Set(nameOfHost.filter((name) => name !== null));
  const counting = new Intl.Collator('en', { numeric: true });
  const groups = [...names].sort(counting.compare);
  if (nameOfHost.includes(null)) groups.push(ungrouped);
  const places = new Map(groups.map((name, place) => [name, place]));
  return { id, title, groups, groupOf: Uint32Array.from(nameOfHost, (name) => places.get(name ?? ungrouped) ?? 0) };
}
