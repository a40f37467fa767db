// The columns of the map, the groups that are found in them, and what is arranged of them.
import { describe, expect, test } from 'vitest';
import { applyChange } from '../../../../src/ui/dashboard/data/map-changes.ts';
import { columnsOf, disabledFlag, overFlag, type SentMap, totalsOf } from '../../../../src/ui/dashboard/data/map-columns.ts';
import { arrange } from '../../../../src/ui/dashboard/map/arrangement.ts';
import { groupingsOf, usualLevels } from '../../../../src/ui/dashboard/map/families.ts';

interface Host {
  readonly name: string;
  readonly aggregates?: readonly string[];
  readonly used?: number | null;
  readonly capacity?: number | null;
  readonly flags?: number;
}

/** A map as the gateway sends it, of one class. */
function sent(hosts: readonly Host[]): SentMap {
  const aggregates = [...new Set(hosts.flatMap((host) => host.aggregates ?? []))];
  const sets = hosts.map((host) => (host.aggregates ?? []).map((name) => aggregates.indexOf(name)));
  const capacity = hosts.map((host) => (host.capacity === undefined ? 64 : host.capacity));
  return {
    hostCount: hosts.length,
    names: hosts.map(({ name }) => name),
    memberCounts: hosts.map(() => 1),
    flags: hosts.map(({ flags = 0 }) => flags),
    aggregateUuids: aggregates.map((name) => `uuid of ${name}`),
    aggregateNames: aggregates,
    aggregateSets: sets,
    aggregateSet: hosts.map((_, place) => place),
    traitNames: [],
    traitSets: [[]],
    traitSet: hosts.map(() => 0),
    classes: [
      {
        resourceClass: { name: 'VCPU' },
        total: capacity,
        reserved: capacity.map((amount) => amount && 0),
        capacity,
        used: hosts.map(({ used = 0 }) => used),
      },
    ],
  };
}

/** What a message of the stream says of hosts, and of some that it describes anew. */
function changed(hosts: readonly Host[], described: readonly Host[] = []) {
  const { names, flags, classes } = sent(hosts);
  return { names, flags, classes, reshaped: sent(described), goneNames: [], aggregateUuids: [], aggregateNames: [] };
}

/** Zones with racks with hosts, and a storage service for half of them. */
const ordered = (zones: number, racks: number, hosts: number) =>
  sent(
    Array.from({ length: zones * racks * hosts }, (_, index) => {
      const zone = `az${1 + Math.floor(index / (racks * hosts))}`;
      const rack = `${zone}-rack${1 + (Math.floor(index / hosts) % racks)}`;
      const storage = index % 2 === 0 ? [`${zone}-hdd-service`] : [];
      return { name: `${rack}-node${1 + (index % hosts)}`, aggregates: [zone, rack, ...storage] };
    }),
  );

describe('the columns', () => {
  test('are in the order of the names, with numbers ordered by value', () => {
    const columns = columnsOf(
      sent([
        { name: 'node10', used: 10 },
        { name: 'node9', used: 9 },
        { name: 'node1', used: 1 },
      ]),
    );
    expect(columns.names).toEqual(['node1', 'node9', 'node10']);
    expect([...(columns.classes.get('VCPU')?.used ?? [])]).toEqual([1, 9, 10]);
  });

  test('take changes by name', () => {
    const columns = columnsOf(sent([{ name: 'b' }, { name: 'a' }]));
    expect(applyChange(columns, changed([{ name: 'b', used: 60, flags: overFlag }]))).toBe(columns);
    expect([...(columns.classes.get('VCPU')?.used ?? [])]).toEqual([0, 60]);
    expect([...columns.flags]).toEqual([0, overFlag]);
  });

  test('refuse changes of unknown hosts', () => {
    const columns = columnsOf(sent([{ name: 'a' }]));
    expect(applyChange(columns, changed([{ name: 'new' }]))).toBeNull();
  });

  test('are rebuilt when hosts come, go or are described anew, and keep what is known about the others', () => {
    const columns = columnsOf(
      sent([{ name: 'a', aggregates: ['az1'], used: 1 }, { name: 'b', aggregates: ['az2'], used: 2 }, { name: 'gone' }]),
    );
    const described = [
      { name: 'b', aggregates: ['az1'], used: 3 },
      { name: 'c', aggregates: ['az3', 'az1'], used: 4, flags: disabledFlag },
    ];
    const change = { ...changed(described, described), goneNames: ['gone'], aggregateUuids: ['uuid of az1'], aggregateNames: ['renamed'] };
    const now = applyChange(columns, change);
    expect(now).not.toBeNull();
    expect(now).not.toBe(columns);
    const { names = [], aggregates = [], aggregateSets = [], aggregateSet = [], flags = [], classes = new Map() } = now ?? {};
    expect(names).toEqual(['a', 'b', 'c']);
    const inside = names.map((_, place) => aggregateSets[aggregateSet[place] ?? 0]?.map((at) => aggregates[at]?.name));
    expect(inside).toEqual([['renamed'], ['renamed'], ['az3', 'renamed']]);
    expect([...flags]).toEqual([0, 0, disabledFlag]);
    expect([...classes.get('VCPU').used]).toEqual([1, 3, 4]);
  });

  test('sum up hosts, without those that lack the class', () => {
    const columns = columnsOf(
      sent([
        { name: 'a', used: 70, flags: overFlag },
        { name: 'b', used: null, capacity: null, flags: disabledFlag },
        { name: 'c', used: 2 },
      ]),
    );
    expect(totalsOf(columns, 'VCPU', [0, 1, 2])).toEqual({ hosts: 3, used: 72, capacity: 128, over: 1, disabled: 1 });
  });
});

