import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { flavorToRequest, type RequestFacts } from '../../../src/nova/flavors/flavor-request.ts';
import { diskGbOf, type Flavor, parseFlavor } from '../../../src/nova/flavors/flavors.ts';
import { parseRequest } from '../../../src/operations/candidates/requests.ts';
import { refusalOf, wireOf } from '../../support/versioned-objects.ts';

const small: Flavor = { name: 'small', vcpus: 4, memoryMb: 2048, rootGb: 10, ephemeralGb: 5, swapMb: 1, extraSpecs: {} };

/** A request with a line for each group: `S= CLASS:amount … +required -forbidden`. */
function ask(extraSpecs: Record<string, string>, facts: RequestFacts = {}, flavor: Partial<Flavor> = {}) {
  const { request, flavorGroups, warnings } = flavorToRequest({ ...small, ...flavor, extraSpecs }, facts);
  const groups = request.groups.map(({ suffix, resources, traits }) => {
    const amounts = (resources ?? []).map(({ resourceClass, amount }) => `${resourceClass}:${amount}`);
    const [clause] = traits ?? [];
    const conditions = [...(clause?.allOf ?? []).map((name) => `+${name}`), ...(clause?.noneOf ?? []).map((name) => `-${name}`)];
    return [...(suffix ? [`${suffix}=`] : []), ...amounts, ...conditions].join(' ');
  });
  return { groups, policy: request.groupPolicy, flavorGroups, warnings };
}

const numbers = 'VCPU:4 MEMORY_MB:2048 DISK_GB:16';

describe('a flavor', () => {
  test('requests its sizes in the group without suffix: root 10, ephemeral 5 and swap 1 MB are 16 GB', () => {
    expect(ask({})).toEqual({ groups: [numbers], policy: undefined, flavorGroups: [''], warnings: [] });
  });

  test('booted from a volume requests 6 GB', () => {
    expect(ask({}, { bootedFromVolume: true }).groups).toEqual(['VCPU:4 MEMORY_MB:2048 DISK_GB:6']);
  });

  test('does not request classes with an amount of 0', () => {
    expect(ask({}, {}, { rootGb: 0, ephemeralGb: 0, swapMb: 0 }).groups).toEqual(['VCPU:4 MEMORY_MB:2048']);
  });

  test('with settings of the guest requests nothing more', () => {
    expect(ask({ 'quota:cpu_shares': '10', 'hw:boot_menu': 'True', hide_hypervisor_id: 'yes' })).toMatchObject({
      groups: [numbers],
      warnings: [],
    });
  });
});

