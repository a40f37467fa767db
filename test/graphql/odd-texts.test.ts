// Random queries of the whole contract, with texts, numbers and moments that nobody expects: whatever is refused is refused in words.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useCallers } from '../support/personas.ts';
import { chanceOf, questionOf, type Words } from '../support/random-questions.ts';
import { fillTwoProjects, givenConsumer, hosts, ownConsumers } from '../support/two-projects.ts';

const database = useDatabase();
const ask = useCallers(() => database);
beforeAll(() => fillTwoProjects(ask, database, { others: true }));

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const quoted = (...texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
const uuids = [...ownConsumers, ...hosts, givenConsumer, '99999999-0000-4000-8000-000000000009'];
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
};

test('no question is answered by an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (gen) => {
      const question = questionOf(schema, chanceOf(gen, fc.integer), words, () => true);
      const { errors, status } = await ask('nova', question);
      expect(status, question).toBeLessThan(500);
      expect(errors?.map(({ extensions }) => extensions.code) ?? [], question).not.toContain('INTERNAL_SERVER_ERROR');
    }),
    { numRuns: 1000 },
  );
}, 300_000);
