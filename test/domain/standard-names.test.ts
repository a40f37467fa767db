import { describe, expect, test } from 'vitest';
import { standardResourceClasses } from '../../src/domain/standard-resource-classes.ts';
import { standardTraits } from '../../src/domain/standard-traits.ts';
import { resourceClassNameFault, traitNameFault } from '../../src/domain/text.ts';

describe('the standard traits are those of os-traits', () => {
  const countUnder = (prefix: string) => standardTraits.filter((name) => name.startsWith(`${prefix}_`)).length;

  test('there are 377, sorted and distinct, with valid names of at most 47 characters', () => {
    expect(standardTraits).toHaveLength(377);
    expect(standardTraits).toEqual([...new Set(standardTraits)].sort());
    expect(standardTraits.filter((name) => traitNameFault(name) !== null || name.startsWith('CUSTOM_'))).toEqual([]);
    expect(Math.max(...standardTraits.map((name) => name.length))).toBe(47);
  });

  test.each([
    ['HW', 270],
    ['COMPUTE', 102],
    ['OWNER', 2],
    ['STORAGE', 2],
    ['MISC', 1],
    ['HW_CPU', 90],
    ['HW_CPU_X86', 63],
    ['HW_CPU_AARCH64', 23],
    ['HW_CPU_PPC64LE', 2],
    ['HW_CPU_AMD', 1],
    ['HW_GPU', 97],
    ['HW_GPU_API', 44],
    ['HW_GPU_CUDA', 26],
    ['HW_GPU_RESOLUTION', 22],
    ['HW_GPU_MAX', 5],
    ['HW_NIC', 43],
    ['HW_ARCH', 34],
    ['HW_NVME', 3],
    ['HW_PCI', 2],
    ['COMPUTE_NET', 16],
    ['COMPUTE_IMAGE_TYPE', 11],
    ['COMPUTE_STORAGE', 10],
    ['COMPUTE_SECURITY', 9],
    ['COMPUTE_GRAPHICS', 9],
    ['COMPUTE_SOUND', 8],
    ['COMPUTE_ARCH', 6],
    ['COMPUTE_VOLUME', 4],
    ['COMPUTE_VIOMMU', 4],
    ['COMPUTE_EPHEMERAL', 4],
  ])('%s_ has %i', (prefix, count) => {
    expect(countUnder(prefix)).toBe(count);
  });

  test.each([
    'HW_CPU_HYPERTHREADING',
    'HW_NUMA_ROOT',
    'HW_PCI_LIVE_MIGRATABLE',
    'HW_PCI_ONE_TIME_USE',
    'COMPUTE_NODE',
    'COMPUTE_STATUS_DISABLED',
    'COMPUTE_ACCELERATORS',
    'COMPUTE_MANAGED_PCI_DEVICE',
    'COMPUTE_SHARE_LOCAL_FS',
    'COMPUTE_REMOTE_MANAGED_PORTS',
    'OWNER_NOVA',
    'OWNER_CYBORG',
    'STORAGE_DISK_HDD',
    'STORAGE_DISK_SSD',
    'MISC_SHARES_VIA_AGGREGATE',
  ])('%s is one of them', (name) => {
    expect(standardTraits).toContain(name);
  });
});

describe('the standard resource classes are those of os-resource-classes', () => {
  test('there are 21, distinct, with valid names, and the id of each is its index', () => {
    expect(standardResourceClasses.map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, index) => index));
    expect(new Set(standardResourceClasses.map(({ name }) => name)).size).toBe(21);
    expect(standardResourceClasses.filter(({ name }) => resourceClassNameFault(name) !== null || name.startsWith('CUSTOM_'))).toEqual([]);
  });

  test.each([
    [0, 'VCPU', null],
    [1, 'MEMORY_MB', 'MiB'],
    [2, 'DISK_GB', 'GiB'],
    [7, 'NUMA_THREAD', null],
    [8, 'NUMA_MEMORY_MB', 'MiB'],
    [10, 'VGPU', null],
    [13, 'NET_BW_IGR_KILOBIT_PER_SEC', 'kbit/s'],
    [14, 'PCPU', null],
    [20, 'NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC', 'kilopackets/s'],
  ])('%i is %s in %s', (id, name, unit) => {
    expect(standardResourceClasses[id]).toEqual({ id, name, unit });
  });

  test('each unit matches the name of its class', () => {
    const promised = {
      MEMORY_MB: 'MiB',
      DISK_GB: 'GiB',
      KILOBIT_PER_SEC: 'kbit/s',
      KILOPACKET_PER_SEC: 'kilopackets/s',
      ADDRESS: 'addresses',
    };
    for (const { name, unit } of standardResourceClasses) {
      expect([name, unit]).toEqual([name, Object.entries(promised).find(([ending]) => name.endsWith(ending))?.[1] ?? null]);
    }
  });
});
