// A column of providers or consumers is answered by writes, recorded by events and described to readers of events. These tests name the file in which a
// new one is missing.
import { beforeAll, expect, test } from 'vitest';
import { selectConsumersByUuids } from '../../src/db/consumers.ts';
import { selectProvidersByUuids } from '../../src/db/providers.ts';
import { providerFields } from '../../src/db/schema/provider-columns.ts';
import { describeChange } from '../../src/domain/event-changes.ts';
import { givenFields, recordedFields } from '../../src/domain/provider.ts';
import { useDatabase } from '../support/database.ts';
import { query } from '../support/graphql.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();

const seed = () => createSeed(database.db);

beforeAll(async () => {
  await seed().provider('cn1');
  await seed().provider('numa0', { parent: 'cn1', inventories: { VCPU: 8 }, traits: ['HW_CPU_X86_AVX2'], aggregates: ['rack'] });
  await seed().claim('vm1', { numa0: { VCPU: 1 } });
});

test('a write answers with every column of a provider that a read finds', async () => {
  const [read] = await selectProvidersByUuids(database.db, [uuidOf('numa0')]);
  const { providers } = await seed().write('replace_traits', { provider: uuidOf('numa0'), expect: {}, traits: ['HW_CPU_X86_AVX'] });
  expect(Object.keys(read ?? {}).toSorted()).toEqual(providerFields.toSorted());
  expect(Object.keys((providers as object[])[0] ?? {}).toSorted()).toEqual(providerFields.toSorted());
});

test('what a caller gives of a provider is shown, can be changed, and is recorded and remembered (src/graphql/schema, provider-writes.ts)', async () => {
  const given = (moment: string) => Object.fromEntries(givenFields.map((field) => [field, `${field} ${moment}`]));
  const write = (mutation: string, input: object) =>
    query(
      database.db,
      `mutation ($input: ${mutation}Input!) {
        written: ${mutation[0]?.toLowerCase()}${mutation.slice(1)}(input: $input) {
          resourceProvider { ${givenFields.join(' ')} }
          event { changes { nodes { ... on ResourceProviderChange { ${givenFields.map((field) => `${field} { before after }`).join(' ')} } } } }
        }
      }`,
      { input },
    );
  const change = (before: Record<string, string>, after: Record<string, string>) =>
    Object.fromEntries(givenFields.map((field) => [field, { before: before[field] ?? null, after: after[field] }]));
  const [first, later, uuid] = [given('first'), given('later'), uuidOf('given')];
  expect(await write('CreateResourceProvider', { uuid, ...first })).toEqual({
    written: { resourceProvider: first, event: { changes: { nodes: [change({}, first)] } } },
  });
  const { now } = await query<{ now: { createdAt: string } }>(database.db, `{ now: resourceProvider(uuid: "${uuid}") { createdAt } }`);
  expect(await write('UpdateResourceProvider', { resourceProvider: uuid, expect: { generation: 0 }, ...later })).toEqual({
    written: { resourceProvider: later, event: { changes: { nodes: [change(first, later)] } } },
  });
  const past = `{ asOf(moment: "${now.createdAt}") { pastResourceProvider(uuid: "${uuid}") { ${recordedFields.join(' ')} } } }`;
  expect(await query(database.db, past)).toEqual({ asOf: { pastResourceProvider: { ...first, generation: 0 } } });
});

test('a write answers with every column of a consumer that a read finds (write_allocations.sql)', async () => {
  const allocations = [{ provider: uuidOf('numa0'), resourceClass: 'VCPU', amount: 1 }];
  const wanted = { uuid: uuidOf('vm1'), expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false, allocations };
  const { consumers } = await seed().write('replace_allocations', { consumers: [wanted] });
  const [read] = await selectConsumersByUuids(database.db, [uuidOf('vm1')]);
  expect(Object.keys((consumers as object[])[0] ?? {}).toSorted()).toEqual([...Object.keys(read ?? {}), 'allocations'].toSorted());
});

/** What identifies a row, and its times: in consumer_states, not in events. */
const notInEvents = ['id', 'uuid', 'createdAt', 'updatedAt'];

test.each([
  {
    noun: 'providers',
    key: uuidOf('numa0'),
    select: `select provider_state(id) as parts from resource_providers where uuid = '${uuidOf('numa0')}'`,
  },
  { noun: 'consumers', key: uuidOf('vm1'), select: `select consumer_states(array[id]) -> uuid::text as parts from consumers` },
] as const)(
  'every part of the state of $noun that events record is described (recordedFields in provider.ts, event-changes.ts)',
  async ({ noun, key, select }) => {
    const [row] = await database.db.sql.unsafe<{ parts: Record<string, unknown> }[]>(select);
    const parts = Object.entries(row?.parts ?? {}).filter(([part]) => !notInEvents.includes(part));
    const described = (after: object) => JSON.stringify(describeChange({ noun, key, root: null, before: {}, after: { ...after } }, null));
    expect(parts.map(([part]) => part)).toContain('generation');
    expect(parts.filter(([part, value]) => described({ [part]: value ?? 'a text' }) === described({}))).toEqual([]);
  },
);
