// Uuids of consumers that the other Placement stores in a spelling of its own: it takes any from POST /allocations, compares texts, and cannot change them by PUT.
import type { NotedObject } from '../db/bridge.ts';
import { parseLooseUuid } from '../domain/uuid.ts';
import type { PlacementClient } from './placement/client.ts';
import { listHolders, readConsumer } from './placement/upstream.ts';

/** An object that could not be made as it is on the side that leads. */
export interface Refused extends NotedObject {
  readonly reason: string;
}

/** Whether a consumer has this uuid here, too. */
export const isOddKey = (key: string): boolean => parseLooseUuid(key) !== key;

/** The consumers with these keys, as they are called here, and those that are stored there in another spelling. */
export async function bySpelling(placement: PlacementClient, keys: Iterable<string>) {
  const odd: Refused[] = [];
  const consumers = await Promise.all(
    [...keys].map(async (key) => {
      const uuid = parseLooseUuid(key);
      if (isOddKey(key) && (await isStoredAs(placement, key, uuid))) {
        const again = uuid === null ? 'under a uuid' : `as ${uuid}`;
        odd.push({ noun: 'consumer', key, reason: `it is stored there in this spelling: DELETE it there, and claim again ${again}` });
      }
      return uuid;
    }),
  );
  return { consumers: [...new Set(consumers)].filter((uuid) => uuid !== null), odd };
}

/** Whether the other side knows a consumer by this key alone. */
async function isStoredAs(placement: PlacementClient, key: string, uuid: string | null): Promise<boolean> {
  const found = await readConsumer(placement, encodeURIComponent(key));
  const [first] = found?.allocations ?? [];
  if (first === undefined) return false;
  const stored = (await listHolders(placement, first.provider)).map(({ consumer }) => consumer);
  if (!stored.includes(key)) return false;
  // MySQL finds it under both spellings.
  return uuid === null || stored.includes(uuid) || (await readConsumer(placement, uuid)) === null;
}
