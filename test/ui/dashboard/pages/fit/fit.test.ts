// What "What fits?" makes of a flavor, of a near miss, and of its own question.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { beyond } from '../../../../../src/ui/dashboard/pages/fit/beyond.ts';
import { readFlavor } from '../../../../../src/ui/dashboard/pages/fit/flavor.ts';
import { without } from '../../../../../src/ui/dashboard/pages/fit/help.ts';
import { queryText } from '../../../../../src/ui/dashboard/pages/fit/query-text.ts';
import { readable, refusedClasses } from '../../../../../src/ui/dashboard/pages/fit/readable.ts';
import { parseFit, printFit } from '../../../../../src/ui/dashboard/pages/fit/request.ts';

const schema = buildSchema(readFileSync(new URL('../../../../../schema.graphql', import.meta.url), 'utf8'));

describe('a pasted flavor', () => {
  const fields = { name: 'm1.small', vcpus: 1, memoryMb: 2048, rootGb: 20, ephemeralGb: 0, swapMb: 0, extraSpecs: [] };

  test('is read as old and new command lines print it', () => {
    const properties = "hw:cpu_policy='dedicated', trait:HW_CPU_X86_AVX2='required'";
    const text = JSON.stringify({ name: 'm1.small', vcpus: 1, ram: 2048, disk: 20, 'OS-FLV-EXT-DATA:ephemeral': 0, swap: '', properties });
    expect(readFlavor(text).flavor).toEqual({
      fields: {
        ...fields,
        extraSpecs: [
          { key: 'hw:cpu_policy', value: 'dedicated' },
          { key: 'trait:HW_CPU_X86_AVX2', value: 'required' },
        ],
      },
    });
    expect(readFlavor('{"name":"m1.small","vcpus":"1","ram":"2048","disk":20,"properties":{}}').flavor).toEqual({ fields });
  });

  test("is read as Nova's API answers it, and as Nova's own object", () => {
    expect(readFlavor('{"flavor":{"name":"m1.small","vcpus":1,"ram":2048,"disk":20,"extra_specs":{"resources:VGPU":1}}}').flavor).toEqual({
      fields: { ...fields, extraSpecs: [{ key: 'resources:VGPU', value: '1' }] },
    });
    const object = '{"nova_object.name":"Flavor","nova_object.data":{}}';
    expect(readFlavor(object).flavor).toEqual({ object });
  });

  test('that is malformed is explained in words', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { flavor, problem } = readFlavor(text);
        expect((flavor === null) !== (problem === null)).toBe(true);
      }),
    );
    expect(readFlavor('{"vcpus":1,"ram":2048,"properties":"hw:cpu_policy"}').problem).toContain('properties');
  });
});

describe('a near miss is tried', () => {
  const request = parseFit('r=VCPU:4,VGPU:9&t=HW_CPU_X86_AVX512F,A|B,-C&g_1.r=VGPU:2&root=COMPUTE_NODE');
  const lacking = (resourceClass: string, amount: number) => ({
    lacks: [{ resourceClass: { name: resourceClass }, amount }],
    lacksTraitNames: [],
  });

  test('with less of what is short, in the group that asks for most', () => {
    expect(printFit(without(request, lacking('VGPU', 5)))).toBe(
      'r=VCPU:4,VGPU:4&t=HW_CPU_X86_AVX512F,A|B,-C&g_1.r=VGPU:2&root=COMPUTE_NODE',
    );
  });

  test('without a class of which nothing remains', () => {
    expect(printFit(without(request, lacking('VGPU', 9)))).toContain('r=VCPU:4&');
  });

  test('without the traits that are missing', () => {
    const next = without(request, { lacks: [], lacksTraitNames: ['HW_CPU_X86_AVX512F', 'A', 'B', 'COMPUTE_NODE'] });
    expect(printFit(next)).toBe('r=VCPU:4,VGPU:9&t=-C&g_1.r=VGPU:2');
  });
});

test('the query to copy is valid for the schema', () => {
  const everything = 'r=VCPU:4,MEMORY_MB:8192&t=A,B|C,-D&in=8ae37ae6-4ffa-89ff-a6d4-96285b6bd37a&g_gpu.r=VGPU:1&isolate=1&root=E&sub=_gpu';
  for (const address of [everything, 'r=VCPU:1', 'r=VCPU:1&project=web-shop'])
    expect(validate(schema, parse(queryText(parseFit(address))))).toEqual([]);
});

