// The caller's view of itself, by which pages hide what it may not use.
import { expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Persona, useCallers } from '../../support/personas.ts';

const database = useDatabase();
const ask = useCallers(() => database);

interface Viewer {
  readonly mayReadCloud: boolean;
  readonly rules: readonly { readonly name: string; readonly reach: string }[];
}

async function viewerOf(persona: Persona) {
  const { status, data, errors } = await ask(
    persona,
    '{ viewer { userExternalId projectExternalId roles authenticationMethod mayReadCloud mayWrite rules { name reach } } }',
  );
  expect([status, errors]).toEqual([200, undefined]);
  const viewer = data?.viewer as Viewer | null;
  if (viewer === null) return null;
  const { rules, ...rest } = viewer;
  return { ...rest, reaches: Object.fromEntries(rules.map(({ name, reach }) => [name, reach])) };
}

test('without a valid token it is null, without an error', async () => {
  expect(await viewerOf('none')).toBeNull();
});

test('an administrator may read the whole cloud and write', async () => {
  expect(await viewerOf('admin')).toMatchObject({
    ...{ userExternalId: 'admin', projectExternalId: 'blue', authenticationMethod: 'KEYSTONE', mayReadCloud: true, mayWrite: true },
    roles: ['admin', 'manager', 'member', 'reader'],
    reaches: { 'placement:graphql:resource_providers:read': 'EVERYTHING', 'placement:graphql:provider_trees:apply': 'EVERYTHING' },
  });
});

test('an operator who may only read may read the whole cloud, but not write', async () => {
  expect(await viewerOf('watcher')).toMatchObject({ mayReadCloud: true, mayWrite: false });
});

test('a reader of a project sees only the rules for its own project', async () => {
  const viewer = await viewerOf('reader');
  expect(viewer).toMatchObject({ mayReadCloud: false, mayWrite: false, reaches: { 'placement:graphql:consumers:read': 'OWN_PROJECT' } });
  expect(viewer?.reaches).not.toHaveProperty('placement:graphql:resource_providers:read');
});

test('its permissions are real: the map of the cloud is for callers that may read the cloud', async () => {
  for (const persona of ['reader', 'member', 'worker', 'admin', 'watcher'] as const) {
    const { status } = await ask(persona, '{ cloudMap(resourceClasses: ["VCPU"]) { names traitNames aggregateUuids classes { used } } }');
    expect([persona, status === 200]).toEqual([persona, (await viewerOf(persona))?.mayReadCloud]);
  }
});
