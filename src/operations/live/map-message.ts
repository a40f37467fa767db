// What the stream of the map sends, and how a message that is too large is divided.
import type { CloudMapClass, NamedHosts } from '../forest/cloud-map.ts';
import type { Divisible } from './divisible.ts';

/** What is different now, in the order in which it is sent. */
export interface MapChanges extends Pick<NamedHosts, 'uuids' | 'names' | 'flags' | 'aggregateUuids' | 'aggregateNames'> {
  readonly reset: boolean;
  readonly goneUuids: readonly string[];
  readonly goneNames: readonly string[];
  /** New hosts, and hosts whose description has changed. */
  readonly reshaped: NamedHosts;
  readonly classes: readonly CloudMapClass[];
}

export interface CloudMapChange extends MapChanges, Divisible<CloudMapChange> {
  readonly cursor: string;
}

/** Rows that a part of a message has. */
const rowsOfPart = 10;

/**
 * A message that can be divided: what is gone, aggregates, descriptions of hosts, then their values. Until the last part is sent, the cursor is the
 * previous one, so that a reader that is cut off in between gets all of it again.
 */
export function mapMessage(cursor: string, before: string, changes: MapChanges): CloudMapChange {
  const { goneUuids, goneNames, aggregateUuids, reshaped, names } = changes;
  const rows = Math.max(goneUuids.length, goneNames.length) + aggregateUuids.length + reshaped.names.length + names.length;
  return {
    ...changes,
    cursor,
    parts: Math.ceil(rows / rowsOfPart),
    divide(count) {
      const at = count * rowsOfPart;
      return [mapMessage(before, before, rowsOf(changes, 0, at)), mapMessage(cursor, before, rowsOf(changes, at, rows))];
    },
  };
}

/** Some rows of the changes, counted through all their lists. */
function rowsOf(changes: MapChanges, from: number, to: number): MapChanges {
  const { goneUuids, goneNames, aggregateUuids, aggregateNames, reshaped, classes } = changes;
  let start = 0;
  const section = (length: number) => {
    const bounds = [Math.max(0, from - start), Math.max(0, to - start)] as const;
    start += length;
    return <Row>(column: readonly Row[]) => column.slice(...bounds);
  };
  const gone = section(Math.max(goneUuids.length, goneNames.length));
  const aggregates = section(aggregateUuids.length);
  const described = section(reshaped.names.length);
  const valued = section(changes.names.length);
  return {
    reset: changes.reset,
    goneUuids: gone(goneUuids),
    goneNames: gone(goneNames),
    aggregateUuids: aggregates(aggregateUuids),
    aggregateNames: aggregates(aggregateNames),
    reshaped: {
      ...reshaped,
      uuids: described(reshaped.uuids),
      names: described(reshaped.names),
      flags: described(reshaped.flags),
      memberCounts: described(reshaped.memberCounts),
      aggregateSet: described(reshaped.aggregateSet),
      traitSet: described(reshaped.traitSet),
    },
    uuids: valued(changes.uuids),
    names: valued(changes.names),
    flags: valued(changes.flags),
    classes: classes.map(({ resourceClass, total, reserved, capacity, used }) => ({
      resourceClass,
      total: valued(total),
      reserved: valued(reserved),
      capacity: valued(capacity),
      used: valued(used),
    })),
  };
}
