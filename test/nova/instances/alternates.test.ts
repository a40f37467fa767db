// Alternates, according to the document "return alternate hosts": each selection includes unselected hosts of the same cell, with
// tokens to claim them later without the scheduler. As a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { byFlavor } from '../../support/destinations.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy, heldOf } from '../../support/held.ts';
import { clearSoundLedger, countEvents } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

const flavor = { fields: { vcpus: 2, memoryMb: 512 } };
const amounts = { VCPU: 2, MEMORY_MB: 512 };
const vm = (name: string) => ({ instance: uuidOf(name), project: 'p1', user: 'u1' });
const held = (consumer: string) => heldBy(database.db, consumer);

interface Host {
  readonly cell: { readonly uuid: string } | null;
  readonly candidate: { readonly claimToken: string; readonly root: { readonly name: string } };
  readonly object: string;
}
interface Destination {
  readonly selected: Host;
  readonly alternates: readonly Host[];
}

async function select(instances: readonly string[], rest: object = {}): Promise<Destination[]> {
  const host = '{ cell { uuid } candidate { claimToken root { name } } object }';
  const asked = { instances: instances.map(vm), flavor, cells: [uuidOf('cell1'), uuidOf('cell2')], orderBy: { field: 'CREATED_AT' } };
  const input = byFlavor({ ...asked, ...rest });
  const { destinations, userErrors } = await write('selectDestinations', input, `destinations { selected ${host} alternates ${host} }`);
  expect(userErrors).toEqual([]);
  return destinations as Destination[];
}

const namesOf = (hosts: readonly Host[]) => hosts.map(({ candidate }) => candidate.root.name);
const tokensOf = (hosts: readonly Host[]) => hosts.map(({ candidate }) => ({ claimToken: candidate.claimToken }));

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    a1  VCPU 4, MEMORY_MB 4096  @cell1
    b1  VCPU 4, MEMORY_MB 4096  @cell2
    a2  VCPU 4, MEMORY_MB 4096  @cell1
    b2  VCPU 4, MEMORY_MB 4096  @cell2
    a3  VCPU 4, MEMORY_MB 4096  @cell1
    a4  VCPU 4, MEMORY_MB 4096  @cell1
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

