// The header with which a caller reads its own writes from any gateway: the answer of a write has it, and the caller sends it with reads. Only with replicas.
import type { IncomingHttpHeaders } from 'node:http';

export const positionHeader = 'placement-ledger-position';

/** The position that a caller sent, unchecked. */
export function positionIn({ [positionHeader]: sent }: IncomingHttpHeaders): string | undefined {
  return typeof sent === 'string' ? sent : undefined;
}
