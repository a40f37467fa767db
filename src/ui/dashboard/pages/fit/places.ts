// Where it fits, in the places of the map: zones, and the racks in each. Aggregates that group no hosts in this way, such as those of storage, are no places.
import { type CloudColumns, totalsOf } from '../../data/map-columns.ts';
import type { Amounts } from '../../formats/bar-model.ts';
import { arrange } from '../../map/arrangement.ts';
import { groupingsOf, usualLevels } from '../../map/families.ts';
import { scopeOf } from '../../map/scope.ts';

export interface Place {
  readonly name: string;
  /** Without the name of the place around it. */
  readonly label: string;
  /** Where it is on the map, from above. */
  readonly path: readonly string[];
  /** How many fit there; null if that was not counted, or no aggregate, or several, have its name. */
  readonly count: number | null;
  readonly hosts: number;
  /** Of the hosts in it, for each class that is asked for and that they have. */
  readonly amounts: readonly Amounts[];
  readonly inner: readonly Place[];
}

interface Counted {
  readonly count: number;
  readonly aggregate: { readonly uuid: string; readonly name: string };
}

interface Counts {
  readonly counts: readonly Counted[];
  /** Whether an aggregate that is not counted has no room. */
  readonly areAll: boolean;
}

/** The outer places in the order of their names; a cloud without zones has racks, say, and one without groups has none. */
export function placesOf(columns: CloudColumns, classes: readonly string[], { counts, areAll }: Counts): Place[] {
  const counted = new Map(counts.map(({ aggregate, count }) => [aggregate.uuid, count]));
  const levels = usualLevels(groupingsOf(columns));
  const place = (path: readonly string[], label: string, hosts: readonly number[], inner: readonly Place[]): Place => {
    const name = path.at(-1) ?? '';
    const [aggregate, ...others] = columns.aggregates.filter((one) => one.name === name);
    return {
      ...{ name, label, path, inner, hosts: hosts.length },
      count: aggregate && others.length === 0 ? (counted.get(aggregate.uuid) ?? (areAll ? 0 : null)) : null,
      amounts: classes.flatMap((resourceClass) => {
        const { used, capacity } = totalsOf(columns, resourceClass, hosts);
        return capacity > 0 ? [{ resourceClass: { name: resourceClass }, total: capacity, reserved: 0, capacity, used }] : [];
      }),
    };
  };
  if (levels.length === 0) return [];
  return arrange(columns, { scope: scopeOf(columns, levels, []), order: 'name', resourceClass: '' }).flatMap(({ name, piles }) => {
    const above = name === '' ? [] : [name];
    const inner = piles.map((pile) => place([...above, pile.name], pile.label, pile.hosts, []));
    if (name === '') return inner;
    return place(
      above,
      name,
      piles.flatMap(({ hosts }) => hosts),
      inner,
    );
  });
}
