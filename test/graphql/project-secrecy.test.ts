// Examination. No sequence of queries reveals to a reader of a project whether others have anything: the answers of two clouds, only one of which has other
// projects, are identical byte by byte.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { isOfProjects } from '../../src/auth/policy/graphql-rules.ts';
import { declaredNeed } from '../../src/graphql/permissions-of-schema.ts';
import { useDatabase } from '../support/database.ts';
import { type Answered, useCallers } from '../support/personas.ts';
import { chanceOf, onlyField, questionOf, type Words } from '../support/random-questions.ts';
import {
  fillTwoProjects,
  givenConsumer,
  hosts,
  otherConsumers,
  otherReservation,
  ownConsumers,
  ownReservation,
} from '../support/two-projects.ts';

const crowded = useDatabase();
const alone = useDatabase();
const askCrowded = useCallers(() => crowded);
const askAlone = useCallers(() => alone);

beforeAll(async () => {
  await fillTwoProjects(askCrowded, crowded, { others: true });
  await fillTwoProjects(askAlone, alone, { others: false });
});

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const quoted = (...texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
const numbers = ['0', '1', '2', '3', '7', '20'];
const moments = quoted(
  ...[0, 1, 2, 3, 4, 5, 6].map((hour) => `2026-01-01T0${hour}:00:00Z`),
  '2026-01-01T02:30:00.000001Z',
  '2030-01-01T00:00:00Z',
);
const uuids = [
  ...ownConsumers,
  ...otherConsumers,
  givenConsumer,
  ownReservation,
  otherReservation,
  ...hosts,
  '99999999-0000-4000-8000-000000000009',
];
const nodeIds = [
  ...uuids.map((uuid) => `Consumer:${uuid}`),
  ...[
    'Project:blue',
    'Project:red',
    'Project:none',
    'User:ann',
    'User:eve',
    'User:none',
    'ResourceClass:VCPU',
    `ResourceProvider:${hosts[0]}`,
  ],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => `Event:${id}`),
].map((text) => Buffer.from(text).toString('base64url'));
const names = quoted('blue', 'red', 'none', 'ann', 'bob', 'eve', '');
const words: Words = {
  UUID: quoted(...uuids),
  ID: quoted(...nodeIds),
  DateTime: moments,
  // Not now: the clouds are asked one after the other.
  until: moments.slice(0, -1),
  Int: numbers,
  SafeInt: numbers,
  Float: ['1.5'],
  Boolean: ['true', 'false'],
  True: ['true'],
  String: names,
  first: ['0', '1', '2', '10'],
  last: ['1', '2', '10'],
  consumerTypes: quoted('INSTANCE', 'MIGRATION'),
  resourceClass: quoted('VCPU', 'MEMORY_MB', 'VCPU', 'MEMORY_MB', 'CUSTOM_NONE'),
  resourceClasses: quoted('VCPU', 'MEMORY_MB'),
  requestIds: quoted('req-1', 'req-2', 'req-3', 'req-none'),
};

const isAskable: Parameters<typeof questionOf>[3] = (element, owner) => {
  const need = declaredNeed(element) ?? (owner && declaredNeed(owner));
  return typeof need !== 'object' || need === null || isOfProjects(need.rule);
};

/** Cursors in an answer, from which later queries continue. */
const cursorsIn = (text: string) => [...text.matchAll(/"([A-Za-z0-9_-]{24,})"/g)].map(([, cursor]) => JSON.stringify(cursor));

/** Up to now there are more samples each second. */
const withoutTime = (text: string) => text.replace(/that is \d+ samples, at most \d+ are returned: use a step of \d+ seconds/g, '');

/** The names of the fields on the way to each error. */
const pathsOf = ({ errors = [] }: Answered) => errors.map(({ path = [] }) => path.filter((key) => typeof key === 'string'));

/**
 * The first field to fail takes an answer's data with it, and the others are not answered. Which one is first is chance, so each field that failed in a cloud
 * is asked alone in both.
 */
async function expectSameFailures(question: string, paths: readonly string[][]): Promise<void> {
  for (const path of paths) {
    const field = onlyField(question, path);
    const [one, other] = await Promise.all([askCrowded('reader', field), askAlone('reader', field)]);
    // Which row of a list fails first is chance, too.
    const ofAnyRow = ({ text }: Answered) => withoutTime(text).replace(/"path":\[[^\]]*\]/g, (place) => place.replace(/\b\d+\b/g, '0'));
    expect(pathsOf(one), question).toContainEqual(path);
    expect(ofAnyRow(one), question).toBe(ofAnyRow(other));
  }
}

let answered = 0;
let withData = 0;

test('no sequence of queries has different answers, whether or not others have anything', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.gen(), async (count, gen) => {
      const chance = chanceOf(gen, fc.integer);
      const cursors = quoted('AAAA');
      for (let asked = 0; asked < count; asked += 1) {
        const question = questionOf(schema, chance, { ...words, after: cursors, before: cursors }, isAskable);
        const [one, other] = await Promise.all([askCrowded('reader', question), askAlone('reader', question)]);
        expect(one.status, question).toBe(other.status);
        const paths = [...pathsOf(one), ...pathsOf(other)];
        if (one.data === null && other.data === null && paths.length > 0 && paths.every((path) => path.length > 0))
          await expectSameFailures(question, paths);
        else expect(withoutTime(one.text), question).toBe(withoutTime(other.text));
        cursors.push(...cursorsIn(one.text));
        answered += 1;
        if (one.status === 200 && one.data) withData += 1;
      }
    }),
    { numRuns: Number(process.env.SECRECY_RUNS ?? 150) },
  );
}, 600_000);

test('many queries were answered with data', () => {
  expect(withData / answered).toBeGreaterThan(0.2);
});

test('other callers see that the clouds differ', async () => {
  const question = '{ consumers { totalCount } }';
  expect((await askCrowded('nova', question)).text).not.toBe((await askAlone('nova', question)).text);
});
