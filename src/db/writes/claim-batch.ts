// Several claims of new consumers as one request of claim_together.sql, and its answer as theirs. Knows both forms; calls nothing.
// What does not depend on the ledger is told here: SQL that takes JSON apart and puts it together again would cost more than its writes.
import type { Provider } from '../../domain/provider.ts';
import type { Actor, WriteRequest } from './apply-write.ts';

interface Row {
  readonly provider: string;
  readonly resourceClass: string;
  readonly amount: number;
}

/** A request of replace_allocations whose consumers are new, each with project, user and something to hold. */
export interface ClaimRequest extends WriteRequest {
  readonly consumers: readonly {
    readonly uuid: string;
    readonly project: string;
    readonly user: string;
    readonly type: string | null;
    readonly allocations: readonly Row[];
  }[];
}

/** A consumer after its claim, as events keep it. */
interface Held {
  readonly generation: 1;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly Row[];
}

/** One claim among others. `turn`: the how manieth it is, from 1, of those that raise the generation of the provider. */
interface Part {
  readonly place: number;
  readonly kind: string;
  readonly by: Actor;
  readonly consumers: readonly string[];
  readonly projects: readonly string[];
  readonly changes: Readonly<Record<string, { readonly before: null; readonly after: Held }>>;
  readonly providers: readonly { readonly uuid: string; readonly turn: number }[];
}

/** What claim_together returns; its providers as they are after the last claim. */
export interface TogetherAnswer {
  readonly at: string;
  readonly consumerIds: readonly number[];
  readonly eventIds: readonly number[];
  readonly providers: readonly Provider[];
}

/** The request of claim_together for claims of which no two speak of the same consumer. */
export function joinClaims(claims: readonly ClaimRequest[]) {
  const consumers: object[] = [];
  const rows: object[] = [];
  const turns = new Map<string, number>();
  const parts = claims.map(({ kind, by, consumers: own }, place): Part => {
    const named = new Set<string>();
    // Without a prototype: a common object would get a hidden class for each uuid.
    const changes: Record<string, { before: null; after: Held }> = Object.create(null);
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
      kind,
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
export function answersOf({ parts, providers }: ReturnType<typeof joinClaims>, answer: TogetherAnswer): object[] {
  const { at, consumerIds, eventIds } = answer;
  const ids = consumerIds.values();
  const last = new Map(providers.map(({ uuid, claims }) => [uuid, claims]));
  const rows = new Map(answer.providers.map((provider) => [provider.uuid, provider]));
  return parts.map(({ place, changes, consumers, providers: named }) => ({
    consumers: consumers.map((uuid) => ({ id: ids.next().value, uuid, createdAt: at, updatedAt: at, ...changes[uuid]?.after })),
    providers: named
      .map(({ uuid, turn }) => {
        const provider = rows.get(uuid) as Provider;
        return { ...provider, generation: provider.generation - (last.get(uuid) ?? 0) + turn };
      })
      .toSorted((one, other) => one.id - other.id),
    touched: consumers,
    eventId: eventIds[place],
  }));
}

function byProviderAndClass(one: Row, other: Row): number {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.resourceClass < other.resourceClass ? -1 : 1;
}
