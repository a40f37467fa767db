// What `fit` reveals to readers of a project: only what an attempt to boot would, and what their own quotas leave.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Answered, useCallers } from '../support/personas.ts';
import { createSeed, uuidOf } from '../support/seed.ts';
import { fillTwoProjects, hosts } from '../support/two-projects.ts';

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

describe('within the quotas of a project', () => {
  const within = `query ($project: String!) { fit(input: {groups: [{resources: [{resourceClass: "VCPU", amount: 1}]}]}, within: {project: $project}) {
    total allowed limitedBy { projectExternalId used available quota { resourceClassName aggregateUuid amount } }
  } }`;
  const set = async (project: string, quotas: readonly object[], parentProject: string | null = null) => {
    const input = { expect: { unchecked: true }, project, parentProject, quotas };
    const replaced = 'mutation ($input: ReplaceQuotasInput!) { replaceQuotas(input: $input) { userErrors { message } } }';
    expect(data(await ask('admin', replaced, { input }))).toEqual({ replaceQuotas: { userErrors: [] } });
  };
  /** `blue` holds 5 VCPU. */
  const told = async (who: 'admin' | 'reader', project = 'blue') =>
    (data(await ask(who, within, { project })) as { fit: { total: number; allowed: number | null; limitedBy: object | null } }).fit;

  test('counts for readers those of their own project, not those of the project above', async () => {
    await set('above', [{ resourceClass: 'VCPU', amount: 8 }]);
    await set('blue', [{ resourceClass: 'VCPU', amount: 25 }], 'above');
    const own = {
      projectExternalId: 'blue',
      used: 5,
      available: 20,
      quota: { resourceClassName: 'VCPU', aggregateUuid: null, amount: 25 },
    };
    expect(await told('reader')).toEqual({ total: 1, allowed: 20, limitedBy: own });
    expect(await told('admin')).toMatchObject({ allowed: 3, limitedBy: { projectExternalId: 'above' } });
    await set('blue', []);
    expect(await told('reader')).toEqual({ total: 1, allowed: null, limitedBy: null });
  });

  test('reveals of those for aggregates only that they leave nothing, not what fits elsewhere', async () => {
    const seed = createSeed(database.db);
    await seed.provider('zoned', { inventories: { VCPU: 10 }, aggregates: ['east'] });
    const east = [{ resourceClass: 'VCPU', aggregate: uuidOf('east'), amount: 0 }];
    await set('blue', east);
    const { total, ...ofAdmin } = await told('admin');
    expect(ofAdmin).toMatchObject({ allowed: total - 10, limitedBy: { quota: { aggregateUuid: uuidOf('east') } } });
    expect(await told('reader')).toEqual({ total: 1, allowed: null, limitedBy: null });
    for (const host of hosts) {
      const replaced = `mutation ($host: UUID!, $east: UUID!) {
        replaceAggregates(input: { resourceProvider: $host, expect: { unchecked: true }, aggregates: [$east] }) { userErrors { message } }
      }`;
      expect(data(await ask('nova', replaced, { host, east: uuidOf('east') }))).toEqual({ replaceAggregates: { userErrors: [] } });
    }
    expect(await told('reader')).toMatchObject({ total: 1, allowed: 0, limitedBy: { quota: { aggregateUuid: uuidOf('east') } } });
  });

  test('is refused to readers of another project, whether or not there is one', async () => {
    for (const project of ['red', 'nothing']) {
      const refused = await ask('reader', within, { project });
      expect(refused.errors?.map(({ extensions: { code }, message }) => [code, message])).toEqual([
        ['NOT_FOUND', `There is no project ${project}.`],
      ]);
    }
  });
});
