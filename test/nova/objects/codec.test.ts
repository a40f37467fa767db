import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeObject, decodeText, encodeObject, makeObject, ownManifest } from '../../../src/nova/objects/codec.ts';
import type { Json } from '../../../src/nova/objects/forms/fields.ts';
import { pool, read, refusalOf, samples, wireOf } from '../../support/versioned-objects.ts';

describe('the wire form', () => {
  test.each(Object.entries(samples))('of %s survives a round trip', (_name, wire) => {
    expect(encodeObject(decodeObject(wire))).toEqual(wire);
  });

  test('of a list of objects survives a round trip', () => {
    for (const [name, version] of Object.entries(ownManifest)) {
      if (!name.endsWith('List')) continue;
      const element = samples[name.replace('List', '') as keyof typeof samples];
      const wire = wireOf(name, version, { objects: [element, element] });
      expect(encodeObject(decodeObject(wire))).toEqual(wire);
    }
  });

  test('of any compute node survives a round trip, whatever is set, null or unset', () => {
    const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
    const pools = fc.array(
      fc.record({ product_id: fc.string(), numa_node: nullable(fc.integer()), count: fc.nat() }, { requiredKeys: [] }),
    );
    const node = fc.record(
      {
        uuid: fc.uuid(),
        host: nullable(fc.string()),
        vcpus: fc.integer(),
        service_id: nullable(fc.integer()),
        cpu_allocation_ratio: nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
        stats: nullable(fc.dictionary(fc.string(), nullable(fc.string()))),
        deleted: fc.boolean(),
        updated_at: nullable(fc.constant('2026-01-02T03:04:05Z')),
        pci_device_pools: nullable(
          pools.map((list) => wireOf('PciDevicePoolList', '1.1', { objects: list.map((data) => wireOf('PciDevicePool', '1.1', data)) })),
        ),
        some_field_of_no_interest: fc.jsonValue() as fc.Arbitrary<Json>,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(node, fc.integer({ min: 0, max: 19 }), (data, minor) => {
        const wire = wireOf('ComputeNode', `1.${minor}`, data);
        expect(encodeObject(decodeObject(wire))).toEqual(wire);
      }),
    );
  });

  test.each([...Object.keys(samples)] as const)('of %s has the newest version, which the manifest declares', (name) => {
    expect(read(samples[name as keyof typeof samples]).version).toBe(ownManifest[name]);
  });

  test('omits the changes of an unchanged object', () => {
    const { changes } = read(encodeObject(makeObject('PciDevicePool', { count: 1 })));
    expect(changes).toBeUndefined();
  });
});

describe('a field that is unset', () => {
  test('is not null, and null is not unset', () => {
    const { fields } = decodeText('Instance', JSON.stringify(wireOf('Instance', '2.8', { host: null })));
    expect(Object.hasOwn(fields, 'host') && fields.host).toBeNull();
    expect(Object.hasOwn(fields, 'node')).toBe(false);
  });

  test('stays unset in a round trip, as null stays null', () => {
    expect(read(encodeObject(decodeObject(wireOf('Instance', '2.8', { host: null })))).data).toEqual({ host: null });
  });

  test('is not filled in for an older receiver either, except for the service that it requires', () => {
    const data = read(encodeObject(decodeObject(wireOf('ComputeNode', '1.19', { vcpus: 1 })), { version: '1.0' })).data;
    expect(data).toEqual({ vcpus: 1, service_id: -1 });
  });
});

describe('an object that was changed', () => {
  test('names its changes, but not those that an older receiver does not get', () => {
    const wire = wireOf('Flavor', '1.2', { vcpus: 2, description: 'big' }, ['vcpus', 'description']);
    expect(decodeObject(wire).changes).toEqual(['vcpus', 'description']);
    expect(read(encodeObject(decodeObject(wire), { version: '1.1' })).changes).toEqual(['vcpus']);
  });

  test('omits changes if there are none', () => {
    const wire = wireOf('Flavor', '1.2', { description: 'big' }, ['description']);
    expect(read(encodeObject(decodeObject(wire), { version: '1.1' })).changes).toBeUndefined();
  });
});

describe('a sender', () => {
  test('may send a third number in its version, which is ignored', () => {
    expect(decodeObject(wireOf('Flavor', '1.2.7', { vcpus: 1 })).version).toBe('1.2');
  });

  test('of a newer minor version is understood, and its new fields are passed on', () => {
    const wire = wireOf('Flavor', '1.9', { vcpus: 1, colour: 'red' });
    expect(decodeText('Flavor', JSON.stringify(wire)).fields).toEqual({ vcpus: 1 });
    expect(encodeObject(decodeObject(wire))).toEqual(wire);
  });

  test('of a newer minor version adds nothing for an older receiver', () => {
    const object = decodeObject(wireOf('Flavor', '1.9', { vcpus: 1, colour: 'red' }));
    expect(read(encodeObject(object, { version: '1.2' })).data).toEqual({ vcpus: 1 });
  });

  test.each([
    [
      'of a newer major version',
      wireOf('ComputeNode', '2.0', {}),
      ['nova_object.version'],
      'ComputeNode 2.0 is too new to be read: send 1.x, at best 1.19',
    ],
    [
      'of an older major version',
      wireOf('Instance', '1.20', {}),
      ['nova_object.version'],
      'Instance 1.20 is too old to be read: send 2.x, at best 2.8',
    ],
    ['without a version', wireOf('Flavor', '', {}), ['nova_object.version'], 'must be a version such as 1.19'],
    ['of an unknown kind of object', wireOf('Cell', '1.0', {}), ['nova_object.name'], 'must be one of'],
    ['of a name that every JavaScript object has', wireOf('constructor', '1.0', {}), ['nova_object.name'], 'must be one of'],
    ['of another project', { ...pool, 'nova_object.namespace': 'cinder' }, ['nova_object.namespace'], 'must be nova'],
    ['of a list instead of an object', [] as Json, [], 'must be an object'],
    ['without data', { ...pool, 'nova_object.data': null }, ['nova_object.data'], 'must be an object'],
    ['of a number as text', wireOf('Flavor', '1.2', { vcpus: '1' }), ['nova_object.data', 'vcpus'], 'must be a whole number'],
    ['of a fraction for a whole number', wireOf('Flavor', '1.2', { vcpus: 1.5 }), ['nova_object.data', 'vcpus'], 'must be a whole number'],
    [
      'of null for a field that is never null',
      wireOf('Flavor', '1.2', { vcpus: null }),
      ['nova_object.data', 'vcpus'],
      'must be a whole number',
    ],
    ['of a malformed uuid', wireOf('Migration', '1.8', { uuid: 'x' }), ['nova_object.data', 'uuid'], 'must be a uuid'],
    [
      'of an invalid date',
      wireOf('Flavor', '1.2', { created_at: '2026-13-01T00:00:00Z' }),
      ['nova_object.data', 'created_at'],
      'must be a time',
    ],
    ['of malformed changes', { ...pool, 'nova_object.changes': 'count' }, ['nova_object.changes'], 'must be a list of names'],
    [
      'of a fault deep inside',
      wireOf('ComputeNode', '1.19', {
        pci_device_pools: wireOf('PciDevicePoolList', '1.1', { objects: [pool, wireOf('PciDevicePool', '1.1', { tags: { a: 1 } })] }),
      }),
      ['nova_object.data', 'pci_device_pools', 'nova_object.data', 'objects', '1', 'nova_object.data', 'tags', 'a'],
      'must be text',
    ],
  ] as [string, Json, string[], string][])('%s is refused, with the place of the fault', (_what, wire, path, message) => {
    const problems = refusalOf(() => decodeObject(wire, ['input', 'object']));
    expect(problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'object', ...path] }]);
    expect(problems[0]?.message).toContain(message);
  });

  test('of another object than required is refused', () => {
    expect(() => decodeText('Flavor', JSON.stringify(samples.Migration))).toThrow('must be Flavor');
  });

  test('of text that is not JSON is refused', () => {
    expect(() => decodeText('Flavor', '{', ['object'])).toThrow('must be JSON');
    expect(decodeText('Flavor', JSON.stringify(samples.Flavor)).fields.vcpus).toBe(1);
  });
});
