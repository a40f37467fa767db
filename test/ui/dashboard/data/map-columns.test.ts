// The columns of the map, the groups that are found in them, and what is arranged of them.
import { describe, expect, test } from 'vitest';
import { applyChange } from '../../../../src/ui/dashboard/data/map-changes.ts';
import { columnsOf, disabledFlag, overFlag, type SentMap, totalsOf } from '../../../../src/ui/dashboard/data/map-columns.ts';
import { arrange } from '../../../../src/ui/dashboard/map/arrangement.ts';
import { emptiestHosts, fullestHosts } from '../../../../src/ui/dashboard/map/extremes.ts';
import { groupingsOf, usualLevels } from '../../../../src/ui/dashboard/map/families.ts';
import { scopeOf } from '../../../../src/ui/dashboard/map/scope.ts';
import { poolsBySet, poolsFor, sharedBySet, sharedOf } from '../../../../src/ui/dashboard/map/serving-pools.ts';
import { otherWordsOfHost } from '../../../../src/ui/dashboard/map/words.ts';
import { tilesOfCloud, tilesOfHosts } from '../../../../src/ui/dashboard/pages/overview/tiles.ts';

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
    expect(totalsOf(columns, 'VCPU', [0, 1, 2])).toEqual({
      resourceClass: { name: 'VCPU' },
      hosts: 3,
      having: 2,
      total: 128,
      reserved: 0,
      used: 72,
      capacity: 128,
      over: 1,
      disabled: 1,
    });
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
  const view = (...path: string[]) => ({ scope: scopeOf(columns, levels, path), order: 'name', resourceClass: 'VCPU' }) as const;

  test('has the racks of each zone, named without it', () => {
    const sections = arrange(columns, view());
    expect(sections.map(({ name, piles }) => [name, piles.map(({ label }) => label)])).toEqual([
      ['az1', ['rack1', 'rack2', 'rack3', 'rack4', 'rack5']],
      ['az2', ['rack1', 'rack2', 'rack3', 'rack4', 'rack5']],
    ]);
    const hosts = sections.flatMap(({ piles }) => piles.flatMap(({ hosts: inside }) => inside));
    expect(hosts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, host) => host));
  });

  test('inside a zone has its racks, inside a rack its hosts', () => {
    expect(arrange(columns, view('az2'))).toMatchObject([{ name: 'az2', piles: { length: 5 } }]);
    const [section] = arrange(columns, view('az2', 'az2-rack3'));
    expect(section?.piles.map(({ hosts }) => hosts.map((host) => columns.names[host]))).toEqual([
      ['az2-rack3-node1', 'az2-rack3-node2', 'az2-rack3-node3', 'az2-rack3-node4'],
    ]);
  });

  test('of an unknown group is empty', () => {
    expect(arrange(columns, view('az9')).flatMap(({ piles }) => piles)).toEqual([]);
  });

  test('by use has the fullest hosts of a rack first, and those without the class last', () => {
    const some = columnsOf(
      sent([
        { name: 'a', used: 1 },
        { name: 'b', used: null, capacity: null },
        { name: 'c', used: 60 },
      ]),
    );
    const [section] = arrange(some, { scope: scopeOf(some, [], []), order: 'use', resourceClass: 'VCPU' });
    expect(section?.piles[0]?.hosts.map((host) => some.names[host])).toEqual(['c', 'a', 'b']);
  });
});

