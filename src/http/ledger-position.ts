// The header with which a caller reads its own writes from any gateway: told with the answer of a write, sent back with reads. Only where there are replicas.
import type { IncomingHttpHeaders } from 'node:http';

export const positionHeader = 'placement-ledger-position';

/** What a caller sent; it may be anything. */
export function positionIn({ [positionHeader]: sent }: IncomingHttpHeaders): string | undefined {
  return typeof sent === 'string' ? sent : undefined;
}
