// Converts several writes of consumers to one request of claim_together.sql, and its answer to theirs. Pure.
// Everything that does not depend on the database is computed here: decoding and rebuilding JSON in SQL would cost more than the writes.
import type { EventKind } from '../../domain/event.ts';
import type { Provider } from '../../domain/provider.ts';
import type { AllocationsAnswer, Call, ClaimPart, HeldAmount, HeldState, TogetherAnswer, TogetherRequest } from './contract.ts';

/** A consumer that is new, replaced, or released: then it has no allocations. */
export interface ClaimedConsumer {
  readonly uuid: string;
  /** The generation that it must have, -1 for any; absent if it is new. */
  readonly expects?: number;
  /** A new one has both; of one that exists, what is null stays. */
  readonly project: string | null;
  readonly user: string | null;
  /** Absent: that of one that exists stays. */
  readonly type?: string | null;
  /** Seconds; absent if it lasts. */
  readonly expiresIn?: number;
  readonly allocations: readonly HeldAmount[];
}

/** A write of consumers, and its caller. */
export interface Claim {
  readonly consumers: readonly ClaimedConsumer[];
  readonly call: Call;
  /** By default REPLACE_ALLOCATIONS. */
  readonly kind?: EventKind;
  readonly keepGenerations?: boolean;
  /** Whether it obeys the quotas of projects. */
  readonly hasQuotas?: boolean;
}

/** No inventory gives so much at once. Sums of larger amounts could be too large for the database. */
const beyondUnits = 2 ** 31;

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
  readonly projects: (string | null)[] = [];
  readonly users: (string | null)[] = [];
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
  readonly expects: (number | null)[] = [];
  readonly keptTypes: number[] = [];

  /** Adds a consumer of the part at a place. `used` and `held` get the indexes of its providers and the names of its classes. */
  add(
    { uuid, expects, project, user, type, expiresIn, allocations }: ClaimedConsumer,
    place: number,
    used: Set<number>,
    held: Set<string>,
  ): void {
    this.consumers.push(uuid);
    this.ownerOf.push(allocations.length > 0 ? this.#ownerOf(project, user, type ?? null) : 0);
    this.partOf.push(place);
    this.expiries.push(expiresIn ?? null);
    this.expects.push(expects ?? null);
    if (expects !== undefined && type === undefined) this.keptTypes.push(this.consumers.length);
    for (const { provider, resourceClass, amount } of allocations) {
      const index = this.providers.indexOf(provider);
      this.rowConsumers.push(this.consumers.length);
      this.rowProviders.push(index);
      this.rowClasses.push(this.classes.indexOf(resourceClass));
      this.amounts.push(Math.min(amount, beyondUnits));
      used.add(index);
      held.add(resourceClass);
    }
  }

  #ownerOf(project: string | null, user: string | null, type: string | null): number {
    const owner = this.#owners.indexOf(JSON.stringify([project, user, type]));
    if (owner > this.projects.length) {
      this.projects.push(project);
      this.users.push(user);
      this.types.push(type);
    }
    return owner;
  }
}

/** The part of a claim, whose consumers are added to the columns. Its `later` are which use of each provider this is, until all parts are known. */
function addPart(columns: Columns, { call: { by }, consumers, kind, keepGenerations }: Claim, place: number) {
  const used = new Set<number>();
  const held = new Set<string>();
  // Without a prototype: an ordinary object would get a hidden class for each uuid.
  const changes: Record<string, { before: null; after: Partial<HeldState> | null }> = Object.create(null);
  for (const consumer of consumers) {
    columns.add(consumer, place, used, held);
    changes[consumer.uuid] = { before: null, after: stateOf(consumer) };
  }
  const turns = [...used];
  return {
    place,
    kind: kind ?? null,
    by,
    consumers: consumers.map(({ uuid }) => uuid),
    projects: [...new Set(consumers.flatMap(({ project, allocations }) => (project !== null && allocations.length > 0 ? [project] : [])))],
    classes: [...held],
    changes,
    providers: turns.map((index) => columns.providers.list[index - 1] as string),
    turns,
    later: turns.map((index) => columns.providers.use(index)),
    ...(keepGenerations && { keepGenerations: true as const }),
  };
}

/** What the write makes of a consumer: all of a new one, what changes of one that exists; null if it is released. */
function stateOf({ expects, project, user, type, allocations }: ClaimedConsumer): Partial<HeldState> | null {
  if (allocations.length === 0) return null;
  const held = allocations.toSorted(byProviderAndClass);
  if (expects === undefined)
    return { generation: 1, project: project as string, user: user as string, type: type ?? null, allocations: held };
  return { ...(project !== null && { project }), ...(user !== null && { user }), ...(type !== undefined && { type }), allocations: held };
}

/** The request of claim_together for claims of distinct consumers. */
export function joinClaims(claims: readonly Claim[]): TogetherRequest {
  const columns = new Columns();
  const parts = claims.map((claim, place) => addPart(columns, claim, place));
  const { providers, classes, expiries: expiresIn, expects, keptTypes, ...lists } = columns;
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
    ...(expects.some((generation) => generation !== null) && { expects }),
    ...(keptTypes.length > 0 && { keptTypes }),
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
export type AnsweredPart = Pick<ClaimPart, 'changes' | 'consumers' | 'providers' | 'later'> & { readonly place?: number };

/** The answers that replace_allocations would have given to the claims one by one, in order. */
export function answersOf(
  parts: readonly AnsweredPart[],
  {
    at,
    consumerIds,
    eventIds,
    providerRows,
    classIds,
    expiries = {},
    changes: known = {},
    createdAts = {},
  }: Omit<TogetherAnswer, 'apart' | 'busy'>,
): AllocationsAnswer[] {
  const ids = consumerIds.values();
  return parts.map(({ place, changes, consumers, providers, later }, nth) => {
    const whole = place === undefined ? undefined : known[place];
    const generations = whole
      ? Object.entries(whole.providers ?? {}).map(([uuid, { after }]) => [uuid, (after as { generation: number }).generation] as const)
      : providers.map((uuid, index) => [uuid, (providerRows[uuid]?.generation ?? 0) - (later[index] ?? 0)] as const);
    return {
      consumers: consumers.map((uuid) => {
        const id = ids.next().value as number;
        const state = (whole?.consumers?.[uuid] ?? changes[uuid])?.after as HeldState | null;
        return (
          state && {
            id,
            uuid,
            createdAt: createdAts[uuid] ?? at,
            updatedAt: at,
            expiresAt: expiries[uuid] ?? null,
            reservation: null,
            ...state,
          }
        );
      }),
      providers: generations
        .map(([uuid, generation]) => ({ ...(providerRows[uuid] as Provider), generation }))
        .toSorted((one, other) => one.id - other.id),
      classIds,
      touched: consumers,
      eventId: eventIds[nth] as number,
    };
  });
}

function byProviderAndClass(one: HeldAmount, other: HeldAmount): number {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.resourceClass < other.resourceClass ? -1 : 1;
}
