// Reads objects back from another Placement, a second gateway of ours.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { importer } from '../../src/bridge/imports.ts';
import { listOwnUuids } from '../../src/bridge/ledger.ts';
import type { PlacementClient } from '../../src/bridge/placement/client.ts';
import { readBack } from '../../src/bridge/read-back.ts';
import type { NotedObject } from '../../src/db/bridge.ts';
import { usePairOfPlacements } from '../support/pair-of-placements.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const pair = usePairOfPlacements();

test('a consumer that is stored there in another spelling of its uuid is refused with the remedy; one that can be read under both is taken over', async () => {
  const seed = createSeed(pair.there.db);
  await seed.provider('host', { inventories: { VCPU: 8 } });
  await seed.claim('c1', { host: { VCPU: 1 } });
  const uuid = uuidOf('c1');
  const key = uuid.replaceAll('-', '');
  const listed = async (...[path, ...rest]: Parameters<PlacementClient['get']>) => {
    const answer = await pair.placement.get(path, ...rest);
    return path.startsWith('/resource_providers/') ? JSON.parse(JSON.stringify(answer).replaceAll(uuid, key)) : answer;
  };
  // On Postgres upstream compares texts, on MySQL it does not.
  const [onPostgres, onMySql] = [
    {
      ...pair.placement,
      get: async (path, ...rest) => listed(path === `/allocations/${uuid}` ? `/allocations/${uuidOf('nobody')}` : path, ...rest),
    },
    { ...pair.placement, get: listed },
  ] satisfies PlacementClient[] as [PlacementClient, PlacementClient];
  const read = (placement: PlacementClient) =>
    readBack({ db: pair.here.db, placement, by: importer(`req-${randomUUID()}`) }, [
      { noun: 'provider', key: uuidOf('host') },
      { noun: 'consumer', key },
    ]);
  const reason = `it is stored there in this spelling: DELETE it there, and claim again as ${uuid}`;
  expect((await read(onPostgres)).refused).toEqual([{ noun: 'consumer', key, reason }]);
  expect((await listOwnUuids(pair.here.db)).consumers).toEqual([]);
  expect((await read(onMySql)).refused).toEqual([]);
  expect((await listOwnUuids(pair.here.db)).consumers).toEqual([uuid]);
});

test('texts that Postgres cannot store, and MySQL can, are refused as differences, and what was read with them is taken over', async () => {
  const seed = createSeed(pair.there.db);
  for (const host of ['odd', 'host']) await seed.provider(host, { inventories: { VCPU: 8 } });
  for (const consumer of ['c1', 'c2']) await seed.claim(consumer, { host: { VCPU: 1 } });
  const other: PlacementClient = {
    ...pair.placement,
    get: async (path, ...rest) => {
      const answer = await pair.placement.get(path, ...rest);
      const isOdd = path.startsWith(`/resource_providers/${uuidOf('odd')}`) || path === `/allocations/${uuidOf('c1')}`;
      if (!isOdd) return answer;
      return JSON.parse(JSON.stringify(answer), (key, value) => (['name', 'project_id', 'user_id'].includes(key) ? `a\0${value}` : value));
    },
  };
  const objects = [
    ...['odd', 'host'].map((name): NotedObject => ({ noun: 'provider', key: uuidOf(name) })),
    ...['c1', 'c2'].map((name): NotedObject => ({ noun: 'consumer', key: uuidOf(name) })),
  ];
  const { refused } = await readBack({ db: pair.here.db, placement: other, by: importer(`req-${randomUUID()}`) }, objects);
  expect(refused).toEqual([
    { noun: 'provider', key: uuidOf('odd'), reason: 'INVALID_INPUT {"message":"its name must not contain a NUL character"}' },
    { noun: 'consumer', key: uuidOf('c1'), reason: 'INVALID_INPUT {"message":"its project must not contain a NUL character"}' },
  ]);
  expect(await listOwnUuids(pair.here.db)).toEqual({ providers: [uuidOf('host')], consumers: [uuidOf('c2')] });
});
