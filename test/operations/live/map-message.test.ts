// Messages of the map that are told in several: whatever has changed, and wherever a message is divided, the dashboard ends with the same columns, and no cursor
// is passed before everything up to it was told.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CloudMapChange, mapMessage } from '../../../src/operations/live/map-message.ts';
import { applyChange } from '../../../src/ui/dashboard/data/map-changes.ts';
import { type CloudColumns, columnsOf, type SentHosts } from '../../../src/ui/dashboard/data/map-columns.ts';

const uuidOf = (name: string) => `uuid of ${name}`;
const vcpu = { id: 0, name: 'VCPU' };
const aggregates = ['a1', 'a2', 'a3'];
const traits = ['T1', 'T2'];

interface Host {
  readonly name: string;
  readonly members: number;
  readonly flags: number;
  readonly used: number | null;
  readonly inside: readonly number[];
  readonly traits: readonly number[];
}

const host = (name: string): fc.Arbitrary<Host> =>
  fc.record({
    ...{ name: fc.constant(name), members: fc.integer({ min: 1, max: 9 }), flags: fc.integer({ min: 0, max: 3 }) },
    used: fc.option(fc.integer({ min: 0, max: 99 })),
    ...{ inside: fc.subarray([0, 1, 2]), traits: fc.subarray([0, 1]) },
  });
const names = Array.from({ length: 60 }, (_, index) => `h${index}`);
const some = fc.subarray(names).chain((chosen) => fc.tuple(...chosen.map(host)));

const described = (hosts: readonly Host[], suffix: string): SentHosts & { readonly uuids: string[] } => ({
  uuids: hosts.map(({ name }) => uuidOf(name)),
  names: hosts.map(({ name }) => name),
  memberCounts: hosts.map(({ members }) => members),
  flags: hosts.map(({ flags }) => flags),
  aggregateUuids: aggregates.map(uuidOf),
  aggregateNames: aggregates.map((name) => name + suffix),
  aggregateSets: hosts.map(({ inside }) => inside),
  aggregateSet: hosts.map((_, place) => place),
  traitNames: traits,
  traitSets: hosts.map((one) => one.traits),
  traitSet: hosts.map((_, place) => place),
});
const amounts = (hosts: readonly Host[]) => {
  const used = hosts.map((one) => one.used);
  return [{ resourceClass: vcpu, total: used, reserved: used, capacity: used, used }];
};

/** A map, and a message that removes some of its hosts, describes some, and has new values for these and others. */
const changed = fc
  .tuple(some, some, fc.subarray(names), fc.subarray(aggregates), fc.string())
  .chain(([before, now, gone, renamed, suffix]) => {
    const known = before.map(({ name }) => name);
    const isNew = now.map(({ name }) => !known.includes(name) || gone.includes(name));
    return fc.record({ before: fc.constant(before), more: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }) }).map(({ more }) => {
      const reshaped = now.filter((_, place) => isNew[place] || more[place]);
      const goneNames = gone.filter((name) => !now.some((one) => one.name === name));
      const message = mapMessage('now', 'before', {
        ...{ reset: false, goneNames, goneUuids: goneNames.slice(1).map(uuidOf) },
        ...{ uuids: now.map(({ name }) => uuidOf(name)), names: now.map(({ name }) => name), flags: now.map(({ flags }) => flags) },
        ...{ aggregateUuids: renamed.map(uuidOf), aggregateNames: renamed.map((name) => name + suffix) },
        ...{ reshaped: described(reshaped, suffix) as never, classes: amounts(now) },
      });
      return { before, message };
    });
  });

function applied(before: readonly Host[], messages: readonly CloudMapChange[]): CloudColumns {
  let columns = columnsOf({ hostCount: before.length, ...described(before, ''), classes: amounts(before) });
  for (const message of messages) {
    const next = applyChange(columns, message);
    if (next === null) throw new Error('a part does not fit');
    columns = next;
  }
  return columns;
}

/** What the columns say of each host. */
const told = (columns: CloudColumns) =>
  columns.names.map((name, place) => ({
    name,
    flags: columns.flags[place],
    members: columns.memberCounts[place],
    aggregates: columns.aggregateSets[columns.aggregateSet[place] ?? 0]?.map((at) => columns.aggregates[at]).sort(byUuid),
    traits: columns.traitSets[columns.traitSet[place] ?? 0]?.map((at) => columns.traitNames[at]).sort(),
    amounts: [...columns.classes.values()].map((one) => Object.values(one).map((column: Float64Array) => column[place])),
  }));
const byUuid = (one: { readonly uuid: string } | undefined, other: { readonly uuid: string } | undefined) =>
  (one?.uuid ?? '').localeCompare(other?.uuid ?? '');

function divided(message: CloudMapChange, counts: readonly number[]): CloudMapChange[] {
  const [count, ...others] = counts;
  if (count === undefined || message.parts <= count) return [message];
  const [first, rest] = message.divide(count);
  expect(first.parts).toBe(count);
  expect(first.parts + rest.parts).toBe(message.parts);
  return [first, ...divided(rest, others)];
}

test('the parts of a message yield the same columns as the whole, and only the last has the new cursor', () => {
  fc.assert(
    fc.property(changed, fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), ({ before, message }, counts) => {
      const parts = divided(message, counts);
      expect(told(applied(before, parts))).toEqual(told(applied(before, [message])));
      expect(parts.map(({ cursor }) => cursor)).toEqual([...parts.slice(1).map(() => 'before'), 'now']);
      for (const list of ['goneUuids', 'goneNames', 'aggregateUuids', 'uuids', 'names'] as const)
        expect(parts.flatMap((part) => part[list])).toEqual(message[list]);
      // Whoever is cut off in between is told all of it again.
      expect(told(applied(before, [...parts.slice(0, -1), message]))).toEqual(told(applied(before, [message])));
    }),
  );
});
