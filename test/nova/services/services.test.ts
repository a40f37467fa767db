// The known facts about Nova's services: their versions, and whether they get work, which their nodes show.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { deleteService, minimumComputeVersion, reportService } from '../../../src/nova/services/services.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { countEvents, expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

const scope = () => scopeOf(database.db);
const serve = async (host: string, version: number) =>
  (await reportService(scope(), { fields: { host, binary: 'nova-compute', version } })).changed;

describe('a service reports its version', () => {
  test('once: the same again costs one statement and writes nothing', async () => {
    expect(await serve('host1', 72)).toBe(true);
    const events = await countEvents(database.db);
    database.statements.length = 0;
    expect(await serve('host1', 72)).toBe(false);
    expect(database.statements).toHaveLength(1);
    expect(await countEvents(database.db)).toBe(events);
  });

  test('the lowest of all compute services counts; other and deleted services do not', async () => {
    expect(await minimumComputeVersion(scope())).toBeNull();
    await serve('host1', 73);
    await serve('host2', 71);
    await reportService(scope(), { fields: { host: 'host3', binary: 'nova-conductor', version: 60 } });
    expect(await minimumComputeVersion(scope())).toBe(71);
    expect((await deleteService(scope(), { host: 'host2', binary: 'nova-compute' })).changed).toBe(true);
    expect(await refusalOf(database.db, () => deleteService(scope(), { host: 'host2', binary: 'nova-compute' }))).toEqual([
      { code: 'NOT_FOUND', path: [], details: { noun: 'service', key: 'nova-compute on host2' } },
    ]);
    expect(await minimumComputeVersion(scope())).toBe(73);
  });

  test('through GraphQL, also as a versioned object; missing fields are refused at their paths', async () => {
    const data = { host: 'host1', binary: 'nova-compute', version: 73 };
    const object = JSON.stringify({
      'nova_object.name': 'Service',
      'nova_object.namespace': 'nova',
      'nova_object.version': '1.22',
      'nova_object.data': data,
    });
    const report =
      'mutation ($input: ReportServiceInput!) { reportService(input: $input) { changed minimumComputeVersion userErrors { code path } } }';
    expect(await query(database.db, report, { input: { service: { object } } })).toEqual({
      reportService: { changed: true, minimumComputeVersion: 73, userErrors: [] },
    });
    const whole = (more: object) => JSON.stringify({ ...JSON.parse(object), 'nova_object.data': { ...data, ...more } });
    expect(await query(database.db, report, { input: { service: { object: whole({ deleted: true }) } } })).toMatchObject({
      reportService: { changed: true, minimumComputeVersion: null, userErrors: [] },
    });
    const short = object.replace('"binary":"nova-compute",', '');
    expect(await query(database.db, report, { input: { service: { object: short } } })).toMatchObject({
      reportService: { changed: false, userErrors: [{ code: 'INVALID_INPUT', path: ['service', 'object', 'nova_object.data', 'binary'] }] },
    });
    expect(await refusalOf(database.db, () => serve('host1', -1))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['service', 'fields', 'version'] },
    ]);
  });

  test('and is listed: filtered, in order, page by page, and found by its id', async () => {
    await serve('host2', 71);
    await serve('Host1', 73);
    await reportService(scope(), { fields: { host: 'host/3', binary: 'nova-conductor', version: 71 } });
    const hostsOf = async (args: string) => {
      const { services } = await query<{
        services: { nodes: { id: string; host: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean }; totalCount: number };
      }>(database.db, `{ services${args} { nodes { id host } pageInfo { endCursor hasNextPage } totalCount } }`);
      return { ...services, hosts: services.nodes.map(({ host }) => host) };
    };
    expect((await hostsOf('')).hosts.toSorted()).toEqual(['Host1', 'host/3', 'host2']);
    expect(await hostsOf('(filter: { binaries: "nova-compute", versionBelow: 73 })')).toMatchObject({ hosts: ['host2'], totalCount: 1 });
    expect(await hostsOf('(filter: { hostStartsWith: "host1" })')).toMatchObject({ hosts: ['Host1'] });
    expect(await hostsOf('(filter: { hostContains: "T/", hosts: ["host/3", "host2"] })')).toMatchObject({ hosts: ['host/3'] });
    expect(await hostsOf('(filter: { updatedBefore: "2001-01-01T00:00:00Z" })')).toMatchObject({ hosts: [], totalCount: 0 });
    for (const direction of ['ASC', 'DESC']) {
      // Services of one version are in the order of their first reports, in both directions.
      const expected = direction === 'ASC' ? ['host2', 'host/3', 'Host1'] : ['Host1', 'host2', 'host/3'];
      const order = `first: 2, orderBy: { field: VERSION, direction: ${direction} }`;
      const first = await hostsOf(`(${order})`);
      const second = await hostsOf(`(${order}, after: "${first.pageInfo.endCursor}")`);
      expect([...first.hosts, ...second.hosts]).toEqual(expected);
      expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage, second.totalCount]).toEqual([true, false, 3]);
    }
    expect((await hostsOf('(orderBy: { field: UPDATED_AT, direction: DESC })')).hosts[0]).toBe('host/3');
    const [{ id } = { id: '' }] = (await hostsOf('(filter: { hosts: "host/3" })')).nodes;
    expect(await query(database.db, `{ node(id: "${id}") { ... on Service { host binary version updatedAt } } }`)).toMatchObject({
      node: { host: 'host/3', binary: 'nova-conductor', version: 71, updatedAt: expect.stringMatching(/^20/) },
    });
  });

  test('under the name of a program, which is not a path', async () => {
    const report =
      'mutation { reportService(input: { service: { fields: { host: "host1", binary: "bin/nova", version: 1 } } }) { userErrors { code path } } }';
    expect(await query(database.db, report)).toEqual({
      reportService: { userErrors: [{ code: 'INVALID_INPUT', path: ['service', 'fields', 'binary'] }] },
    });
  });
});