describe('the part of the cloud that a page is about', () => {
  const columns = columnsOf(ordered(2, 5, 4));
  const levels = usualLevels(groupingsOf(columns));
  const inside = (...path: string[]) => scopeOf(columns, levels, path);
  const names = (hosts: readonly number[]) => hosts.map((host) => columns.names[host]);

  test('is the whole cloud without a path, with all levels inside and no condition on lists', () => {
    expect(inside()).toMatchObject({ path: [], hosts: { length: 40 }, levels: { length: 2 }, aggregates: [], aggregate: null });
  });

  test('is a zone or a rack, as lists and events can be asked for it', () => {
    expect(inside('az2')).toMatchObject({
      hosts: { length: 20 },
      levels: [{ id: 'az#-rack#' }],
      aggregates: ['az2'],
      aggregate: 'uuid of az2',
    });
    const rack = inside('az2', 'az2-rack3');
    expect(rack).toMatchObject({ levels: [], aggregates: ['az2', 'az2-rack3'], aggregate: 'uuid of az2-rack3' });
    expect(names(rack.hosts)).toEqual(['az2-rack3-node1', 'az2-rack3-node2', 'az2-rack3-node3', 'az2-rack3-node4']);
  });

  test('finds the zone of a rack that a link names alone, and any aggregate by its uuid', () => {
    expect(inside('az2-rack3').path).toEqual(['az2', 'az2-rack3']);
    expect(inside('uuid of az1-rack2')).toMatchObject({ path: ['az1-rack2'], hosts: { length: 4 } });
  });

  test('is empty if nothing has the name, instead of the whole cloud', () => {
    expect(inside('az9')).toMatchObject({ path: ['az9'], hosts: [], aggregates: null, aggregate: null });
  });

  test('has no list of its own if it is a group of names', () => {
    const byName = groupingsOf(columns).filter(({ id }) => id === 'name:1');
    expect(scopeOf(columns, byName, ['az2'])).toMatchObject({ hosts: { length: 20 }, aggregates: null, aggregate: null });
  });

  test('has the fullest and the emptiest of its own hosts only', () => {
    const some = columnsOf(
      sent([
        { name: 'a', used: 60 },
        { name: 'b', used: 5 },
        { name: 'c', used: 9 },
        { name: 'd', used: 1 },
      ]),
    );
    expect(fullestHosts(some, [1, 2], 'VCPU', 8).map((host) => some.names[host])).toEqual(['c', 'b']);
    expect(emptiestHosts(some, [0, 1, 2], 'VCPU', 1).map((host) => some.names[host])).toEqual(['b']);
  });
});

describe('shared pools', () => {
  const columns = columnsOf(
    sent([
      { name: 'a', aggregates: ['az1', 'ceph'], used: 3 },
      { name: 'b', aggregates: ['az1', 'ceph', 'fast'], used: null, capacity: null },
      { name: 'c', aggregates: ['az2'] },
    ]),
  );
  const disk = (used: number) => ({ resourceClass: { name: 'DISK_GB' }, total: 100, reserved: 10, capacity: 90, used });
  const pool = (name: string, aggregates: readonly string[], used: number) => ({
    uuid: name,
    name,
    aggregates: aggregates.map((aggregate) => ({ uuid: `uuid of ${aggregate}` })),
    inventories: [disk(used)],
  });
  const pools = poolsBySet(columns, [pool('hdd', ['ceph', 'az1'], 40), pool('ssd', ['fast'], 5), pool('far', ['nowhere'], 7)]);

  test('count once, however many hosts and aggregates they serve', () => {
    expect(poolsFor(columns, pools, [0, 1, 2]).map(({ name }) => name)).toEqual(['hdd', 'ssd']);
    expect(sharedOf(poolsFor(columns, pools, [0, 1, 2]), 'DISK_GB')).toEqual({
      resourceClass: { name: 'DISK_GB' },
      total: 200,
      reserved: 20,
      capacity: 180,
      used: 45,
      poolNames: ['hdd', 'ssd'],
    });
    expect(sharedOf(poolsFor(columns, pools, [0]), 'DISK_GB')).toMatchObject({ used: 40, poolNames: ['hdd'] });
    expect(sharedOf(poolsFor(columns, pools, [2]), 'DISK_GB')).toBeNull();
    expect(sharedOf(poolsFor(columns, pools, [0]), 'VCPU')).toBeNull();
  });

  test('are in the words of a host beside its own classes, and say that they are shared', () => {
    expect(otherWordsOfHost(columns, pools, 1, 'VCPU')).toEqual(['DISK_GB 25 % of 180 GiB, shared by hdd, ssd']);
    expect(otherWordsOfHost(columns, pools, 0, 'DISK_GB')).toEqual(['VCPU 5 % of 64', 'DISK_GB 44 % of 90 GiB, shared by hdd']);
    expect(otherWordsOfHost(columns, pools, 2, 'VCPU')).toEqual([]);
    expect(sharedBySet(pools, 'DISK_GB').map((one) => one?.used ?? null)).toEqual([40, 45, null]);
  });

  test('stand beside what hosts have themselves, in every tile', () => {
    expect(tilesOfHosts(columns, [0, 1], { pools, owned: ['VCPU', 'VGPU'] })).toMatchObject([
      { name: 'VCPU', own: { used: 3, capacity: 64 }, shared: null },
      { name: 'VGPU', own: 'unknown', shared: null },
      { name: 'DISK_GB', own: 'none', shared: { used: 45 } },
    ]);
    expect(tilesOfCloud([disk(1)], [disk(2), { ...disk(3), resourceClass: { name: 'IPV4_ADDRESS' } }])).toMatchObject([
      { name: 'DISK_GB', own: { used: 1 }, shared: { used: 2 } },
      { name: 'IPV4_ADDRESS', own: 'none', shared: { used: 3 } },
    ]);
  });
});
