// In which order and under which headings the hosts that the viewer looks at are shown, for the levels of groups among them.
import type { CloudColumns } from '../data/map-columns.ts';
import type { Grouping } from './families.ts';
import type { Scope } from './scope.ts';

/** A rack, say: hosts side by side, under a name. */
export interface Pile {
  readonly name: string;
  /** The name as it is drawn, without the name of its zone. */
  readonly label: string;
  /** How the names of its hosts begin, if it is a group. */
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
  readonly scope: Pick<Scope, 'path' | 'hosts' | 'levels'>;
  readonly order: HostOrder;
  readonly resourceClass: string;
  /** Leaves out hosts without capacity of the class, whose cells would have no size if cells are as large as capacities. */
  readonly onlyWithCapacity?: boolean;
}

/** Sections and piles of what is in view. The groups of the path have no headings. */
export function arrange(columns: CloudColumns, { scope, order, resourceClass, onlyWithCapacity = false }: View): Section[] {
  const capacity = columns.classes.get(resourceClass)?.capacity;
  const hosts = onlyWithCapacity ? scope.hosts.filter((host) => (capacity?.[host] ?? 0) > 0) : scope.hosts;
  const [outer, inner] = scope.levels;
  const sorted = order === 'use' ? byUse(columns, resourceClass) : null;
  const pile = (name: string, above: string, inside: readonly number[]): Pile => ({
    name,
    label: withoutStart(name, above),
    start: name || above,
    hosts: sorted ? inside.toSorted(sorted) : inside,
  });
  const above = scope.path.at(-1) ?? '';
  if (!outer) return [{ name: above, piles: [pile('', above, hosts)] }];
  const sections = split(hosts, outer);
  // Without a second level, or inside the first, the groups are piles instead of sections.
  if (!inner) return [{ name: above, piles: sections.map(([name, inside]) => pile(name, above, inside)) }];
  return sections.map(([name, inside]) => ({
    name,
    piles: split(inside, inner).map(([innerName, some]) => pile(innerName, name, some)),
  }));
}

/** The groups of some hosts that have any, in their order. */
export function split(hosts: readonly number[], { groups, groupOf }: Grouping): [name: string, hosts: readonly number[]][] {
  const found = groups.map((name): [string, number[]] => [name, []]);
  for (const host of hosts) found[groupOf[host] ?? 0]?.[1].push(host);
  return found.filter(([, inside]) => inside.length > 0);
}

/** Fullest first; hosts without the class last. */
function byUse(columns: CloudColumns, resourceClass: string): (a: number, b: number) => number {
  const numbers = columns.classes.get(resourceClass);
  const share = (host: number) => {
    const capacity = numbers?.capacity[host] ?? Number.NaN;
    return Number.isNaN(capacity) ? -1 : (numbers?.used[host] ?? 0) / Math.max(capacity, 1e-9);
  };
  return (a, b) => share(b) - share(a) || a - b;
}

/** A name below a heading that already says its beginning. */
export function withoutStart(name: string, start: string): string {
  if (start === '' || !name.startsWith(start)) return name;
  return name.slice(start.length).replace(/^[-._ ]+/, '') || name;
}