describe('resources of a flavor', () => {
  test('override the size of their class', () => {
    expect(ask({ 'resources:MEMORY_MB': '64' }).groups).toEqual(['VCPU:4 MEMORY_MB:64 DISK_GB:16']);
  });

  test('add classes without a size', () => {
    expect(ask({ 'resources:VGPU': '1' }).groups).toEqual([`${numbers} VGPU:1`]);
  });

  test('of 0 drop their class: a whole machine is its own class alone', () => {
    const specs = { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0', 'resources:DISK_GB': '0', 'resources:CUSTOM_BAREMETAL_GOLD': '1' };
    expect(ask(specs)).toMatchObject({ groups: ['CUSTOM_BAREMETAL_GOLD:1'], warnings: [] });
  });

  test('with a suffix form groups of their own and leave the sizes unchanged', () => {
    expect(ask({ 'resources1:VGPU': '1', 'resources_net:SRIOV_NET_VF': '2', group_policy: 'isolate' })).toEqual({
      groups: [numbers, '1= VGPU:1', '_net= SRIOV_NET_VF:2'],
      policy: 'ISOLATE',
      flavorGroups: ['', '1', '_net'],
      warnings: [],
    });
  });

  test.each([
    ['an unknown class', { 'resources:GOLD': '1' }, 'GOLD is not a resource class'],
    ['no class', { 'resources:': '1' }, ' is not a resource class'],
    ['a malformed amount', { 'resources:VGPU': 'one' }, 'one is not a whole number'],
    ['a negative amount', { 'resources:VGPU': '-1' }, '-1 is not a whole number'],
    ['an amount beyond every inventory', { 'resources:VGPU': '2147483648' }, '2147483648 is not a whole number'],
  ])('with %s are left out with a warning', (_what, specs, words) => {
    expect(ask(specs)).toMatchObject({ groups: [numbers], warnings: [{ message: expect.stringContaining(words) }] });
  });
});

describe('traits', () => {
  test('are required and forbidden for each group', () => {
    expect(ask({ 'trait:HW_CPU_X86_AVX2': 'required', 'trait1:CUSTOM_FAST': 'forbidden', 'resources1:VGPU': '1' }).groups).toEqual([
      `${numbers} +HW_CPU_X86_AVX2`,
      '1= VGPU:1 -CUSTOM_FAST',
    ]);
  });

  test('with another value are left out with a warning', () => {
    expect(ask({ 'trait:CUSTOM_FAST': 'preferred' })).toMatchObject({
      groups: [numbers],
      warnings: [
        {
          code: 'EXTRA_SPEC_LEFT_OUT',
          message: 'trait:CUSTOM_FAST was left out: preferred is neither required nor forbidden',
          subject: 'trait:CUSTOM_FAST',
        },
      ],
    });
  });

  test.each(['weird', 'constructor', '__proto__'])('of a property of the image with the unknown value %s are left out', (value) => {
    const facts = { imageProperties: { hw_disk_bus: value }, prefilters: { imageMetadata: true } };
    const message = `hw_disk_bus of the image was left out: trait COMPUTE_STORAGE_BUS_${value.toUpperCase()} does not exist`;
    expect(ask({}, facts)).toMatchObject({ warnings: [{ code: 'IMAGE_PROPERTY_LEFT_OUT', message, subject: 'hw_disk_bus' }] });
  });

  test('of the image go to the group without suffix', () => {
    const facts = { imageTraits: ['CUSTOM_A'], imageProperties: { 'trait:CUSTOM_B': 'required', 'trait:CUSTOM_C': 'forbidden' } };
    expect(ask({ 'resources1:VGPU': '1' }, facts)).toMatchObject({
      groups: [`${numbers} +CUSTOM_A +CUSTOM_B`, '1= VGPU:1'],
      warnings: [
        {
          code: 'IMAGE_PROPERTY_LEFT_OUT',
          message: 'trait:CUSTOM_C of the image was left out: forbidden is not required',
          subject: 'trait:CUSTOM_C',
        },
      ],
    });
  });

  test('of a group without resources are kept, with a warning: without them more would match', () => {
    const { request, warnings } = flavorToRequest({ ...small, extraSpecs: { 'trait1:CUSTOM_FAST': 'required' } });
    const message = 'the group 1 has traits but no resources: such a request is refused';
    expect(warnings).toEqual([{ code: 'GROUP_WITHOUT_RESOURCES', message, subject: '1' }]);
    expect(() => parseRequest(request)).toThrow(Refusal);
  });
});

describe('the policy for groups', () => {
  const ofFlavor = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`resources${index + 1}:VGPU`, '1']));
  const ofPorts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ suffix: `_port${index}`, resources: [{ resourceClass: 'SRIOV_NET_VF', amount: 1 }] }));

  test.each([
    ['is absent for one group', 1, 0, undefined, 0],
    ['is absent for one port', 0, 1, undefined, 0],
    ['is NONE for two ports', 0, 2, 'NONE', 0],
    ['is NONE for one group of the flavor and one port', 1, 1, 'NONE', 0],
    ['is missing if two groups come from the flavor', 2, 0, 'NONE', 1],
    ['is missing if two groups come from the flavor, whatever the ports', 2, 3, 'NONE', 1],
  ] as const)('%s', (_what, own, ports, policy, warned) => {
    const asked = ask(ofFlavor(own), { otherGroups: ofPorts(ports) });
    expect(asked.policy).toBe(policy);
    expect(asked.warnings).toHaveLength(warned);
    expect(asked.groups).toHaveLength(1 + own + ports);
    expect(asked.flavorGroups).toHaveLength(1 + own);
  });

  test.each([
    ['none', 'NONE'],
    ['isolate', 'ISOLATE'],
  ])('%s is that of the flavor, and nothing is missing', (group_policy, policy) => {
    expect(ask({ ...ofFlavor(2), group_policy })).toMatchObject({ policy, warnings: [] });
  });

  test('of another name is left out with a warning', () => {
    expect(ask({ group_policy: 'spread' })).toMatchObject({
      policy: undefined,
      warnings: [
        { code: 'EXTRA_SPEC_LEFT_OUT', message: 'group_policy spread was left out: it must be none or isolate', subject: 'group_policy' },
      ],
    });
  });
});

