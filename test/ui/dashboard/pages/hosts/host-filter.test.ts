// Which hosts the table shows: by what its address says, from the columns of the map.
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../../../src/ui/dashboard/data/map-columns.ts';
import { columnsForFiles } from '../../../../../src/ui/dashboard/pages/hosts/host-files.ts';
import { classesIn, filterIn, hostsFor, printSort, sortIn } from '../../../../../src/ui/dashboard/pages/hosts/host-filter.ts';

const columns = columnsOf({
  hostCount: 4,
  names: ['gpu-1', 'node-10', 'node-9', 'old-1'],
  memberCounts: [3, 1, 1, 1],
  flags: [0, 2, 0, 3],
  aggregateUuids: ['u1', 'u2'],
  aggregateNames: ['az1', 'az2, the new one'],
  aggregateSets: [[0], [1], []],
  aggregateSet: [0, 0, 1, 2],
  traitNames: ['HW_CPU_X86_AVX2', 'CUSTOM_OLD'],
  traitSets: [[0], [0, 1], []],
  traitSet: [0, 0, 2, 1],
  classes: [
    { resourceClass: { name: 'VCPU' }, total: [8, 8, 8, 8], reserved: [0, 0, 0, 0], capacity: [32, 8, 64, 0], used: [16, 9, 16, 0] },
    {
      resourceClass: { name: 'VGPU' },
      total: [4, null, null, null],
      reserved: [0, null, null, null],
      capacity: [4, null, null, null],
      used: [1, null, null, null],
    },
  ],
});

const found = (query: string) => {
  const parameters = new URLSearchParams(query);
  return hostsFor(columns, filterIn(parameters), sortIn(parameters)).map((host) => columns.names[host]);
};

describe('the address', () => {
  test.each([
    ['', ['gpu-1', 'node-9', 'node-10', 'old-1']],
    ['q=NODE', ['node-9', 'node-10']],
    ['trait=HW_CPU_X86_AVX2', ['gpu-1', 'node-10', 'old-1']],
    ['trait=HW_CPU_X86_AVX2,-CUSTOM_OLD', ['gpu-1', 'node-10']],
    ['trait=UNKNOWN', []],
    ['trait=-UNKNOWN', ['gpu-1', 'node-9', 'node-10', 'old-1']],
    ['in=az1', ['gpu-1', 'node-10']],
    ['in=u1', ['gpu-1', 'node-10']],
    ['in=az2, the new one', ['node-9']],
    ['in=az1&in=u2', []],
    ['has=VGPU', ['gpu-1']],
    ['has=VCPU,VGPU', ['gpu-1']],
    ['has=UNKNOWN', []],
    ['over=1', ['node-10', 'old-1']],
    ['over=1&disabled=1', ['old-1']],
  ])('%j finds %j', (query, names) => {
    expect(found(query)).toEqual(names);
  });
});

describe('the order', () => {
  test.each([
    ['sort=-name', ['old-1', 'node-10', 'node-9', 'gpu-1']],
    ['sort=-VCPU.use', ['node-10', 'gpu-1', 'node-9', 'old-1']],
    ['sort=VCPU.use', ['node-9', 'gpu-1', 'node-10', 'old-1']],
    ['sort=-VCPU.free', ['node-9', 'gpu-1', 'old-1', 'node-10']],
    ['sort=VGPU.used', ['gpu-1', 'node-9', 'node-10', 'old-1']],
    ['sort=-VGPU.capacity', ['gpu-1', 'node-9', 'node-10', 'old-1']],
    ['sort=nonsense.thing', ['gpu-1', 'node-9', 'node-10', 'old-1']],
    ['sort=-any.use', ['node-10', 'gpu-1', 'node-9', 'old-1']],
  ])('%j is %j: what has none of the class comes last', (query, names) => {
    expect(found(query)).toEqual(names);
  });

  test('of hosts over capacity is the worst first, in whatever class, unless another one is chosen', () => {
    const over = columnsOf({
      ...{ hostCount: 4, names: ['a', 'b', 'c', 'd'], memberCounts: [1, 1, 1, 1], flags: [2, 2, 2, 2] },
      ...{ aggregateUuids: [], aggregateNames: [], aggregateSets: [[]], aggregateSet: [0, 0, 0, 0] },
      ...{ traitNames: [], traitSets: [[]], traitSet: [0, 0, 0, 0] },
      classes: [
        { resourceClass: { name: 'VCPU' }, total: [9, 9, 9, 9], reserved: [0, 0, 0, 0], capacity: [10, 10, 10, 10], used: [11, 1, 13, 5] },
        {
          resourceClass: { name: 'MEMORY_MB' },
          ...{ total: [9, 9, null, 0], reserved: [0, 0, null, 0], capacity: [10, 10, null, 0], used: [3, 15, null, 1] },
        },
      ],
    });
    const orderOf = (query: string) => {
      const parameters = new URLSearchParams(query);
      return hostsFor(over, filterIn(parameters), sortIn(parameters)).map((host) => over.names[host]);
    };
    expect(orderOf('over=1')).toEqual(['d', 'b', 'c', 'a']);
    expect(orderOf('over=1&sort=name')).toEqual(['a', 'b', 'c', 'd']);
    expect(orderOf('')).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each(['name', '-name', '-VCPU.use', '-any.use', 'CUSTOM_X.free'])('%s survives being read and written', (sort) => {
    expect(printSort(sortIn(new URLSearchParams({ sort })))).toBe(sort);
  });
});

test('the columns are the usual classes, or those that the address names', () => {
  expect(classesIn(new URLSearchParams())).toEqual(['VCPU', 'MEMORY_MB', 'DISK_GB']);
  expect(classesIn(new URLSearchParams('cols=VGPU,PCPU'))).toEqual(['VGPU', 'PCPU']);
});

test('files have exact numbers, and empty cells for missing ones', () => {
  const row = (host: number) =>
    Object.fromEntries(columnsForFiles(columns, ['VCPU', 'VGPU']).map(({ title, value }) => [title, value(host)]));
  expect(row(0)).toEqual({
    name: 'gpu-1',
    aggregates: 'az1',
    'over capacity': false,
    disabled: false,
    providers: 3,
    'VCPU total': 8,
    'VCPU reserved': 0,
    'VCPU capacity': 32,
    'VCPU used': 16,
    'VGPU total': 4,
    'VGPU reserved': 0,
    'VGPU capacity': 4,
    'VGPU used': 1,
  });
  expect(row(3)).toMatchObject({ 'over capacity': true, disabled: true, aggregates: '', 'VGPU used': null });
});
