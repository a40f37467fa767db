// Two gateways, of which the second one is another Placement that is made as the first one is.
import { afterEach, beforeEach, expect } from 'vitest';
import {
  listOwnNames,
  listOwnUuids,
  type OwnConsumer,
  type OwnProvider,
  readOwnConsumers,
  readOwnProviders,
} from '../../src/bridge/ledger.ts';
import { openPlacement, type PlacementClient } from '../../src/bridge/placement/client.ts';
import type { Db } from '../../src/db/sql/client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type Gateway, startGateway } from './gateway.ts';

export interface PairOfPlacements {
  here: TestDatabase;
  there: TestDatabase;
  /** The other side, and the URL of its REST API. */
  other: Gateway;
  url: string;
  /** A client of the other side. */
  placement: PlacementClient;
  /** The requests of this client, such as `GET /traits/CUSTOM_A`. */
  requests: string[];
  /** Called before each of its writes. */
  beforeWrite: () => Promise<unknown>;
  /** The most writes that were ever under way at once. */
  mostWrites: number;
}

/** Two empty ones for each test of a file. Call it once, outside of tests. */
export function usePairOfPlacements(): PairOfPlacements {
  const pair = {} as PairOfPlacements;
  const bugs: string[] = [];
  beforeEach(async () => {
    const [here, there] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const other = await startGateway(there, 'jit', (line) => bugs.push(line));
    const url = `${other.url}/placement`;
    const client = await openPlacement({ url, token: async () => 'admin', concurrency: 8, outlivesFailures: true });
    let underWay = 0;
    const placement: PlacementClient = {
      ...client,
      get(path, ...rest) {
        pair.requests.push(`GET ${path}`);
        return client.get(path, ...rest);
      },
      async send(method, path, ...rest) {
        pair.requests.push(`${method} ${path}`);
        underWay += 1;
        pair.mostWrites = Math.max(pair.mostWrites, underWay);
        await pair.beforeWrite();
        return client.send(method, path, ...rest).finally(() => {
          underWay -= 1;
        });
      },
    };
    Object.assign(pair, { here, there, other, url, placement, requests: [], beforeWrite: async () => {}, mostWrites: 0 });
  });
  afterEach(async () => {
    await pair.other.close();
    await Promise.all([pair.here.drop(), pair.there.drop()]);
    expect(bugs).toEqual([]);
  });
  return pair;
}

export const writesOf = (requests: readonly string[]) => requests.filter((request) => !request.startsWith('GET '));

export interface Contents {
  readonly names: readonly string[];
  readonly providers: ReadonlyMap<string, OwnProvider>;
  readonly consumers: ReadonlyMap<string, OwnConsumer>;
}

/** All objects of a ledger, without generations. */
export async function contentsOf({ db }: { readonly db: Db }): Promise<Contents> {
  const [names, uuids] = [await listOwnNames(db), await listOwnUuids(db)];
  const [providers, consumers] = [await readOwnProviders(db, uuids.providers), await readOwnConsumers(db, uuids.consumers)];
  const key = ({ provider, resourceClass }: OwnConsumer['allocations'][number]) => `${provider} ${resourceClass}`;
  return {
    names: [...names.resourceClasses, ...names.traits].filter((name) => name.startsWith('CUSTOM_')).toSorted(),
    providers: new Map(
      [...providers]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([uuid, { name, parent, inventories, traits, aggregates, used }]) => [
          uuid,
          { name, parent, inventories, traits, aggregates, used, generation: 0 },
        ]),
    ),
    consumers: new Map(
      [...consumers]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([uuid, { project, user, type, allocations }]) => [
          uuid,
          { project, user, type, allocations: allocations.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)), generation: 0 },
        ]),
    ),
  };
}