describe('a service that is disabled or forced down', () => {
  /** The nodes that serve a request as Nova sends it. */
  const serving = async () => {
    const groups = [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }];
    const { candidates } = await findCandidates(scope(), { groups, rootTraits: [{ noneOf: ['COMPUTE_STATUS_DISABLED'] }] });
    return candidates.map(({ root }) => root.name).toSorted();
  };
  const fields = { uuid: uuidOf('cn1'), serviceHost: 'host1', hypervisorHostname: 'cn1', vcpus: 16, memoryMb: 1024, localGb: 500 };
  const addHost = () => reportComputeNode(scope(), { computeNodeRecord: { fields } });
  const state = (fields: object) => reportService(scope(), { fields: { host: 'host1', binary: 'nova-compute', ...fields } });

  test('gets nothing new on any of its nodes at once, and gets new instances again as soon as it is neither', async () => {
    await addHost();
    await seed.provider('other', { inventories: { VCPU: 16 }, traits: ['COMPUTE_NODE'] });
    expect(await serving()).toEqual(['cn1', 'other']);
    for (const reason of [{ disabled: true, disabledReason: 'new disks' }, { forcedDown: true }]) {
      await state(reason);
      expect(await serving()).toEqual(['other']);
    }
    await state({ disabled: false });
    expect(await serving()).toEqual(['other']);
    await state({ forcedDown: false });
    expect(await serving()).toEqual(['cn1', 'other']);
  });

  test('is reported as a versioned object, with an event that also lists the node, in one statement', async () => {
    await addHost();
    await state({ version: 73 });
    const data = { host: 'host1', binary: 'nova-compute', disabled: true, disabled_reason: 'new disks', forced_down: true };
    const object = JSON.stringify({
      ...{ 'nova_object.name': 'Service', 'nova_object.namespace': 'nova', 'nova_object.version': '1.22', 'nova_object.data': data },
    });
    database.statements.length = 0;
    await reportService(scope(), { object });
    expect(database.statements).toHaveLength(1);
    const [event] = await database.db.sql`select changes from events order by id desc limit 1`;
    expect(event).toMatchObject({
      changes: {
        services: { 'nova-compute host1': { before: {}, after: { disabled: true, disabledReason: 'new disks', forcedDown: true } } },
        providers: { [uuidOf('cn1')]: { after: { traits: expect.arrayContaining(['COMPUTE_STATUS_DISABLED']) } } },
      },
    });
    const services = '{ services(filter: { disabled: true, forcedDown: true }) { nodes { version disabled disabledReason forcedDown } } }';
    expect(await query(database.db, services)).toEqual({
      services: { nodes: [{ version: 73, disabled: true, disabledReason: 'new disks', forcedDown: true }] },
    });
    await state({ disabled: false });
    expect(await query(database.db, '{ services { nodes { disabled disabledReason forcedDown } } }')).toEqual({
      services: { nodes: [{ disabled: false, disabledReason: null, forcedDown: true }] },
    });
  });

  test('gets no instances on new nodes either, and a report does not enable an old one', async () => {
    await state({ disabled: true });
    await addHost();
    expect(await serving()).toEqual([]);
    await state({ disabled: false });
    expect(await serving()).toEqual(['cn1']);
    // If another service removes the trait, the next report of the node sets it again.
    await state({ disabled: true });
    await seed.traits('cn1', ['COMPUTE_NODE', 'OWNER_NOVA']);
    await addHost();
    expect(await serving()).toEqual([]);
  });
});