describe('groups', () => {
  test('are aggregates whose names differ only in digits, unless they cover few hosts', () => {
    const levels = usualLevels(groupingsOf(columnsOf(ordered(2, 5, 4))));
    expect(levels.map(({ id, groups }) => [id, groups.length])).toEqual([
      ['az#', 2],
      ['az#-rack#', 10],
    ]);
  });

  test('are in the order in which people count', () => {
    const [zones] = usualLevels(groupingsOf(columnsOf(ordered(12, 1, 2))));
    expect(zones?.groups.slice(-3)).toEqual(['az10', 'az11', 'az12']);
  });

  test('come from the beginnings of names if aggregates form none', () => {
    const hosts = ['r1-a', 'r1-b', 'r2-a', 'r2-b', 'r3-a', 'r3-b'].map((name) => ({ name }));
    expect(usualLevels(groupingsOf(columnsOf(sent(hosts)))).map(({ id, groups }) => [id, groups])).toEqual([
      ['name:1', ['r1', 'r2', 'r3']],
    ]);
  });

  test('do not exist if names say nothing', () => {
    expect(groupingsOf(columnsOf(sent([{ name: 'alpha' }, { name: 'beta' }])))).toEqual([]);
  });

  test('keep the few hosts that are in none', () => {
    const hosts = Array.from({ length: 20 }, (_, index) => ({ name: `h${index}`, aggregates: index === 0 ? [] : [`rack${index % 3}`] }));
    const [racks] = groupingsOf(columnsOf(sent(hosts)));
    expect(racks?.groups).toEqual(['rack0', 'rack1', 'rack2', 'others']);
  });
});

describe('an arrangement', () => {
  const columns = columnsOf(ordered(2, 5, 4));
  const levels = usualLevels(groupingsOf(columns));
  const view = { levels, path: [], order: 'name', resourceClass: 'VCPU' } as const;

  test('has the racks of each zone, named without it', () => {
    const sections = arrange(columns, view);
    expect(sections.map(({ name, piles }) => [name, piles.map(({ label }) => label)])).toEqual([
      ['az1', ['rack1', 'rack2', 'rack3', 'rack4', 'rack5']],
      ['az2', ['rack1', 'rack2', 'rack3', 'rack4', 'rack5']],
    ]);
    const hosts = sections.flatMap(({ piles }) => piles.flatMap(({ hosts: inside }) => inside));
    expect(hosts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, host) => host));
  });

  test('inside a zone has its racks, inside a rack its hosts', () => {
    expect(arrange(columns, { ...view, path: ['az2'] })).toMatchObject([{ name: 'az2', piles: { length: 5 } }]);
    const [section] = arrange(columns, { ...view, path: ['az2', 'az2-rack3'] });
    expect(section?.piles.map(({ hosts }) => hosts.map((host) => columns.names[host]))).toEqual([
      ['az2-rack3-node1', 'az2-rack3-node2', 'az2-rack3-node3', 'az2-rack3-node4'],
    ]);
  });

  test('of an unknown group is empty', () => {
    expect(arrange(columns, { ...view, path: ['az9'] }).flatMap(({ piles }) => piles)).toEqual([]);
  });

  test('by use has the fullest hosts of a rack first, and those without the class last', () => {
    const some = columnsOf(
      sent([
        { name: 'a', used: 1 },
        { name: 'b', used: null, capacity: null },
        { name: 'c', used: 60 },
      ]),
    );
    const [section] = arrange(some, { levels: [], path: [], order: 'use', resourceClass: 'VCPU' });
    expect(section?.piles[0]?.hosts.map((host) => some.names[host])).toEqual(['c', 'a', 'b']);
  });
});