describe('the processors of a flavor', () => {
  const ofHost = 'MEMORY_MB:2048 DISK_GB:16';

  test.each([
    ['shared', { 'hw:cpu_policy': 'shared' }, {}, `VCPU:4 ${ofHost}`],
    ['dedicated', { 'hw:cpu_policy': 'dedicated' }, {}, `PCPU:4 ${ofHost}`],
    ['dedicated by the image', {}, { hw_cpu_policy: 'dedicated' }, `PCPU:4 ${ofHost}`],
    ['dedicated although the image would share', { 'hw:cpu_policy': 'dedicated' }, { hw_cpu_policy: 'shared' }, `PCPU:4 ${ofHost}`],
    ['mixed by a mask', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3' }, {}, `VCPU:2 PCPU:2 ${ofHost}`],
    ['mixed by exceptions', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '^0' }, {}, `VCPU:1 PCPU:3 ${ofHost}`],
    ['mixed by a mask with exceptions', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0-2,^1, 3' }, {}, `VCPU:1 PCPU:3 ${ofHost}`],
    [
      'mixed by the real-time mask',
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '^0-1' },
      {},
      `VCPU:2 PCPU:2 ${ofHost}`,
    ],
    [
      'mixed by the real-time mask of the image',
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_realtime': 'yes' },
      { hw_cpu_realtime_mask: '^0' },
      `VCPU:1 PCPU:3 ${ofHost}`,
    ],
    [
      'dedicated with one for the emulator',
      { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' },
      {},
      `PCPU:5 ${ofHost}`,
    ],
    [
      'mixed with one for the emulator',
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '3', 'hw:emulator_threads_policy': 'isolate' },
      {},
      `VCPU:3 PCPU:2 ${ofHost}`,
    ],
    [
      'dedicated on a host without hyperthreading',
      { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'isolate' },
      {},
      `PCPU:4 ${ofHost} -HW_CPU_HYPERTHREADING`,
    ],
    [
      'dedicated on a host with hyperthreading',
      { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require' },
      {},
      `PCPU:4 ${ofHost} +HW_CPU_HYPERTHREADING`,
    ],
    [
      'mixed by the real-time mask of the image rather than that of the flavor',
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '2-3' },
      { hw_cpu_realtime_mask: '3' },
      `VCPU:3 PCPU:1 ${ofHost}`,
    ],
    ['mixed by the image', { 'hw:cpu_dedicated_mask': ' 2 -3,,^9' }, { hw_cpu_policy: 'mixed' }, `VCPU:2 PCPU:2 ${ofHost}`],
    [
      'dedicated in real time, with a place for the emulator',
      { 'hw:cpu_policy': 'dedicated', 'hw:cpu_realtime': '1', 'hw:emulator_threads_policy': 'share' },
      {},
      `PCPU:4 ${ofHost}`,
    ],
    ['dedicated on any host', { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'prefer' }, {}, `PCPU:4 ${ofHost}`],
  ])('are %s', (_what, specs, imageProperties, group) => {
    expect(ask(specs as Record<string, string>, { imageProperties: imageProperties as Record<string, string> })).toMatchObject({
      groups: [group],
      warnings: [],
    });
  });

  test('are those that the flavor names itself, in any group: no others are requested', () => {
    expect(ask({ 'resources:PCPU': '4' }).groups).toEqual([`PCPU:4 ${ofHost}`]);
    expect(ask({ 'resources3:VCPU': '2' }).groups).toEqual(['MEMORY_MB:2048 DISK_GB:16', '3= VCPU:2']);
    expect(ask({ 'resources:PCPU': '5', 'hw:emulator_threads_policy': 'isolate' }).groups).toEqual([`PCPU:5 ${ofHost}`]);
  });

  test('have no policy if it is empty', () => {
    expect(ask({ 'hw:cpu_policy': '', 'hw:cpu_thread_policy': '' }).groups).toEqual([numbers]);
  });

  test('have a fallback to shared ones if all are pinned, for hosts that do not report PCPU yet', () => {
    const pinned = { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require', 'resources1:VGPU': '1' };
    const { request, fallback } = flavorToRequest({ ...small, extraSpecs: pinned });
    const [, ...others] = request.groups;
    const sizes = { VCPU: 4, MEMORY_MB: 2048, DISK_GB: 16 };
    const resources = Object.entries(sizes).map(([resourceClass, amount]) => ({ resourceClass, amount }));
    expect(fallback).toEqual({ ...request, groups: [{ resources }, ...others] });
    const mixed = { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '1' };
    for (const extraSpecs of [{}, mixed, { 'resources:PCPU': '4' }]) expect(flavorToRequest({ ...small, extraSpecs }).fallback).toBeNull();
  });

  test.each([
    ['an unknown policy', { 'hw:cpu_policy': 'fast' }, {}],
    ['an image that requests more than the flavor allows', { 'hw:cpu_policy': 'shared' }, { hw_cpu_policy: 'dedicated' }],
    ['an image that requests mixed ones without a mask', {}, { hw_cpu_policy: 'mixed' }],
    ['mixed ones without a mask', { 'hw:cpu_policy': 'mixed' }, {}],
    ['mixed ones, all of them dedicated', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0-3' }, {}],
    ['mixed ones, none of them dedicated', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0,^0' }, {}],
    ['a mask beyond the last processor', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '4' }, {}],
    ['a malformed mask', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': 'all' }, {}],
    ['a mask with more parts than any host has processors', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0,'.repeat(4096) }, {}],
    ['a mask that runs backwards', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '3-1' }, {}],
    [
      'contradictory thread policies',
      { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require' },
      { hw_cpu_thread_policy: 'isolate' },
    ],
    ['an unknown thread policy', { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'x' }, {}],
    ['a thread policy for shared ones', { 'hw:cpu_thread_policy': 'prefer' }, {}],
    [
      'a thread policy and its trait',
      { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require', 'trait:HW_CPU_HYPERTHREADING': 'required' },
      {},
    ],
    ['hyperthreading required without dedicated ones', { 'trait:HW_CPU_HYPERTHREADING': 'required' }, {}],
    ['hyperthreading forbidden with shared ones', { 'hw:cpu_policy': 'shared', 'trait1:HW_CPU_HYPERTHREADING': 'forbidden' }, {}],
    ['hyperthreading required by the image without dedicated ones', {}, { 'trait:HW_CPU_HYPERTHREADING': 'required' }],
    ['an isolated emulator with shared ones', { 'hw:emulator_threads_policy': 'isolate' }, {}],
    ['an unknown emulator policy', { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'x' }, {}],
    ['a policy and amounts of its own', { 'hw:cpu_policy': 'dedicated', 'resources:VCPU': '2' }, {}],
    ['a policy and amounts in a group', { 'hw:cpu_policy': 'dedicated', resources_a: '', 'resources_a:PCPU': '4' }, {}],
    ['shared and dedicated amounts', { 'resources:VCPU': '2', 'resources1:PCPU': '4' }, {}],
    ['another number of dedicated ones', { 'resources:PCPU': '2' }, {}],
    ['dedicated ones without one for the emulator', { 'resources:PCPU': '4', 'hw:emulator_threads_policy': 'isolate' }, {}],
    ['a mask of dedicated ones without mixed ones', { 'hw:cpu_policy': 'dedicated', 'hw:cpu_dedicated_mask': '1' }, {}],
    ['two masks', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '1', 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '2' }, {}],
    ['real time on shared ones', { 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '2' }, {}],
    ['real time on all, without a place for the emulator', { 'hw:cpu_policy': 'dedicated', 'hw:cpu_realtime': 'yes' }, {}],
  ])('are refused with %s', (_what, specs, imageProperties) => {
    const problems = refusalOf(() => ask(specs as Record<string, string>, { imageProperties: imageProperties as Record<string, string> }));
    expect(problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['flavor'] }]);
  });

  test('are neither lost nor made by a mask', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 64 }),
        fc.uniqueArray(fc.nat(63), { minLength: 1 }),
        fc.boolean(),
        (vcpus, picked, isException) => {
          const processors = picked.filter((processor) => processor < vcpus);
          fc.pre(processors.length > 0 && processors.length < vcpus);
          const mask = processors.map((processor) => `${isException ? '^' : ''}${processor}`).join(',');
          const [group] = ask({ 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': mask }, {}, { vcpus }).groups;
          const dedicated = isException ? vcpus - processors.length : processors.length;
          expect(group).toBe(`VCPU:${vcpus - dedicated} PCPU:${dedicated} ${ofHost}`);
        },
      ),
    );
  });
});

