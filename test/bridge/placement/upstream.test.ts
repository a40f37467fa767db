// Reads another Placement while it changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlacementClient } from '../../../src/bridge/placement/client.ts';
import { listProviders, readProvider } from '../../../src/bridge/placement/upstream.ts';
import { sampled } from '../../support/profile.ts';
import { uuidOf } from '../../support/seed.ts';

test('a provider that is written while its parts are read has the earlier generation, so that it is found to differ', async () => {
  const answers: Readonly<Record<string, object>> = {
    '/resource_providers/cn1/inventories': { resource_provider_generation: 8, inventories: {} },
    '/resource_providers/cn1/traits': { resource_provider_generation: 8, traits: ['HW_NUMA_ROOT'] },
    '/resource_providers/cn1/aggregates': { resource_provider_generation: 7, aggregates: [uuidOf('before')] },
  };
  const placement: PlacementClient = {
    url: 'http://placement',
    microversion: '1.39',
    get: async (path, schema) => schema.parse(answers[path]) as never,
    send: () => Promise.reject(new Error('it only reads')),
  };
  const read = await readProvider(placement, { uuid: 'cn1', name: 'cn1', parent: null, generation: 8 });
  expect(read).toMatchObject({ generation: 7, aggregates: [uuidOf('before')] });
});

test('every provider of a list is either placed below its parent or lost with the reason, whatever the parents are', async () => {
  const parents = fc.array(fc.option(fc.nat({ max: 12 }), { freq: 2 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(parents, async (list) => {
      const uuids = list.map((_, place) => uuidOf(`p${place}`));
      const resource_providers = list.map((parent, place) => ({
        uuid: uuids[place],
        name: `p${place}`,
        parent_provider_uuid: parent === null ? null : uuidOf(`p${parent}`),
        generation: 0,
      }));
      const parentOf = new Map(resource_providers.map(({ uuid, parent_provider_uuid: parent }) => [uuid ?? '', parent]));
      const answer = { resource_providers };
      const get: PlacementClient['get'] = async (_path, schema) => schema.parse(answer) as never;
      const placement = { url: '', microversion: '1.39', get, send: () => Promise.reject(new Error('it only reads')) };
      const { placed, lost } = await listProviders(placement);
      expect([...placed, ...lost].map(({ uuid }) => uuid).toSorted()).toEqual(uuids.toSorted());
      const above = new Set<string | null>([null]);
      for (const { uuid, parent } of placed) {
        expect(above).toContain(parent);
        above.add(uuid);
      }
      for (const { fault } of lost) {
        if ('missing' in fault) expect([parentOf.get(fault.child), parentOf.has(fault.missing ?? '')]).toEqual([fault.missing, false]);
        else expect(fault.loop.map((uuid) => parentOf.get(uuid))).toEqual([...fault.loop.slice(1), fault.loop[0]]);
      }
    }),
    { numRuns: sampled(1000) },
  );
});
