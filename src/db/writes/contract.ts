// The parts of requests and answers of write functions; which operation has which is in operations.ts. Documented in functions/*.sql.
import type { Consumer } from '../../domain/allocation.ts';
import type { RefusalReason } from '../../domain/errors.ts';
import type { Changes, EventKind } from '../../domain/event.ts';
import type { AuthenticationMethod } from '../../domain/identity.ts';
import type { CompleteInventory, WithShrunk } from '../../domain/inventory.ts';
import type { Aggregate, Inventory, Provider, ResourceClass, Trait } from '../../domain/provider.ts';
import type { Reservation } from '../../domain/reservation.ts';
import type { RootCondition } from '../../domain/root-condition.ts';
import type { ImportedTimes } from './imported.ts';

/** The caller of a write, recorded in the event. */
export interface Actor {
  readonly user: string | null;
  readonly project: string | null;
  readonly roles: readonly string[];
  /** How it was identified; absent for commands. */
  readonly method?: AuthenticationMethod | null;
  readonly requestId: string;
  /** The global request id that the caller sent. */
  readonly globalRequestId?: string | null;
}

/** An idempotency key: its owner, the call that it is for, and the hash of the input. */
export interface CallKey {
  readonly principal: string;
  /** The call, such as the name of a mutation. */
  readonly operation: string;
  readonly key: string;
  readonly hash: string;
}

/** The caller of a write and its idempotency key. `besides` is stored with the answer, for replays. */
export interface Call {
  readonly by: Actor;
  /** For a write that carries over a change of another Placement: the epoch of the process that does (become_carrier.sql). */
  readonly carrier?: number | undefined;
  /** For a caller who may write to some trees only: the condition that their roots meet. */
  readonly owned?: RootCondition | undefined;
  readonly idempotency?: (CallKey & { readonly besides?: unknown }) | undefined;
}

/** A function's refusal: nothing was written. */
export interface Refused {
  /** The first reason. `others`: those of other consumers; `truncated`: there are more than are listed. */
  readonly refusal: RefusalReason & { readonly others?: readonly RefusalReason[]; readonly truncated?: boolean };
}

export function isRefused(answer: object): answer is Refused {
  return 'refusal' in answer;
}

/** What the caller expects of a provider or consumer; without it, any state is accepted. `isNew` and `id` (of the row) are for consumers only. */
export interface Expected {
  readonly generation?: number;
  readonly id?: number;
  readonly isNew?: true;
}

/** An amount of a class on one provider, as in events and requests. */
export interface HeldAmount {
  readonly provider: string;
  readonly resourceClass: string;
  readonly amount: number;
}

/** The desired state of a consumer. Absent or null parts are unchanged; for the type, where null is a value, see `keepType`. */
export interface DesiredConsumer {
  readonly uuid: string;
  readonly expect: Expected;
  readonly takeFrom?: string;
  readonly allocations: readonly HeldAmount[];
  readonly project?: string | null;
  readonly user?: string | null;
  readonly type?: string | null;
  /** The type of a consumer that exists stays; a new one gets `type`. */
  readonly keepType?: boolean;
  /** Seconds from the write to its expiry. */
  readonly expiresIn?: number;
  /** The moment of its expiry; null if it lasts. */
  readonly expiresAt?: string | null;
  /** It expires when the consumer from which it takes would, or later if it does so itself. */
  readonly takesExpiry?: true;
  /** Uuid of the reservation that it claims from. */
  readonly reservation?: string;
}

/** A reservation after the write. Absent parts are unchanged. */
export interface DesiredReservation {
  readonly uuid: string;
  readonly project?: string;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly amounts?: readonly HeldAmount[];
  /** Uuids of roots instead: the whole capacity of all providers in their trees. */
  readonly hosts?: readonly string[];
}

/** A reservation as the write left it. */
export interface ReservationAnswer extends WithEvent {
  readonly reservation: Reservation;
}

/** The desired state of a provider within a tree; absent parts are unchanged. */
export interface DesiredProvider {
  readonly uuid: string | null;
  readonly name: string;
  /** The name of its parent in the same list; null for the root. */
  readonly parent: string | null;
  readonly expect: Expected;
  readonly inventories?: readonly CompleteInventory[];
  readonly traits?: readonly string[];
  readonly aggregates?: readonly string[];
}

