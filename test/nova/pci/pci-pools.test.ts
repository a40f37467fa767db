import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { makeObject } from '../../../src/nova/objects/codec.ts';
import { type PciDevice, pciDeviceStatuses, poolsOf, readPciDevice } from '../../../src/nova/pci/pci-pools.ts';
import { poolToDict } from '../../../src/nova/pci/stored-pools.ts';

/** A card: a physical function and its virtual functions. */
const pf = (slot: string, facts: Partial<PciDevice> = {}): PciDevice => ({
  address: `0000:${slot}:00.0`,
  vendorId: '8086',
  productId: '1572',
  devType: 'type-PF',
  status: 'available',
  numaNode: 0,
  ...facts,
});
const vf = (slot: string, number: number, facts: Partial<PciDevice> = {}): PciDevice => ({
  ...pf(slot),
  address: `0000:${slot}:02.${number}`,
  productId: '154c',
  devType: 'type-VF',
  parentAddress: `0000:${slot}:00.0`,
  ...facts,
});
const plain = (slot: string, facts: Partial<PciDevice> = {}): PciDevice => pf(slot, { productId: '10fb', devType: 'type-PCI', ...facts });

const counts = (devices: readonly PciDevice[], byCard = false) =>
  poolsOf(devices, { byCard }).map(({ productId, numaNode, count }) => `${productId}@${numaNode} ${count}`);

describe('pools', () => {
  test('are the free devices by vendor, product, NUMA node, type and tags', () => {
    const devices = [
      plain('01'),
      plain('02'),
      plain('03', { numaNode: 1 }),
      plain('04', { numaNode: null }),
      plain('05', { vendorId: '15b3' }),
      plain('06', { tags: { physical_network: 'net1' } }),
      vf('07', 0),
      vf('08', 0),
    ];
    expect(poolsOf(devices).map(({ devices: _members, ...pool }) => pool)).toEqual([
      { vendorId: '15b3', productId: '10fb', numaNode: 0, tags: { dev_type: 'type-PCI' }, count: 1 },
      { vendorId: '8086', productId: '10fb', numaNode: 0, tags: { dev_type: 'type-PCI' }, count: 2 },
      { vendorId: '8086', productId: '10fb', numaNode: 1, tags: { dev_type: 'type-PCI' }, count: 1 },
      { vendorId: '8086', productId: '10fb', numaNode: null, tags: { dev_type: 'type-PCI' }, count: 1 },
      { vendorId: '8086', productId: '154c', numaNode: 0, tags: { dev_type: 'type-VF' }, count: 2 },
      { vendorId: '8086', productId: '10fb', numaNode: 0, tags: { dev_type: 'type-PCI', physical_network: 'net1' }, count: 1 },
    ]);
  });

  test('contain only available devices', () => {
    const devices = pciDeviceStatuses.map((status, index) => plain(`0${index}`, { status }));
    expect(poolsOf(devices).flatMap((pool) => pool.devices.map(({ status }) => status))).toEqual(['available']);
  });

  test('have the least specific first, so that a plain request takes a plain device', () => {
    const devices = [plain('01', { tags: { a: '1', b: '2' } }), plain('02', { tags: { a: '1' } }), plain('03')];
    expect(poolsOf(devices).map(({ tags }) => Object.keys(tags).length - 1)).toEqual([0, 1, 2]);
  });

  test('have the least specific first, counting a tag for remote management once', () => {
    const devices = [vf('01', 0, { tags: { a: '1' } }), vf('02', 0, { tags: { remote_managed: 'false' } })];
    expect(poolsOf(devices, { byCard: true }).flatMap((pool) => pool.devices.map(({ address }) => address))).toEqual([
      '0000:02:02.0',
      '0000:01:02.0',
    ]);
  });

  test('are not distinguished by tags about the provider of a device', () => {
    const tags = (name: string) => ({ tags: { resource_class: `CUSTOM_${name}`, traits: name } });
    expect(poolsOf([plain('01', tags('A')), plain('02', tags('B'))])).toMatchObject([{ count: 2, tags: { dev_type: 'type-PCI' } }]);
  });

  test('take the value of the device, not of a tag that differs', () => {
    expect(poolsOf([plain('01', { tags: { vendor_id: 'ffff', dev_type: 'type-VF', count: '9' } })])).toMatchObject([
      { vendorId: '8086', tags: { dev_type: 'type-PCI' }, count: 1 },
    ]);
  });

  test('do not depend on the order of devices', () => {
    const devices = [plain('01'), plain('02', { numaNode: 1 }), vf('03', 0), vf('03', 1), pf('04'), plain('05', { tags: { a: '1' } })];
    fc.assert(
      fc.property(fc.shuffledSubarray(devices, { minLength: devices.length }), (shuffled) => {
        expect(counts(shuffled)).toEqual(counts(devices));
      }),
    );
  });
});