describe('a selection', () => {
  test('comes with two alternates of its own cell, which reserve nothing', async () => {
    const [destination] = await select(['vm']);
    expect(destination?.selected).toMatchObject({ candidate: { root: { name: 'a1' } }, cell: { uuid: uuidOf('cell1') } });
    expect(namesOf(destination?.alternates ?? [])).toEqual(['a2', 'a3']);
    expect(await heldOf(database.db, 'VCPU')).toEqual({ a1: 2 });
  });

  test('of several instances has no alternate that was selected for any of them', async () => {
    const destinations = await select(['v1', 'v2', 'v3', 'v4'], {
      alternates: 9,
      orderBy: [{ field: 'FREE', resourceClass: 'VCPU', direction: 'DESC' }],
    });
    expect(destinations.map(({ selected }) => selected.candidate.root.name).toSorted()).toEqual(['a1', 'a2', 'b1', 'b2']);
    for (const { selected, alternates } of destinations) {
      const names = selected.candidate.root.name.startsWith('a') ? ['a3', 'a4'] : [];
      expect(namesOf(alternates).toSorted()).toEqual(names);
    }
  });

  test('of two instances does not send both to the same alternate first', async () => {
    const [first, second] = await select(['v1', 'v2'], { alternates: 1, aggregates: { allOf: uuidOf('cell1') } });
    expect(namesOf(first?.alternates ?? [])).not.toEqual(namesOf(second?.alternates ?? []));
  });

  test('has alternates anywhere if no cells are named', async () => {
    const [destination] = await select(['vm'], { cells: [], alternates: 3 });
    expect(destination?.selected.cell).toBeNull();
    expect(namesOf(destination?.alternates ?? [])).toEqual(['b1', 'a2', 'b2']);
  });

  test('has a cell that Nova can read in its object even if it is unknown, and a warning names the hosts', async () => {
    const fields = 'destinations { selected { object } } warnings { code message subject }';
    const cellOf = async (name: string, rest: object) => {
      const { destinations, warnings } = await write(
        'selectDestinations',
        { ...byFlavor({ instances: [vm(name)], flavor }), ...rest },
        fields,
      );
      const [{ selected }] = destinations as [{ selected: { object: string } }];
      const unknown = (warnings as { code: string; message: string }[]).filter(({ code }) => code === 'CELL_UNKNOWN');
      return { cell: JSON.parse(selected.object)['nova_object.data'].cell_uuid, unknown };
    };
    const nowhere = '00000000-0000-0000-0000-000000000000';
    const order = { orderBy: { field: 'CREATED_AT' }, alternates: 1 };
    const warning = { message: expect.stringMatching(/a1, b1\. .*00000000-0000/), subject: null };
    expect(await cellOf('v1', order)).toMatchObject({ cell: nowhere, unknown: [warning] });
    expect(await cellOf('v2', { ...order, cells: [uuidOf('cell2')], alternates: 0, idempotencyKey: 'k' })).toMatchObject({
      ...{ cell: nowhere, unknown: [{ message: expect.stringContaining('the compute node a1.') }] },
    });
    expect(await cellOf('v2', { ...order, cells: [uuidOf('cell2')], alternates: 0, idempotencyKey: 'k' })).toMatchObject({
      ...{ cell: nowhere, unknown: [{ message: expect.stringContaining('the compute node a1.') }] },
    });
    expect(await cellOf('v3', { ...order, cells: [uuidOf('cell1'), uuidOf('cell2')] })).toEqual({ cell: uuidOf('cell2'), unknown: [] });
  });

  test('is also the object that conductors pass on, with the allocation request and the version to send it with', async () => {
    const [destination] = await select(['vm'], { alternates: 0 });
    const object = JSON.parse(destination?.selected.object ?? '');
    expect(object).toMatchObject({
      'nova_object.name': 'Selection',
      'nova_object.version': '1.1',
      'nova_object.data': {
        ...{ compute_node_uuid: uuidOf('a1'), nodename: 'a1', cell_uuid: uuidOf('cell1'), allocation_request_version: '1.36' },
      },
    });
    expect(JSON.parse(object['nova_object.data'].allocation_request)).toEqual({
      allocations: { [uuidOf('a1')]: { resources: amounts } },
      mappings: { '': [uuidOf('a1')] },
    });
  });
});

