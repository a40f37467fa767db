// What waits for names to be known handles their refusal, whatever else fails: a refusal that nobody handles is an unhandled rejection.
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAllocationsOfProvider } from '../../../src/operations/allocations/allocations.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';

const database = useDatabase();

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
});

test('a page that is refused at once leaves nothing unhandled when a class in its filter turns out to be unknown', async () => {
  const scope = scopeOf(database.db);
  const page = { after: 'x', filter: { resourceClasses: ['CUSTOM_NOPE'] } };
  await expect(listAllocationsOfProvider(scope, 1, page)).rejects.toMatchObject({ problems: [{ code: 'INVALID_INPUT', path: ['after'] }] });
  // The class has been looked for when another load of it has its answer.
  expect(await scope.loaders.resourceClassByName.load('CUSTOM_NOPE')).toBeNull();
  await setImmediate();
  expect(unhandled).toEqual([]);
});