describe('a physical function and its virtual functions', () => {
  test.each(['claimed', 'allocated'] as const)('take each other out of the pools when one is %s', (status) => {
    expect(counts([pf('01', { status }), vf('01', 0), vf('01', 1)])).toEqual([]);
    expect(counts([pf('01'), vf('01', 0, { status }), vf('01', 1)])).toEqual(['154c@0 1']);
  });

  test('come back when the other is freed', () => {
    expect(counts([pf('01'), vf('01', 0), vf('01', 1)])).toEqual(['154c@0 2', '1572@0 1']);
  });

  test('do not affect other cards', () => {
    expect(counts([pf('01', { status: 'allocated' }), vf('01', 0), pf('02'), vf('02', 0)])).toEqual(['154c@0 1', '1572@0 1']);
  });

  test('never offer a card with a taken part, and never count a device twice', () => {
    const status = fc.constantFrom(...pciDeviceStatuses);
    const card = fc
      .tuple(fc.constantFrom('01', '02'), status, fc.array(status, { maxLength: 4 }))
      .map(([slot, whole, parts]) => [pf(slot, { status: whole }), ...parts.map((part, index) => vf(slot, index, { status: part }))]);
    fc.assert(
      fc.property(card, (devices) => {
        const free = poolsOf(devices).flatMap((pool) => pool.devices);
        const taken = devices.filter((device) => device.status === 'claimed' || device.status === 'allocated');
        expect(new Set(free).size).toBe(free.length);
        for (const device of free) {
          expect(device.status).toBe('available');
          expect(taken.some((other) => other.address === device.parentAddress || other.parentAddress === device.address)).toBe(false);
        }
      }),
    );
  });
});

describe('for a scheduler', () => {
  test('the virtual functions of one card are a pool, and every other device is one of its own', () => {
    const devices = [vf('01', 0), vf('01', 1), vf('02', 0), plain('03'), plain('04')];
    expect(counts(devices)).toEqual(['10fb@0 2', '154c@0 3']);
    expect(counts(devices, true).toSorted()).toEqual(['10fb@0 1', '10fb@0 1', '154c@0 1', '154c@0 2']);
  });

  test('the address is that of the card, and its interface and manager are tags', () => {
    const devices = [vf('01', 0, { parentInterface: 'ens1', remoteManaged: true })];
    expect(poolsOf(devices, { byCard: true })).toMatchObject([
      { tags: { dev_type: 'type-VF', address: '0000:01:00.0', parent_ifname: 'ens1', remote_managed: 'true' }, count: 1 },
    ]);
  });
});

test('readers of os-pci get flat pools with the tags of the devices', () => {
  expect(poolsOf([vf('01', 0, { tags: { physical_network: 'net1' } })]).map(poolToDict)).toEqual([
    { vendor_id: '8086', product_id: '154c', numa_node: 0, dev_type: 'type-VF', physical_network: 'net1', count: 1 },
  ]);
});

describe('a device as a versioned object', () => {
  const fields = { address: '0000:01:02.0', vendor_id: '8086', product_id: '154c', dev_type: 'type-VF', status: 'available', numa_node: 1 };

  test('is read with its card, in the forms of newer and older services', () => {
    const device = { address: '0000:01:02.0', devType: 'type-VF', numaNode: 1, parentAddress: '0000:01:00.0' };
    expect(readPciDevice(makeObject('PciDevice', { ...fields, parent_addr: '0000:01:00.0' }))).toMatchObject(device);
    expect(readPciDevice(makeObject('PciDevice', { ...fields, extra_info: { phys_function: '0000:01:00.0' } }))).toMatchObject(device);
  });

  test.each([
    ['an unknown status', { ...fields, status: 'lost' }, 'status'],
    ['an unknown type', { ...fields, dev_type: 'type-X' }, 'dev_type'],
    ['no address', { ...fields, address: undefined }, 'address'],
  ])('is refused with %s', (_what, { address, ...rest }, field) => {
    const read = () => readPciDevice(makeObject('PciDevice', address === undefined ? rest : { ...rest, address }), ['object']);
    expect(read).toThrow(Refusal);
    expect(read).toThrow(field === 'address' ? 'must be text' : 'must be one of');
  });
});
