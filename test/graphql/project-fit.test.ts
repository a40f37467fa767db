// What `fit` reveals to readers of a project: only what an attempt to boot would.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Answered, useCallers } from '../support/personas.ts';
import { fillTwoProjects } from '../support/two-projects.ts';

const database = useDatabase();
const ask = useCallers(() => database);
beforeAll(() => fillTwoProjects(ask, database, { others: true }));

function data({ data: found, errors }: Answered): unknown {
  expect(errors).toBeUndefined();
  return found;
}

test('reveals whether a flavor fits, not how often', async () => {
  const fit =
    'query ($n: SafeInt!) { fit(input: {groups: [{resources: [{resourceClass: "VCPU", amount: $n}]}]}) { total exact truncated } }';
  const ofFlavor =
    'query ($n: SafeInt!) { flavorToRequest(input: {flavor: {fields: {vcpus: $n, memoryMb: 1}}}) { fit { total exact truncated } } }';
  const [some, none] = [
    { total: 1, exact: false, truncated: true },
    { total: 0, exact: true, truncated: false },
  ];
  for (const [n, told] of [
    [1, some],
    [900, some],
    [1001, none],
  ] as const) {
    expect(data(await ask('reader', fit, { n }))).toEqual({ fit: told });
    expect(data(await ask('reader', ofFlavor, { n }))).toEqual({ flavorToRequest: { fit: told } });
  }
  expect(data(await ask('admin', fit, { n: 1 }))).toMatchObject({ fit: { exact: true, truncated: false } });
});

test('does not reveal which names exist: no host has an unknown one', async () => {
  await ask('nova', 'mutation { createTrait(input: { name: "CUSTOM_ON_NO_HOST" }) { userErrors { message } } }');
  await ask('nova', 'mutation { createResourceClass(input: { name: "CUSTOM_CLASS_OF_NO_HOST" }) { userErrors { message } } }');
  const asked = 'query ($input: CandidatesInput!) { fit(input: $input) { total exact truncated } }';
  const withTrait = (clause: object) => ({ groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }], traits: [clause] }] });
  const inputsOf = (trait: string, resourceClass: string) => [
    ...[{ allOf: [trait] }, { anyOf: [trait] }, { noneOf: [trait] }].map(withTrait),
    { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }], rootTraits: [{ allOf: [trait] }] },
    { groups: [{ resources: [{ resourceClass, amount: 1 }] }] },
    {
      groups: [
        {
          resources: [
            { resourceClass: 'VCPU', amount: 1 },
            { resourceClass, amount: 1 },
          ],
        },
      ],
    },
    { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }], orderBy: [{ field: 'FREE', resourceClass }] },
  ];
  const totals: unknown[] = [];
  const known = inputsOf('CUSTOM_ON_NO_HOST', 'CUSTOM_CLASS_OF_NO_HOST');
  for (const [index, input] of inputsOf('CUSTOM_UNKNOWN', 'CUSTOM_UNKNOWN').entries()) {
    const [ofUnknown, ofKnown] = [await ask('reader', asked, { input }), await ask('reader', asked, { input: known[index] })];
    expect(ofUnknown.text).toBe(ofKnown.text);
    totals.push((data(ofUnknown) as { fit: { total: number } }).fit.total);
    const ofAdmin = await ask('admin', asked, { input });
    expect(ofAdmin.errors?.[0]?.extensions.code, JSON.stringify(input)).toBe('NOT_FOUND');
    expect((await ask('admin', asked, { input: known[index] })).errors).toBeUndefined();
  }
  expect(totals).toEqual([0, 0, 1, 0, 0, 0, 1]);
});