export interface DesiredTree {
  readonly root: string;
  readonly providers: readonly DesiredProvider[];
  readonly consumers: readonly DesiredConsumer[];
  readonly dryRun: boolean;
  /** Uuids of the providers to delete; absent: all that are not in the list. */
  readonly removed?: readonly string[];
}

/** A consumer with all its allocations. */
export type HoldingConsumer = Consumer & { readonly allocations: readonly HeldAmount[] };

/** Common to all answers: the event that was written, if any, and rows as of the commit. */
export interface Written {
  readonly eventId?: number | null;
  readonly providers?: readonly Provider[];
  readonly consumers?: readonly (HoldingConsumer | null)[];
  /** Uuids of consumers known to have no allocations. */
  readonly absent?: readonly string[];
  /** Ids of classes by name: at least of those that the consumers hold. */
  readonly classIds?: Readonly<Record<string, number>>;
  /** By the id of their provider. */
  readonly inventories?: Readonly<Record<string, readonly Inventory[]>>;
  /** Of the one provider. */
  readonly traits?: readonly Trait[];
  readonly aggregates?: readonly Aggregate[];
  readonly root?: Provider;
  /** The parent and the root of the one provider, unless it is a root. */
  readonly above?: readonly Provider[];
  readonly trait?: Trait;
  readonly resourceClass?: ResourceClass;
  readonly aggregate?: Aggregate;
  /** The answer is that of an earlier call; this one wrote nothing. */
  readonly replayed?: true;
  /** What the first call stored with its answer. */
  readonly besides?: unknown;
}

/** The last of what one call has looked at: its end, and its id. */
export interface LastEnded {
  readonly moment: string;
  readonly id: number;
}

export interface WithEvent extends Written {
  readonly eventId: number | null;
}

export interface OneProvider extends WithEvent {
  readonly providers: readonly [Provider];
}

export interface Created extends WithEvent {
  readonly created: boolean;
}

/** The answer of allocation writes: consumers in the order of the input, null for those without allocations. */
export interface AllocationsAnswer extends WithEvent {
  readonly consumers: readonly (HoldingConsumer | null)[];
  readonly providers: readonly Provider[];
  readonly classIds: Readonly<Record<string, number>>;
  /** Uuids of the consumers that had or have allocations. */
  readonly touched: readonly string[];
}

export interface AllocationsRequest {
  readonly consumers: readonly DesiredConsumer[];
  /** A refusal is likely, so the function checks for one before it locks anything. */
  readonly checkFirst?: true;
  readonly keepGenerations?: boolean | undefined;
  readonly affinity?: WrittenAffinity | undefined;
  /** The quotas of projects are obeyed. */
  readonly hasQuotas?: true;
}

/** Where the consumers of a write may be with regard to others of a group; see Affinity. */
export interface WrittenAffinity {
  /** Writes for the same group come one after another. */
  readonly key: string;
  /** Uuids of consumers; those of the write need not be among them. */
  readonly members: readonly string[];
  readonly policy: 'TOGETHER' | 'APART';
  readonly perRoot: number;
  /** Roots count as one if their records of this kind have the same text as a fact. */
  readonly unitedBy?: { readonly kind: string; readonly fact: string };
  /** Uuids of roots that the consumers of the write still hold but have left: these do not count. */
  readonly leaving?: readonly string[];
}

/** The state of a consumer, as stored in events. */
export interface HeldState {
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  /** The database adds it to those that expire. */
  readonly expiresAt?: string;
  readonly allocations: readonly HeldAmount[];
}

/**
 * One write of a batch. `turns`: its providers as indexes into those of the batch, from 1; `later`: for each, the number of later parts that use it. Of a consumer
 * that exists, `changes` has what is to be changed: null, if it is released.
 */
export interface ClaimPart {
  readonly place: number;
  readonly kind: EventKind | null;
  readonly by: Actor;
  readonly consumers: readonly string[];
  readonly projects: readonly string[];
  readonly classes: readonly string[];
  readonly changes: Readonly<Record<string, { readonly before: null; readonly after: Partial<HeldState> | null }>>;
  readonly providers: readonly string[];
  readonly turns: readonly number[];
  readonly later: readonly number[];
  readonly keepGenerations?: true;
}

