// Several claims of new consumers as one request of claim_together.sql, and its answer as theirs. Knows both forms; calls nothing.
// What does not depend on the ledger is told here: SQL that takes JSON apart and puts it together again would cost more than its writes.
import type { Provider } from '../../domain/provider.ts';
import type { Actor, AllocationsAnswer, AnswerOf, ClaimPart, HeldAmount, HeldState, TogetherRequest } from './contract.ts';

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
  readonly by: Actor;
}

/** The request of claim_together for claims of which no two speak of the same consumer. */
export function joinClaims(claims: readonly Claim[]): TogetherRequest {
  const consumers: TogetherRequest['consumers'][number][] = [];
  const rows: TogetherRequest['rows'][number][] = [];
  const turns = new Map<string, number>();
  const parts = claims.map(({ by, consumers: own }, place): ClaimPart => {
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
      consumers: own.map(({ uuid }) => uuid),
      projects: [...new Set(own.map(({ project }) => project))],
      changes,
      providers,
    };
  });
  return { consumers, rows, parts, providers: Array.from(turns, ([uuid, claims]) => ({ uuid, claims })) };
}

/** What replace_allocations would have answered to each claim, had it come alone and in its turn. */
export function answersOf({ parts, providers }: TogetherRequest, answer: AnswerOf<'claim_together'>): AllocationsAnswer[] {
  const { at, consumerIds, eventIds } = answer;
  const ids = consumerIds.values();
  const last = new Map(providers.map(({ uuid, claims }) => [uuid, claims]));
  const rows = new Map(answer.providers.map((provider) => [provider.uuid, provider]));
  return parts.map(({ place, changes, consumers, providers: named }) => ({
    consumers: consumers.map((uuid) => {
      const { after } = changes[uuid] as ClaimPart['changes'][string];
      return { id: ids.next().value as number, uuid, createdAt: at, updatedAt: at, ...after };
    }),
    providers: named
      .map(({ uuid, turn }) => {
        const provider = rows.get(uuid) as Provider;
        return { ...provider, generation: provider.generation - (last.get(uuid) ?? 0) + turn };
      })
      .toSorted((one, other) => one.id - other.id),
    touched: consumers,
    eventId: eventIds[place] as number,
  }));
}

function byProviderAndClass(one: HeldAmount, other: HeldAmount): number {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.resourceClass < other.resourceClass ? -1 : 1;
}