describe('an alternate', () => {
  test('is claimed instead of the host where the build failed, with only the stored request', async () => {
    const [destination] = await select(['vm']);
    const alternates = tokensOf(destination?.alternates ?? []);
    const claimed = await write(
      'claimAlternate',
      { instance: uuidOf('vm'), expect: { generation: 1 }, selections: alternates },
      'place changed instance { uuid consumerType }',
    );
    expect(claimed).toEqual({ place: 0, changed: true, instance: { uuid: uuidOf('vm'), consumerType: 'INSTANCE' }, userErrors: [] });
    expect(await held('vm')).toEqual({ a2: amounts });
  });

  test('is claimed for an instance that was released before', async () => {
    const [destination] = await select(['vm']);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    const alternates = (destination?.alternates ?? []).map(({ object }) => ({ object }));
    await write('claimAlternate', { ...vm('vm'), expect: { isNew: true }, selections: alternates });
    expect(await held('vm')).toEqual({ a2: amounts });
  });

  test('that is full by then is skipped for the next', async () => {
    const [destination] = await select(['vm']);
    await seed.claim('rival', { a2: { VCPU: 4 } });
    const alternates = tokensOf(destination?.alternates ?? []);
    expect(await write('claimAlternate', { instance: uuidOf('vm'), expect: { generation: 1 }, selections: alternates }, 'place')).toEqual({
      place: 1,
      userErrors: [],
    });
    expect(await held('vm')).toEqual({ a3: amounts });
  });

  test('is not claimed twice if the call is repeated, even if an earlier one has room again', async () => {
    const [destination] = await select(['vm']);
    await seed.claim('rival', { a2: { VCPU: 4 } });
    const input = { instance: uuidOf('vm'), expect: { generation: 1 }, selections: tokensOf(destination?.alternates ?? []) };
    await write('claimAlternate', input);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('rival'), expect: { unchecked: true } }] });
    const events = await countEvents(database.db);
    expect(await write('claimAlternate', input, 'place changed')).toEqual({ place: 1, changed: false, userErrors: [] });
    expect(await countEvents(database.db)).toBe(events);
  });

  test('is not claimed for an instance that was written since the caller read it', async () => {
    const [destination] = await select(['vm']);
    const selections = tokensOf(destination?.alternates ?? []);
    const asNew = { ...vm('vm'), expect: { isNew: true }, selections };
    expect(await refusal('claimAlternate', asNew)).toMatchObject({ code: 'CONSUMER_CONFLICT', path: ['expect'], actualGeneration: 1 });
    const stale = { instance: uuidOf('vm'), expect: { generation: 7 }, selections };
    expect((await write('claimAlternate', stale)).userErrors).toMatchObject([
      { code: 'CONSUMER_CONFLICT', path: ['expect'], expectedGeneration: 7 },
    ]);
    expect(await held('vm')).toEqual({ a1: amounts });
  });

  test('if none is available, the call is refused with every reason, and the instance keeps its allocations', async () => {
    const [destination] = await select(['vm']);
    for (const host of ['a2', 'a3']) await seed.claim(`rival on ${host}`, { [host]: { VCPU: 4 } });
    const alternates = tokensOf(destination?.alternates ?? []);
    const { userErrors } = await write('claimAlternate', { instance: uuidOf('vm'), expect: { generation: 1 }, selections: alternates });
    expect(userErrors).toMatchObject([
      { code: 'CAPACITY_EXCEEDED', path: ['selections', '0'], resourceProvider: { name: 'a2' } },
      { code: 'CAPACITY_EXCEEDED', path: ['selections', '1'], resourceProvider: { name: 'a3' } },
    ]);
    expect(await held('vm')).toEqual({ a1: amounts });
  });

  test.each([
    ['none', [], ['selections']],
    ['neither token nor object', [{}], null],
    ['a malformed token', [{ claimToken: 'c1.none' }], ['selections', '0', 'claimToken']],
    ['a malformed object', [{ object: '[]' }], ['selections', '0', 'object']],
    [
      'an object of a version with lists of allocations',
      [
        {
          object: JSON.stringify({
            ...{ 'nova_object.name': 'Selection', 'nova_object.namespace': 'nova', 'nova_object.version': '1.1' },
            'nova_object.data': { allocation_request: '{"allocations": []}', allocation_request_version: '1.10' },
          }),
        },
      ],
      ['selections', '0', 'object', 'nova_object.data', 'allocation_request_version'],
    ],
  ])('%s is refused', async (_, alternates, path) => {
    const input = { ...vm('vm'), expect: { isNew: true }, selections: alternates };
    if (path) expect(await refusal('claimAlternate', input)).toMatchObject({ code: 'INVALID_INPUT', path });
    else {
      const query = 'mutation ($input: ClaimAlternateInput!) { claimAlternate(input: $input) { userErrors { code } } }';
      const { data, errors } = await gateway.ask<{ claimAlternate: { userErrors: object[] } }>(query, { input });
      expect(errors ?? data?.claimAlternate.userErrors).not.toEqual([]);
    }
  });
});

test('an alternate in a zone whose quota is used up gives way to the next one', async () => {
  const [near, far] = await Promise.all([
    select(['v1'], { cells: [] }),
    select(['v2'], { cells: [], aggregates: { allOf: uuidOf('cell2') } }),
  ]);
  const set = (quotas: object[]) => write('replaceQuotas', { expect: { unchecked: true }, project: 'p1', quotas });
  await set([{ resourceClass: 'VCPU', aggregate: uuidOf('cell1'), amount: 2 }]);
  const selections = tokensOf([near, far].flatMap((one) => one.flatMap(({ selected }) => selected)));
  const { place } = await write('claimAlternate', { ...vm('vm'), expect: { isNew: true }, selections }, 'place');
  expect([place, await held('vm')]).toEqual([1, { b1: amounts }]);
  await set([]);
});
