import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeObject, encodeObject, type NovaObject, parseJson } from '../../../src/nova/objects/codec.ts';
import {
  poolFromDict,
  poolFromObject,
  poolToDict,
  poolToObject,
  readStoredPools,
  type StoredPool,
} from '../../../src/nova/pci/stored-pools.ts';
import { pool, refusalOf, samples, wireOf } from '../../support/versioned-objects.ts';

describe('stored pools of PCI devices', () => {
  const dict = { product_id: '10fb', vendor_id: '8086', numa_node: 0, dev_type: 'type-VF', count: 4 };
  const expected = { productId: '10fb', vendorId: '8086', numaNode: 0, tags: { dev_type: 'type-VF' }, count: 4 };

  test.each([
    ['a list object', wireOf('PciDevicePoolList', '1.1', { objects: [pool] })],
    ['an object', pool],
    ['a dict', dict],
    ['a list of dicts', [dict]],
  ])('are read from %s, parsed or not', (_what, stored) => {
    expect(readStoredPools(stored)).toEqual([expected]);
    expect(readStoredPools(JSON.stringify(stored))).toEqual([expected]);
  });

  test.each([[null], [undefined], ['null'], [[]]])('are none in %s', (stored) => {
    expect(readStoredPools(stored)).toEqual([]);
  });

  test('have no NUMA node when none is said, as before it was a field', () => {
    const { numa_node: _, ...old } = dict;
    expect(readStoredPools(old)).toEqual([{ ...expected, numaNode: null }]);
    expect(readStoredPools(encodeObject(decodeObject(pool), { version: '1.0' }))).toEqual([{ ...expected, numaNode: null }]);
  });

  test('keep as tags whatever is not their own', () => {
    expect(poolFromDict({ ...dict, physical_network: 'net1', weight: 5, trusted: true, nothing: null }).tags).toEqual({
      dev_type: 'type-VF',
      physical_network: 'net1',
      weight: '5',
      trusted: 'true',
      nothing: null,
    });
  });

  test.each([
    ['no vendor', { ...dict, vendor_id: null }, ['0', 'vendor_id']],
    ['a count that is none', { ...dict, count: 'many' }, ['0', 'count']],
    ['a tag with parts', { ...dict, extra_info: {} }, ['0', 'extra_info']],
    ['no dict', 'x', ['0']],
  ])('with %s are refused', (_what, stored, path) => {
    expect(refusalOf(() => readStoredPools([stored]))).toMatchObject([{ code: 'INVALID_INPUT', path }]);
  });

  test('that are some other object are refused', () => {
    expect(() => readStoredPools(samples.Flavor)).toThrow('must be a PciDevicePool or PciDevicePoolList, is Flavor');
    expect(() => readStoredPools('{')).toThrow('must be JSON');
  });

  test('come back from the flat form and from the object form as they were', () => {
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
        const wire = encodeObject(poolToObject(some));
        expect(poolFromObject(decodeObject(parseJson(JSON.stringify(wire), [])) as NovaObject<'PciDevicePool'>)).toEqual(some);
      }),
    );
  });
});
