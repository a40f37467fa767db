// Uuids of consumers that the other Placement stores in a spelling of its own: it takes any from POST /allocations, compares texts, and cannot change them by PUT.
import type { NotedObject } from '../db/bridge.ts';
import { parseLooseUuid } from '../domain/uuid.ts';
import type { PlacementClient } from './placement/client.ts';
import { listHolders, readConsumer } from './placement/upstream.ts';

/** An object that could not be made as it is on the side that leads. */
export interface Refused extends NotedObject {
  readonly reason: string;
}

export const canonicalUuid = (key: string): string => parseLooseUuid(key) ?? key;

/** The consumers with these keys, as they are called here, and those that are stored there in another spelling. */
export async function bySpelling(placement: PlacementClient, keys: Iterable<string>) {
  const odd: Refused[] = [];
  const consumers = await Promise.all(
    [...keys].map(async (key) => {
      const uuid = canonicalUuid(key);
      if (uuid !== key && (await isStoredAs(placement, key)))
        odd.push({ noun: 'consumer', key, reason: `it is stored there in this spelling: DELETE it there, and claim again as ${uuid}` });
      return uuid;
    }),
  );
  return { consumers: [...new Set(consumers)], odd };
}

async function isStoredAs(placement: PlacementClient, key: string): Promise<boolean> {
  const found = await readConsumer(placement, encodeURIComponent(key));
  const [first] = found?.allocations ?? [];
  // A side that takes every spelling for the same lists one only.
  return first !== undefined && (await listHolders(placement, first.provider)).some(({ consumer }) => consumer === key);
}
