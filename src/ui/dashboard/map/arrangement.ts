// Which hosts are shown, in which order, under which headings: the levels of groups that were chosen, and where in them the viewer stands.
import type { CloudColumns } from '../data/map-columns.ts';
import type { Grouping } from './families.ts';

/** A rack, say: hosts side by side, under a name. */
export interface Pile {
  readonly name: string;
  /** What is written, without the name of the zone before it. */
  readonly label: string;
  /** How the names of its hosts begin, where it is a group. */
  readonly start: string;
  readonly hosts: readonly number[];
}

/** A zone, say: piles, under a heading. */
export interface Section {
  readonly name: string;
  readonly piles: readonly Pile[];
}

export type HostOrder = 'name' | 'use';

interface View {
  /** None, one or two. */
  readonly levels: readonly Grouping[];
  /** Names of groups, from above: only what is in them. */
  readonly path: readonly string[];
  readonly order: HostOrder;
  readonly resourceClass: string;
  /** Leaves out hosts without capacity of the class: where cells are as large as it, they would have none. */
  readonly onlyWithCapacity?: boolean;
}

/** Sections and piles of what is in view; the groups that the path enters are no headings any more. */
export function arrange(columns: CloudColumns, { levels, path, order, resourceClass, onlyWithCapacity = false }: View): Section[] {
  const entered = path.map((name, depth) => ({ level: levels[depth], group: levels[depth]?.groups.indexOf(name) ?? -1 }));
  const capacity = columns.classes.get(resourceClass)?.capacity;
  const isIn = (host: number) =>
    entered.every(({ level, group }) => level?.groupOf[host] === group) && (!onlyWithCapacity || (capacity?.[host] ?? 0) > 0);
  const hosts = Array.from({ length: columns.hostCount }, (_, host) => host).filter(isIn);
  const [outer, inner] = levels.slice(path.length);
  const sorted = order === 'use' ? byUse(columns, resourceClass) : null;
  const pile = (name: string, above: string, inside: readonly number[]): Pile => ({
    name,
    label: withoutStart(name, above),
    start: name || above,
    hosts: sorted ? inside.toSorted(sorted) : inside,
  });
  const above = path.at(-1) ?? '';
  if (!outer) return [{ name: above, piles: [pile('', above, hosts)] }];
  const sections = split(hosts, outer);
  // Without a second level, or inside of the first, what would be sections are piles.
  if (!inner) return [{ name: above, piles: sections.map(([name, inside]) => pile(name, above, inside)) }];
  return sections.map(([name, inside]) => ({
    name,
    piles: split(inside, inner).map(([innerName, some]) => pile(innerName, name, some)),
  }));
}

function split(hosts: readonly number[], { groups, groupOf }: Grouping): [name: string, hosts: readonly number[]][] {
  const found = groups.map((name): [string, number[]] => [name, []]);
  for (const host of hosts) found[groupOf[host] ?? 0]?.[1].push(host);
  return found.filter(([, inside]) => inside.length > 0);
}

/** Fullest first; those without the class last. */
function byUse(columns: CloudColumns, resourceClass: string): (a: number, b: number) => number {
  const numbers = columns.classes.get(resourceClass);
  const share = (host: number) => {
    const capacity = numbers?.capacity[host] ?? Number.NaN;
    return Number.isNaN(capacity) ? -1 : (numbers?.used[host] ?? 0) / Math.max(capacity, 1e-9);
  };
  return (a, b) => share(b) - share(a) || a - b;
}

/** A name below a heading that says its beginning already. */
export function withoutStart(name: string, start: string): string {
  if (start === '' || !name.startsWith(start)) return name;
  return name.slice(start.length).replace(/^[-._ ]+/, '') || name;
}
