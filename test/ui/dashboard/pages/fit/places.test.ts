// In which places of the map something fits.
import { expect, test } from 'vitest';
import { columnsOf } from '../../../../../src/ui/dashboard/data/map-columns.ts';
import { placesOf } from '../../../../../src/ui/dashboard/pages/fit/places.ts';

/** A cloud whose hosts are in these aggregates; each has 8 VCPU and uses 3. */
function cloud(hosts: Readonly<Record<string, readonly string[]>>) {
  const names = Object.keys(hosts);
  const aggregates = [...new Set(Object.values(hosts).flat())];
  const all = (value: number) => names.map(() => value);
  return columnsOf({
    hostCount: names.length,
    names,
    memberCounts: all(1),
    flags: all(0),
    aggregateUuids: aggregates.map((name) => `uuid of ${name}`),
    aggregateNames: aggregates,
    aggregateSets: Object.values(hosts).map((some) => some.map((name) => aggregates.indexOf(name))),
    aggregateSet: names.map((_, place) => place),
    traitNames: [],
    traitSets: [[]],
    traitSet: all(0),
    classes: [{ resourceClass: { name: 'VCPU' }, total: all(8), reserved: all(0), capacity: all(8), used: all(3) }],
  });
}
const counted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, count]) => ({ count, aggregate: { uuid: `uuid of ${name}`, name } }));

const zones = Object.fromEntries(
  ['az1', 'az2'].flatMap((zone) =>
    [1, 2, 3].flatMap((rack) => ['a', 'b'].map((node) => [`${zone}-r${rack}-${node}`, [zone, `${zone}-rack${rack}`, 'ssd']])),
  ),
);

test('zones come with their racks, and what their hosts have; storage is no place, and a rack where none fits has none', () => {
  const places = placesOf(cloud(zones), ['VCPU', 'VGPU'], {
    counts: counted({ az1: 5, az2: 1, 'az1-rack1': 3, 'az1-rack2': 2, 'az2-rack3': 1, ssd: 6 }),
    areAll: true,
  });
  expect(places.map(({ name, count, hosts, inner }) => [name, count, hosts, inner.map(({ label, count: some }) => [label, some])])).toEqual(
    [
      [
        'az1',
        5,
        6,
        [
          ['rack1', 3],
          ['rack2', 2],
          ['rack3', 0],
        ],
      ],
      [
        'az2',
        1,
        6,
        [
          ['rack1', 0],
          ['rack2', 0],
          ['rack3', 1],
        ],
      ],
    ],
  );
  expect(places[0]?.amounts).toMatchObject([{ resourceClass: { name: 'VCPU' }, capacity: 48, used: 18 }]);
  expect(places[0]?.inner[0]?.path).toEqual(['az1', 'az1-rack1']);
});

test('if not all aggregates were counted, the others are unknown, not empty', () => {
  const [first] = placesOf(cloud(zones), ['VCPU'], { counts: counted({ az1: 5, 'az1-rack1': 5 }), areAll: false });
  expect(first?.inner.map(({ count }) => count)).toEqual([5, null, null]);
});

test('groups that are no aggregates, and hosts in none, are not counted', () => {
  const places = placesOf(cloud(Object.fromEntries(Object.keys(zones).map((host) => [host, []]))), ['VCPU'], { counts: [], areAll: true });
  expect(places.length).toBeGreaterThan(0);
  expect(places.every(({ count }) => count === null)).toBe(true);
});

test('a cloud without groups has no places', () => {
  expect(placesOf(cloud({ one: [], two: [] }), ['VCPU'], { counts: [], areAll: true })).toEqual([]);
});