test('the request of a flavor can be searched, whatever its extra specs, unless it has a warning or is refused', () => {
  const key = fc.oneof(
    fc
      .tuple(fc.constantFrom('', '1', '_a'), fc.constantFrom('VGPU', 'VCPU', 'CUSTOM_A', 'x'))
      .map(([suffix, name]) => `resources${suffix}:${name}`),
    fc.tuple(fc.constantFrom('', '1', '_a'), fc.constantFrom('CUSTOM_A', 'CUSTOM_B')).map(([suffix, name]) => `trait${suffix}:${name}`),
    fc.constantFrom('group_policy', 'hw:cpu_policy', 'hw:cpu_dedicated_mask'),
  );
  const value = fc.constantFrom('0', '1', 'required', 'none', 'isolate', 'dedicated', 'mixed', '^0');
  fc.assert(
    fc.property(fc.dictionary(key, value), (extraSpecs) => {
      const asked = (() => {
        try {
          return flavorToRequest({ ...small, extraSpecs });
        } catch (error) {
          if (error instanceof Refusal) return null;
          throw error;
        }
      })();
      if (asked === null || asked.warnings.some(({ message }) => message.includes('refused'))) return;
      expect(parseRequest(asked.request).groups.length).toBe(asked.flavorGroups.length);
    }),
  );
});

