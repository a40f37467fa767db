// Examination. Random queries of the whole contract, with unexpected texts, numbers and moments, and with amounts too large to sum up. Every refusal has a
// reason.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useCallers } from '../support/personas.ts';
import { chanceOf, questionOf, type Words } from '../support/random-questions.ts';
import { createSeed, uuidOf } from '../support/seed.ts';
import { fillTwoProjects, givenConsumer, hosts, ownConsumers } from '../support/two-projects.ts';

const database = useDatabase();
const ask = useCallers(() => database);
beforeAll(async () => {
  await fillTwoProjects(ask, database, { others: true });
  // Sums of these amounts are larger than any number of the contract.
  const seed = createSeed(database.db);
  const huge = { total: 2147483647, reserved: 0, minUnit: 1, maxUnit: 2147483647, stepSize: 1, allocationRatio: 1e30 };
  for (const name of ['huge', 'larger']) {
    await seed.provider(name, { aggregates: ['rack'] });
    const inventories = ['VCPU', 'MEMORY_MB'].map((resourceClass) => ({ resourceClass, ...huge }));
    await seed.write('replace_inventories', { provider: uuidOf(name), expect: {}, inventories });
  }
  await seed.write('update_resource_provider', { provider: uuidOf('larger'), expect: {}, parent: uuidOf('huge') });
});

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const quoted = (...texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
const uuids = [
  uuidOf('huge'),
  uuidOf('larger'),
  uuidOf('rack'),
  ...ownConsumers,
  ...hosts,
  givenConsumer,
  '99999999-0000-4000-8000-000000000009',
];
const oddTexts = ['\u0000', '\ud800', '', '%', '\\', 'VCPU', 'x'.repeat(300)];
const nouns = ['Consumer', 'Project', 'User', 'Trait', 'ResourceClass', 'ResourceProvider', 'Aggregate', 'Inventory', 'Event'];
const integers = ['0', '1', '2', '-1', '2147483647'];
const words: Words = {
  UUID: quoted(...uuids),
  ID: quoted(...nouns.flatMap((noun) => [uuids[0] ?? '', ...oddTexts].map((text) => Buffer.from(`${noun}:${text}`).toString('base64url')))),
  DateTime: quoted('0001-01-01T00:00:00Z', '2026-01-01T02:30:00.000001Z', '9999-12-31T23:59:59.999999999Z', new Date().toISOString()),
  Int: integers,
  SafeInt: [...integers, '9007199254740991', '-9007199254740991'],
  Float: ['1.5', '0', '-1', '1e308', '1e400', '1e-320'],
  Boolean: ['true', 'false'],
  True: ['true'],
  String: quoted(...oddTexts),
  first: ['0', '1', '2'],
  last: ['1', '2'],
  resourceClass: quoted('VCPU', 'MEMORY_MB', 'CUSTOM_NONE'),
  resourceClasses: quoted('VCPU', 'MEMORY_MB'),
  amount: ['1', '2'],
};

test('no query is answered with an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (gen) => {
      const question = questionOf(schema, chanceOf(gen, fc.integer), words, () => true);
      const { errors, status } = await ask('nova', question);
      expect(status, question).toBeLessThan(500);
      expect(errors?.map(({ extensions }) => extensions.code) ?? [], question).not.toContain('INTERNAL_SERVER_ERROR');
    }),
    { numRuns: 1000 },
  );
});

test('sums that are too large are the largest possible number', async () => {
  const asked = `query ($m: DateTime!) {
    fit(input: {groups: [{resources: [{resourceClass: "VCPU", amount: 1}]}]}) {
      total exact byRoot(first: 1) { nodes { count } } byAggregate { nodes { count } } }
    asOf(moment: $m) { cloudUsage { usages { capacity } } } totals(filter: {}) { own { capacity } } }`;
  const { data } = await ask('nova', asked, { m: new Date().toISOString() });
  const most = Number.MAX_SAFE_INTEGER;
  expect(data).toEqual({
    fit: { total: most, exact: false, byRoot: { nodes: [{ count: most }] }, byAggregate: { nodes: [{ count: most }] } },
    asOf: { cloudUsage: { usages: [{ capacity: most }, { capacity: most }] } },
    totals: { own: [{ capacity: most }, { capacity: most }] },
  });
});
