// Several claims of new consumers as one request of claim_together.sql. Calls nothing.
// Whatever does not depend on the ledger is computed here: taking JSON apart and rebuilding it in SQL would cost more than the writes.
import type { Call, ClaimPart, HeldAmount, HeldState, TogetherRequest } from './contract.ts';

/** A consumer that is new, with project, user and something explicit to hold. */
export interface ClaimedConsumer {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly HeldAmount[];
}

/** A request of replace_allocations whose consumers are new, and who asks. */
export interface Claim {
  readonly consumers: readonly ClaimedConsumer[];
  readonly call: Call;
}

/** The request of claim_together for claims of which no two speak of the same consumer. */
export function joinClaims(claims: readonly Claim[]): TogetherRequest {
  const consumers: TogetherRequest['consumers'][number][] = [];
  const rows: TogetherRequest['rows'][number][] = [];
  const keys: TogetherRequest['keys'][number][] = [];
  const turns = new Map<string, number>();
  const parts = claims.map(({ call: { by, idempotency }, consumers: own }, place) => {
    if (idempotency) keys.push({ ...idempotency, place });
    const first = consumers.length;
    const named = new Set<string>();
    // Without a prototype: a common object would get a hidden class for each uuid.
    const changes: Record<string, { before: null; after: HeldState }> = Object.create(null);
    for (const { uuid, project, user, type, allocations } of own) {
      consumers.push({ uuid, project, user, type });
      for (const { provider, resourceClass, amount } of allocations) {
        rows.push({ consumer: consumers.length, provider, resourceClass, amount });
        named.add(provider);
      }
      changes[uuid] = {
        before: null,
        after: { generation: 1, project, user, type, allocations: allocations.toSorted(byProviderAndClass) },
      };
    }
    const providers = [...named].map((uuid) => {
      const turn = (turns.get(uuid) ?? 0) + 1;
      turns.set(uuid, turn);
      return { uuid, turn };
    });
    return {
      place,
      by,
      first,
      consumers: own.map(({ uuid }) => uuid),
      projects: [...new Set(own.map(({ project }) => project))],
      classes: [...new Set(own.flatMap(({ allocations }) => allocations.map(({ resourceClass }) => resourceClass)))],
      changes,
      providers,
    };
  });
  const laterOf = ({ uuid, turn }: { readonly uuid: string; readonly turn: number }) => ({ uuid, later: (turns.get(uuid) ?? turn) - turn });
  return {
    consumers,
    rows,
    parts: parts.map((part): ClaimPart => ({ ...part, providers: part.providers.map(laterOf) })),
    providers: Array.from(turns, ([uuid, claims]) => ({ uuid, claims })),
    keys,
  };
}

function byProviderAndClass(one: HeldAmount, other: HeldAmount): number {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.resourceClass < other.resourceClass ? -1 : 1;
}