test('quotas bound a request that asks for more than they leave: those for its user and for servers, over all groups', () => {
  const use = (
    quota: { resourceClassName?: string; consumerType?: string; userExternalId?: string; aggregateUuid?: string },
    available: number | null,
  ) => ({
    ...{ projectExternalId: 'video', isDefault: true, used: 7, available },
    quota: {
      resourceClassName: null,
      consumerType: null,
      userExternalId: null,
      aggregateUuid: null,
      amount: available === null ? null : 7 + available,
      ...quota,
    },
  });
  const request = parseFit('r=VCPU:4&g_1.r=VCPU:2,VGPU:1');
  const bounds = (...quotas: ReturnType<typeof use>[]) =>
    beyond(request, quotas, 'ann').map(({ asked, use: { quota } }) => [quota.resourceClassName, asked]);
  expect(bounds(use({ resourceClassName: 'VCPU' }, 5), use({ resourceClassName: 'VGPU' }, 1), use({}, 0))).toEqual([
    ['VCPU', 6],
    [null, 1],
  ]);
  expect(bounds(use({ resourceClassName: 'VCPU' }, null), use({ resourceClassName: 'MEMORY_MB' }, 0))).toEqual([]);
  expect(bounds(use({ consumerType: 'PORT' }, 0), use({ userExternalId: 'joe' }, 0))).toEqual([]);
  expect(bounds(use({ consumerType: 'INSTANCE' }, 0), use({ userExternalId: 'ann' }, 0))).toHaveLength(2);
});

test('a quota for an aggregate bounds what may be there, and all of a request for that aggregate; not one for others, nor one that excludes it', () => {
  const [here, other] = ['8ae37ae6-4ffa-89ff-a6d4-96285b6bd37a', '3e8b8913-68c2-891f-ac04-fd8ec6ecd147'];
  const quota = { resourceClassName: 'VCPU', consumerType: null, userExternalId: null, aggregateUuid: here };
  const bounds = (address: string) => beyond(parseFit(address), [{ quota, available: 0 }], null).map(({ isEverywhere }) => isEverywhere);
  expect(bounds('r=VCPU:1')).toEqual([false]);
  expect(bounds(`r=VCPU:1&in=${here}|${other}`)).toEqual([false]);
  expect(bounds(`r=VCPU:1&in=${here}`)).toEqual([true]);
  expect(bounds(`r=VCPU:1&in=${other}`)).toEqual([]);
  expect(bounds(`r=VCPU:1&in=-${here}`)).toEqual([]);
});

describe('an explanation', () => {
  test.each([
    ['none has room for 614,400 MEMORY_MB.', 'none has room for 600 GiB of MEMORY_MB.'],
    ['none can give 614,400 MEMORY_MB of group _1 in one allocation', 'none can give 600 GiB of MEMORY_MB of group _1 in one allocation'],
    ['12 trees lack only 2,048 DISK_GB.', '12 trees lack only 2 TiB of DISK_GB.'],
    [
      '12 trees lack only MEMORY_MB: 98,304 at least, typically 122,880.',
      '12 trees lack only MEMORY_MB: 96 GiB at least, typically 120 GiB.',
    ],
    [
      '2 trees lack only MEMORY_MB of group _1: 1,024 at least, typically 2,048.',
      '2 trees lack only MEMORY_MB of group _1: 1 GiB at least, typically 2 GiB.',
    ],
    ['4,000 trees have room for 48 VCPU', '4,000 trees have room for 48 VCPU'],
  ])('%s', (text, expected) => {
    expect(readable(text)).toBe(expected);
  });

  test('names the classes whose amounts ruled out the last hosts, or are all that others lack, with the largest amount', () => {
    const step = (kind: string, resourceClassName: string | null, amount: number | null, rootsBefore: number, rootsAfter: number) => ({
      ...{ kind, resourceClassName, amount, rootsBefore, rootsAfter },
    });
    const steps = [
      step('INVENTORY', 'VGPU', 1, 9, 8),
      step('ROOM', 'VCPU', 4, 8, 8),
      step('ROOM', 'PCPU', 4, 8, 7),
      step('ROOM', 'DISK_GB', 4, 7, 6),
      step('UNITS', 'MEMORY_MB', 10, 6, 5),
      step('ROOM', 'MEMORY_MB', 12, 5, 0),
    ];
    const disk = { lacks: [{ resourceClass: { name: 'DISK_GB' } }] };
    expect(refusedClasses(steps, [disk])).toEqual([
      { resourceClass: 'DISK_GB', amount: 4 },
      { resourceClass: 'MEMORY_MB', amount: 12 },
    ]);
    expect(refusedClasses([step('TRAITS', null, null, 5, 0)], [])).toEqual([]);
  });
});
