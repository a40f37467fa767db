// The meaning of create, delete and release, which is the same for every noun: the description of the schema states it, and this test covers all mutations
// with such names.
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { claim, createWriter, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

beforeAll(async () => {
  await createSeed(database.db).provider('host', { inventories: { VCPU: 8 } });
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
});
afterAll(() => gateway.close());

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
const named = (verb: string) => mutations.filter((name) => name.startsWith(verb));

/** The input with which each creates, and the field of the payload with the result. */
const created: Readonly<Record<string, [input: object, field: string]>> = {
  createResourceProvider: [{ uuid: uuidOf('made'), name: 'made' }, 'resourceProvider'],
  createResourceClass: [{ name: 'CUSTOM_MADE' }, 'resourceClass'],
  createTrait: [{ name: 'CUSTOM_MADE' }, 'trait'],
};

/** For each: what it deletes, what creates that, and the field of the payload that says so. */
const deleted: Readonly<Record<string, { input: object; made: [mutation: string, input: object]; field: string }>> = {
  deleteResourceProvider: {
    input: { resourceProvider: uuidOf('gone'), expect: unchecked },
    made: ['createResourceProvider', { uuid: uuidOf('gone'), name: 'gone' }],
    field: 'deletedId',
  },
  deleteResourceClass: {
    input: { name: 'CUSTOM_GONE' },
    made: ['createResourceClass', { name: 'CUSTOM_GONE' }],
    field: 'deletedId',
  },
  deleteTrait: { input: { name: 'CUSTOM_GONE' }, made: ['createTrait', { name: 'CUSTOM_GONE' }], field: 'deletedId' },
  deleteInventory: {
    input: { resourceProvider: uuidOf('host'), resourceClass: 'DISK_GB', expect: unchecked },
    made: ['setInventory', { resourceProvider: uuidOf('host'), expect: unchecked, inventory: { resourceClass: 'DISK_GB', total: 1 } }],
    field: 'resourceProvider { uuid }',
  },
  deleteComputeNode: {
    input: { computeNode: uuidOf('node') },
    made: [
      'reportComputeNode',
      {
        computeNodeRecord: {
          fields: { uuid: uuidOf('node'), serviceHost: 'node', hypervisorHostname: 'node', vcpus: 1, memoryMb: 1024, localGb: 1 },
        },
      },
    ],
    field: 'deletedId',
  },
  deleteService: {
    input: { host: 'gone', binary: 'nova-compute' },
    made: ['reportService', { service: { fields: { host: 'gone', binary: 'nova-compute', version: 60 } } }],
    field: 'deletedId',
  },
  // An agreement is released, as what a consumer holds is, but like an object it must exist.
  releaseReservation: {
    input: { reservation: uuidOf('day'), expect: { unchecked: true } },
    made: [
      'replaceReservation',
      {
        ...{ reservation: uuidOf('day'), expect: { isNew: true }, project: 'p1' },
        ...{ startsAt: '2098-01-01T09:00:00Z', endsAt: '2098-01-01T17:00:00Z' },
        hold: { allocations: [{ resourceProvider: uuidOf('host'), resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
      },
    ],
    field: 'releasedUuid',
  },
};

/** The input that releases a consumer, and the field of the payload that says whether something was held. */
const released: Readonly<Record<string, [input: (consumer: string, expect: object) => object, field: string, nothing: unknown]>> = {
  releaseAllocations: [(consumer, expect) => ({ consumers: [{ consumer, expect }] }), 'releasedConsumerUuids', []],
};

test('every mutation with such a name is looked at, and no other word means the same', () => {
  expect(named('create').toSorted()).toEqual(Object.keys(created).toSorted());
  expect([...named('delete'), 'releaseReservation'].toSorted()).toEqual(Object.keys(deleted).toSorted());
  expect(named('release').toSorted()).toEqual([...Object.keys(released), 'releaseReservation'].toSorted());
  expect([...named('ensure'), ...named('remove'), ...named('add')]).toEqual([]);
});

test.each(Object.entries(created))('%s refuses what exists, unless it is told to return it', async (mutation, [input, field]) => {
  const fields = `created ${field} { id } event { id }`;
  const first = await write(mutation, input, fields);
  expect(first).toMatchObject({ created: true, userErrors: [], event: { id: expect.any(String) } });
  expect(await refusal(mutation, input)).toMatchObject({ code: 'DUPLICATE', existing: first[field] });
  expect(await write(mutation, { ...input, ifExists: 'RETURN' }, fields)).toEqual({ ...first, created: false, event: null });
});

test.each(Object.entries(deleted))(
  '%s refuses what does not exist, including what it has deleted itself',
  async (mutation, { input, made, field }) => {
    expect(await refusal(mutation, input)).toMatchObject({ code: 'NOT_FOUND', retry: 'NEVER' });
    expect((await write(...made)).userErrors).toEqual([]);
    const done = await write(mutation, input, `${field} event { id }`);
    expect(done).toMatchObject({ userErrors: [], event: { id: expect.any(String) } });
    expect(Object.values(done)[0]).not.toBeNull();
    expect(await refusal(mutation, input)).toMatchObject({ code: 'NOT_FOUND' });
  },
);

test.each(Object.entries(released))(
  '%s releases the expected state, and succeeds without any only if the input allows it',
  async (mutation, [inputOf, field, nothing]) => {
    const consumer = uuidOf(mutation);
    expect((await write('replaceAllocations', { consumers: [claim(mutation, 'host', 1)] })).userErrors).toEqual([]);
    expect(await refusal(mutation, inputOf(consumer, { generation: 99 }))).toMatchObject({ code: 'CONSUMER_CONFLICT' });
    expect((await write(mutation, inputOf(consumer, { generation: 1 }), field))[field]).not.toEqual(nothing);
    expect(await refusal(mutation, inputOf(consumer, { generation: 1 }))).toMatchObject({ code: 'CONSUMER_CONFLICT' });
    expect(await write(mutation, inputOf(consumer, unchecked), `${field} event { id }`)).toEqual({
      [field]: nothing,
      event: null,
      userErrors: [],
    });
  },
);
