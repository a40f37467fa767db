import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeObject } from '../../../src/nova/objects/codec.ts';
import { poolFromDict, poolToDict, poolToObject, type StoredPool } from '../../../src/nova/pci/stored-pools.ts';
import { refusalOf } from '../../support/versioned-objects.ts';

describe('stored pools of PCI devices', () => {
  const dict = { product_id: '10fb', vendor_id: '8086', numa_node: 0, dev_type: 'type-VF', count: 4 };
  const expected = { productId: '10fb', vendorId: '8086', numaNode: 0, tags: { dev_type: 'type-VF' }, count: 4 };

  test('are read from a dict', () => {
    expect(poolFromDict(dict)).toEqual(expected);
  });

  test('have no NUMA node if the field is absent', () => {
    const { numa_node: _, ...old } = dict;
    expect(poolFromDict(old)).toEqual({ ...expected, numaNode: null });
  });

  test('keep all other keys as tags', () => {
    expect(poolFromDict({ ...dict, physical_network: 'net1', weight: 5, trusted: true, nothing: null }).tags).toEqual({
      dev_type: 'type-VF',
      physical_network: 'net1',
      weight: '5',
      trusted: 'true',
      nothing: null,
    });
  });

  test.each([
    ['no vendor', { ...dict, vendor_id: null }, ['vendor_id']],
    ['a malformed count', { ...dict, count: 'many' }, ['count']],
    ['a nested tag', { ...dict, extra_info: {} }, ['extra_info']],
    ['no dict', 'x', []],
  ])('with %s are refused', (_what, stored, path) => {
    expect(refusalOf(() => poolFromDict(stored))).toMatchObject([{ code: 'INVALID_INPUT', path }]);
  });

  test('survive a round trip through the flat form, and the object form contains everything', () => {
    const own = ['product_id', 'vendor_id', 'numa_node', 'count'];
    const tags = fc.dictionary(
      fc.string().filter((tag) => !own.includes(tag)),
      fc.option(fc.string()),
    );
    const pools = fc.record({
      productId: fc.string(),
      vendorId: fc.string(),
      numaNode: fc.option(fc.nat()),
      tags: tags.map((dictionary) => ({ ...dictionary })),
      count: fc.nat(),
    });
    fc.assert(
      fc.property(pools, (some: StoredPool) => {
        expect(poolFromDict(poolToDict(some))).toEqual(some);
        const { productId, vendorId, numaNode, ...rest } = some;
        const { fields } = decodeText('PciDevicePool', JSON.stringify(encodeObject(poolToObject(some))));
        expect(fields).toEqual({ product_id: productId, vendor_id: vendorId, numa_node: numaNode, ...rest });
      }),
    );
  });
});