describe('a flavor as it is given', () => {
  const object = wireOf('Flavor', '1.1', {
    name: 'small',
    vcpus: 4,
    memory_mb: 2048,
    root_gb: 10,
    ephemeral_gb: 5,
    swap: 1,
    extra_specs: { 'resources:VGPU': '1' },
  });
  const plain = { name: 'small', vcpus: 4, memoryMb: 2048, rootGb: 10, ephemeralGb: 5, swapMb: 1 };

  test('is the same as fields and as a versioned object', () => {
    const flavor = { ...small, extraSpecs: { 'resources:VGPU': '1' } };
    expect(parseFlavor({ fields: { ...plain, extraSpecs: [{ key: 'resources:VGPU', value: '1' }] } }, [])).toEqual(flavor);
    expect(parseFlavor({ object: JSON.stringify(object) }, [])).toEqual(flavor);
  });

  test('has no disks unless it names them', () => {
    expect(diskGbOf(parseFlavor({ fields: { vcpus: 1, memoryMb: 1 } }, []), false)).toBe(0);
  });

  test.each([
    ['a negative disk', { fields: { ...plain, rootGb: -1 } }, ['fields', 'rootGb']],
    ['a fraction', { fields: { ...plain, memoryMb: 0.5 } }, ['fields', 'memoryMb']],
    ['a malformed object', { object: '{}' }, ['object', 'nova_object.name']],
    [
      'an object without its memory',
      { object: JSON.stringify(wireOf('Flavor', '1.2', { vcpus: 1 })) },
      ['object', 'nova_object.data', 'memory_mb'],
    ],
    [
      'a key twice',
      {
        fields: {
          ...plain,
          extraSpecs: [
            { key: 'a', value: '1' },
            { key: 'a', value: '2' },
          ],
        },
      },
      ['fields', 'extraSpecs', '1', 'key'],
    ],
  ] as const)('is refused with %s', (_what, input, path) => {
    expect(refusalOf(() => parseFlavor(input, ['input', 'flavor']))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'flavor', ...path] },
    ]);
  });
});
