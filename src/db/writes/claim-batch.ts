// Converts several claims of new consumers to one request of claim_together.sql, and its answer to theirs. Pure.
// Whatever does not depend on the database is computed here: decoding and rebuilding JSON in SQL would cost more than the writes.
import type { Provider } from '../../domain/provider.ts';
import type { AllocationsAnswer, Call, ClaimPart, HeldAmount, HeldState, TogetherAnswer, TogetherRequest } from './contract.ts';

/** A new consumer with project, user and explicit allocations. */
export interface ClaimedConsumer {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly HeldAmount[];
}

/** A request of replace_allocations whose consumers are all new, and its caller. */
export interface Claim {
  readonly consumers: readonly ClaimedConsumer[];
  readonly call: Call;
}

/** The request of claim_together for claims of distinct consumers. */
export function joinClaims(claims: readonly Claim[]): TogetherRequest {
  const consumers: TogetherRequest['consumers'][number][] = [];
  const rows: TogetherRequest['rows'][number][] = [];
  const keys: TogetherRequest['keys'][number][] = [];
  const turns = new Map<string, number>();
  const parts = claims.map(({ call: { by, idempotency }, consumers: own }, place) => {
    if (idempotency) keys.push({ ...idempotency, place });
    const first = consumers.length;
    const named = new Set<string>();
    // Without a prototype: an ordinary object would get a hidden class for each uuid.
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
    for (const uuid of named) turns.set(uuid, (turns.get(uuid) ?? 0) + 1);
    const providers = [...named];
    return {
      place,
      by,
      first,
      consumers: own.map(({ uuid }) => uuid),
      projects: [...new Set(own.map(({ project }) => project))],
      classes: [...new Set(own.flatMap(({ allocations }) => allocations.map(({ resourceClass }) => resourceClass)))],
      changes,
      providers,
      turnOf: providers.map((uuid) => turns.get(uuid) ?? 0),
    };
  });
  return {
    consumers,
    rows,
    parts: parts.map(
      ({ turnOf, ...part }): ClaimPart => ({
        ...part,
        later: part.providers.map((uuid, nth) => (turns.get(uuid) ?? 0) - (turnOf[nth] ?? 0)),
      }),
    ),
    providers: Array.from(turns, ([uuid, claims]) => ({ uuid, claims })),
    keys,
  };
}

/** The parts that an answer is for, as the database numbered them: all but those that are apart. */
export function partsDone(claims: readonly Claim[], { parts }: TogetherRequest, apart: readonly number[]): readonly ClaimPart[] {
  return apart.length === 0 ? parts : joinClaims(claims.filter((_, place) => !apart.includes(place))).parts;
}

/** The answers that replace_allocations would have given to the claims one by one, in order. */
export function answersOf(
  parts: readonly ClaimPart[],
  { at, consumerIds, eventIds, providerRows, classIds }: Omit<TogetherAnswer, 'apart' | 'busy'>,
): AllocationsAnswer[] {
  const ids = consumerIds.values();
  return parts.map(({ changes, consumers, providers, later }, nth) => ({
    consumers: consumers.map((uuid) => ({
      id: ids.next().value as number,
      uuid,
      createdAt: at,
      updatedAt: at,
      ...(changes[uuid]?.after as HeldState),
    })),
    providers: providers
      .map((uuid, index) => {
        const provider = providerRows[uuid] as Provider;
        return { ...provider, generation: provider.generation - (later[index] ?? 0) };
      })
      .toSorted((one, other) => one.id - other.id),
    classIds,
    touched: consumers,
    eventId: eventIds[nth] as number,
  }));
}

/** What is stored under the idempotency key of a claim that shared a call. */
type KeptClaim = Omit<TogetherAnswer, 'apart' | 'busy'> & { readonly part: ClaimPart };

/** The original answer of a write from what is stored under its key: for a claim that shared a call only the parts of its answer. */
export function wholeAnswer(kept: object): object {
  if (!isKeptClaim(kept)) return kept;
  const { part, besides, replayed } = kept;
  return { ...answersOf([part], kept)[0], ...(besides !== undefined && { besides }), ...(replayed && { replayed }) };
}

function isKeptClaim(kept: object): kept is KeptClaim {
  return 'part' in kept;
}

function byProviderAndClass(one: HeldAmount, other: HeldAmount): number {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.resourceClass < other.resourceClass ? -1 : 1;
}