/** Writes as columns: of owners, of consumers, of rows with indexes from 1, and of providers and classes (claim_together.sql). */
export interface TogetherRequest
  extends Record<'projects' | 'users' | 'types', readonly (string | null)[]>,
    Record<'consumers' | 'providers' | 'classes', readonly string[]>,
    Record<'ownerOf' | 'partOf' | 'rowConsumers' | 'rowProviders' | 'rowClasses' | 'amounts' | 'claims', readonly number[]> {
  /** The generations that consumers must have, -1 for any; null for a new one. Absent if all are new. */
  readonly expects?: readonly (number | null)[];
  /** The consumers whose type stays, as indexes from 1; absent if there are none. */
  readonly keptTypes?: readonly number[];
  /** Seconds, in the order of consumers; null for one that lasts. Absent if all do. */
  readonly expiresIn?: readonly (number | null)[];
  /** The places of parts that obey the quotas of projects; absent if none does. */
  readonly quotaParts?: readonly number[];
  readonly parts: readonly ClaimPart[];
  readonly keys: readonly (NonNullable<Call['idempotency']> & { readonly place: number })[];
}

/** The raw material for the answers of writes without those that are `apart` (places), which must be tried alone: ids in the order of consumers and parts, and provider rows by uuid after the last part. */
export interface TogetherAnswer extends Written {
  readonly at: string;
  readonly apart: readonly number[];
  /** The uuids of providers that others have locked, because of which some are apart. */
  readonly busy: readonly string[];
  readonly consumerIds: readonly number[];
  readonly eventIds: readonly number[];
  readonly providerRows: Readonly<Record<string, Provider>>;
  readonly classIds: Readonly<Record<string, number>>;
  /** The moments at which consumers expire, by uuid; absent if all last. */
  readonly expiries?: Readonly<Record<string, string>>;
  /** If some consumers existed: all changes, by the place of the part, and since when these consumers exist, by uuid. */
  readonly changes?: Readonly<Record<string, Changes>>;
  readonly createdAts?: Readonly<Record<string, string>>;
}

export interface TreeAnswer extends WithEvent, WithShrunk {
  readonly root: Provider;
  readonly changes: Changes;
  /** Of the providers in them, by uuid. */
  readonly names: Readonly<Record<string, string>>;
  readonly applied: boolean;
}

export interface Imported extends Written {
  readonly written: number;
}

/** `expects`: for each of the providers, in their order. */
type OfProviders = { readonly providers: readonly string[]; readonly expects?: readonly Expected[] };

export type OfProvider = { readonly provider: string; readonly expect: Expected };

/** An inventory before a patch, and its capacity after: an array, because objects take Postgres five times as long for 10,000 rows. */
export type PatchedRow = readonly [
  ...[provider: string, used: number, capacityBefore: number, capacityAfter: number],
  ...[total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number],
];

export interface PatchAnswer extends WithEvent, WithShrunk {
  /** Providers whose record would be invalid, at most 20. If there is one, nothing was written. */
  readonly illegal: readonly { readonly provider: string; readonly name: string }[];
  readonly illegalCount: number;
  /** The number of providers that have the class. */
  readonly matched: number;
  readonly patched: readonly PatchedRow[];
  readonly applied: boolean;
}

export interface PatchedTraits extends WithEvent {
  /** The number of providers that exist. */
  readonly matched: number;
  readonly patched: readonly (readonly [provider: string, added: readonly string[], removed: readonly string[]])[];
  readonly applied: boolean;
}

/** Providers that one write changes together, and how many they must be. */
export type Selected = OfProviders & { readonly expectedCount?: number; readonly dryRun: boolean };

/** A report about a program: absent fields stay unchanged, and a version of null deletes the program. */
export interface ServiceState {
  readonly version?: number | null;
  readonly disabled?: boolean;
  readonly disabledReason?: string | null;
  readonly forcedDown?: boolean;
}

/** The trait of roots whose program gets no work. These roots have a record of `kind`, or the trait `of` and the name of the host. */
export interface MarkOfRoots {
  readonly trait: string;
  readonly kind: string;
  readonly of: string;
}

/** A consumer of another service or of an export, as read there. */
export interface ImportedConsumer extends ImportedTimes, Omit<DesiredConsumer, 'expect' | 'takeFrom' | 'keepType'> {
  readonly generation: number;
}

/** A consumer of another service as a write has made it there, which that service has accepted: not read, but known from the write. */
export interface MadeConsumer extends ImportedConsumer, Pick<DesiredConsumer, 'expect' | 'keepType'> {
  /** Uuids of the providers whose generations the write has raised by one. */
  readonly raises: readonly string[];
}
