// Reads another Placement while it changes.
import { expect, test } from 'vitest';
import type { PlacementClient } from '../../../src/bridge/placement/client.ts';
import { readProvider } from '../../../src/bridge/placement/upstream.ts';
import { uuidOf } from '../../support/seed.ts';

test('a provider that is written while its parts are read has the earlier generation, so that it is found to differ', async () => {
  const answers: Readonly<Record<string, object>> = {
    '/resource_providers/cn1/inventories': { resource_provider_generation: 8, inventories: {} },
    '/resource_providers/cn1/traits': { resource_provider_generation: 8, traits: ['HW_NUMA_ROOT'] },
    '/resource_providers/cn1/aggregates': { resource_provider_generation: 7, aggregates: [uuidOf('before')] },
  };
  const placement: PlacementClient = {
    get: async (path, schema) => schema.parse(answers[path]) as never,
    send: () => Promise.reject(new Error('it only reads')),
  };
  const read = await readProvider(placement, { uuid: 'cn1', name: 'cn1', parent: null, generation: 8 });
  expect(read).toMatchObject({ generation: 7, aggregates: [uuidOf('before')] });
});
