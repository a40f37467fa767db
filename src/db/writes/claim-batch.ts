// Converts several claims of new consumers to one request of claim_together.sql, and its answer to theirs. Pure.
// Everything that does not depend on the database is computed here: decoding and rebuilding JSON in SQL would cost more than the writes.
import type { Provider } from '../../domain/provider.ts';
import type { AllocationsAnswer, Call, ClaimPart, HeldAmount, HeldState, TogetherAnswer, TogetherRequest } from './contract.ts';

/** A new consumer with project, user and explicit allocations. */
export interface ClaimedConsumer {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  /** Seconds; absent if it lasts. */
  readonly expiresIn?: number;
  readonly allocations: readonly HeldAmount[];
}

/** A request of replace_allocations whose consumers are all new, and its caller. */
export interface Claim {
  readonly consumers: readonly ClaimedConsumer[];
  readonly call: Call;
  /** Whether it obeys the quotas of projects. */
  readonly hasQuotas?: boolean;
}

/** Different names, in order of their first use, and how often each was used. */
class Names {
  readonly list: string[] = [];
  readonly uses: number[] = [];
  readonly #indexes = new Map<string, number>();

  /** The index of a name, from 1. */
  indexOf(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    this.#indexes.set(name, this.list.push(name));
    this.uses.push(0);
    return this.list.length;
  }

  /** Counts a use and returns how many there are now. */
  use(index: number): number {
    const count = (this.uses[index - 1] ?? 0) + 1;
    this.uses[index - 1] = count;
    return count;
  }
}

/** The columns of a request, which grow consumer by consumer. */
class Columns {
  readonly #owners = new Names();
  readonly projects: string[] = [];
  readonly users: string[] = [];
  readonly types: (string | null)[] = [];
  readonly providers = new Names();
  readonly classes = new Names();
  readonly consumers: string[] = [];
  readonly ownerOf: number[] = [];
  readonly partOf: number[] = [];
  readonly rowConsumers: number[] = [];
  readonly rowProviders: number[] = [];
  readonly rowClasses: number[] = [];
  readonly amounts: number[] = [];
  readonly expiries: (number | null)[] = [];

  /** Adds a consumer of the part at a place. `used` and `held` get the indexes of its providers and the names of its classes. */
  add({ uuid, project, user, type, expiresIn, allocations }: ClaimedConsumer, place: number, used: Set<number>, held: Set<string>): void {
    const owner = this.#owners.indexOf(JSON.stringify([project, user, type]));
    if (owner > this.projects.length) {
      this.projects.push(project);
      this.users.push(user);
      this.types.push(type);
    }
    this.consumers.push(uuid);
    this.ownerOf.push(owner);
    this.partOf.push(place);
    this.expiries.push(expiresIn ?? null);
    for (const { provider, resourceClass, amount } of allocations) {
      const index = this.providers.indexOf(provider);
      this.rowConsumers.push(this.consumers.length);
      this.rowProviders.push(index);
      this.rowClasses.push(this.classes.indexOf(resourceClass));
      this.amounts.push(amount);
      used.add(index);
      held.add(resourceClass);
    }
  }
}

/** The part of a claim, whose consumers are added to the columns. Its `later` are which use of each provider this is, until all parts are known. */
function addPart(columns: Columns, { call: { by }, consumers }: Claim, place: number) {
  const used = new Set<number>();
  const held = new Set<string>();
  // Without a prototype: an ordinary object would get a hidden class for each uuid.
  const changes: Record<string, { before: null; after: HeldState }> = Object.create(null);
  for (const consumer of consumers) {
    const { uuid, project, user, type, allocations } = consumer;
    columns.add(consumer, place, used, held);
    const after: HeldState = { generation: 1, project, user, type, allocations: allocations.toSorted(byProviderAndClass) };
    changes[uuid] = { before: null, after };
  }
  const turns = [...used];
  return {
    place,
    by,
    consumers: consumers.map(({ uuid }) => uuid),
    projects: [...new Set(consumers.map(({ project }) => project))],
    classes: [...held],
    changes,
    providers: turns.map((index) => columns.providers.list[index - 1] as string),
    turns,
    later: turns.map((index) => columns.providers.use(index)),
  };
}

/** The request of claim_together for claims of distinct consumers. */
export function joinClaims(claims: readonly Claim[]): TogetherRequest {
  const columns = new Columns();
  const parts = claims.map((claim, place) => addPart(columns, claim, place));
  const { providers, classes, expiries: expiresIn, ...lists } = columns;
  const quotaParts = claims.flatMap(({ hasQuotas }, place) => (hasQuotas ? [place] : []));
  for (const { turns, later } of parts)
    for (const [nth, index] of turns.entries()) later[nth] = (providers.uses[index - 1] ?? 0) - (later[nth] ?? 0);
  return {
    ...lists,
    providers: providers.list,
    claims: providers.uses,
    classes: classes.list,
    parts,
    ...(quotaParts.length > 0 && { quotaParts }),
    ...(expiresIn.some((seconds) => seconds !== null) && { expiresIn }),
    keys: claims.flatMap(({ call: { idempotency } }, place) => (idempotency ? [{ ...idempotency, place }] : [])),
  };
}

/** The parts that an answer is for, as the database numbered them: all but those that are apart, which do not count as uses of a provider. */
export function partsDone(parts: readonly ClaimPart[], apart: readonly number[]): readonly ClaimPart[] {
  if (apart.length === 0) return parts;
  const left = new Set(apart);
  /** The uses of each provider by parts that are left out, of those after the present one. */
  const gone = new Map<string, number>();
  const done: ClaimPart[] = [];
  for (const part of parts.toReversed()) {
    if (left.has(part.place)) for (const provider of part.providers) gone.set(provider, (gone.get(provider) ?? 0) + 1);
    else if (part.providers.every((provider) => !gone.has(provider))) done.push(part);
    else done.push({ ...part, later: part.later.map((uses, index) => uses - (gone.get(part.providers[index] ?? '') ?? 0)) });
  }
  return done.reverse();
}

/** What an answer needs of a part. */
export type AnsweredPart = Pick<ClaimPart, 'changes' | 'consumers' | 'providers' | 'later'>;

/** The answers that replace_allocations would have given to the claims one by one, in order. */
export function answersOf(
  parts: readonly AnsweredPart[],
  { at, consumerIds, eventIds, providerRows, classIds, expiries = {} }: Omit<TogetherAnswer, 'apart' | 'busy'>,
): AllocationsAnswer[] {
  const ids = consumerIds.values();
  return parts.map(({ changes, consumers, providers, later }, nth) => ({
    consumers: consumers.map((uuid) => ({
      id: ids.next().value as number,
      uuid,
      createdAt: at,
      updatedAt: at,
      expiresAt: expiries[uuid] ?? null,
      reservation: null,
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

function byProviderAndClass(one: HeldAmount, other: HeldAmount): number {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.resourceClass < other.resourceClass ? -1 : 1;
}
