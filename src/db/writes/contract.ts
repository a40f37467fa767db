// The request and the answer of each write function, and the kind of event that it writes. Documented in functions/*.sql.
import type { Consumer } from '../../domain/allocation.ts';
import type { RefusalReason } from '../../domain/errors.ts';
import type { Changes, EventKind } from '../../domain/event.ts';
import type { AuthenticationMethod } from '../../domain/identity.ts';
import type { CompleteInventory, InventoryPatch, ShrunkInventory } from '../../domain/inventory.ts';
import type { Aggregate, BesidesTree, Inventory, Provider, ResourceClass, Trait } from '../../domain/provider.ts';
import type { RootCondition } from '../../domain/root-condition.ts';
import type { ImportedProvider, ImportedService, ImportedTimes, NewRecord } from './imported.ts';
import type { Mended, Mending } from './mending.ts';

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
  /** For a caller who may write to some trees only: what their roots are like. */
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

interface WithEvent extends Written {
  readonly eventId: number | null;
}

interface OneProvider extends WithEvent {
  readonly providers: readonly [Provider];
}

interface Created extends WithEvent {
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

interface AllocationsRequest {
  readonly consumers: readonly DesiredConsumer[];
  /** A refusal is likely: it is looked for before anything is locked. */
  readonly checkFirst?: true;
  readonly keepGenerations?: boolean | undefined;
  readonly affinity?: WrittenAffinity | undefined;
}

/** Where the consumers of a write may be with regard to others of a group; see Affinity. */
export interface WrittenAffinity {
  /** Writes for the same group come one after another. */
  readonly key: string;
  /** Uuids of consumers; those of the write need not be among them. */
  readonly members: readonly string[];
  readonly policy: 'TOGETHER' | 'APART';
  readonly perRoot: number;
}

/** The state of a new consumer, as stored in events. */
export interface HeldState {
  readonly generation: 1;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly HeldAmount[];
}

/** One claim of a batch. `turns`: its providers as indexes into those of the batch, from 1; `later`: for each, the number of later parts that use it. */
export interface ClaimPart {
  readonly place: number;
  readonly by: Actor;
  readonly consumers: readonly string[];
  readonly projects: readonly string[];
  readonly classes: readonly string[];
  readonly changes: Readonly<Record<string, { readonly before: null; readonly after: HeldState }>>;
  readonly providers: readonly string[];
  readonly turns: readonly number[];
  readonly later: readonly number[];
}

/** Claims as columns: of consumers, of rows with indexes from 1, and of providers and classes (claim_together.sql). */
export interface TogetherRequest
  extends Record<'projects' | 'users' | 'types' | 'consumers' | 'providers' | 'classes', readonly string[]>,
    Record<'projectOf' | 'userOf' | 'partOf' | 'rowConsumers' | 'rowProviders' | 'rowClasses' | 'amounts' | 'claims', readonly number[]> {
  readonly typeOf: readonly (number | null)[];
  readonly usages: readonly ClaimedUsage[];
  readonly parts: readonly ClaimPart[];
  readonly keys: readonly (NonNullable<Call['idempotency']> & { readonly place: number })[];
}

/** By how much the usage of a project grows, by user, type and class (indexes); without a class the number of its consumers. */
export interface ClaimedUsage {
  readonly project: number;
  readonly user: number;
  readonly type: number | null;
  readonly class: number | null;
  readonly amount: number;
}

/** The raw material for the answers of claims without those that are `apart` (places), which must be tried alone: ids in the order of consumers and parts, and provider rows by uuid after the last part. */
export interface TogetherAnswer extends Written {
  readonly at: string;
  readonly apart: readonly number[];
  /** The uuids of providers that others have locked, because of which some are apart. */
  readonly busy: readonly string[];
  readonly consumerIds: readonly number[];
  readonly eventIds: readonly number[];
  readonly providerRows: Readonly<Record<string, Provider>>;
  readonly classIds: Readonly<Record<string, number>>;
}

interface TreeAnswer extends WithEvent {
  readonly root: Provider;
  readonly changes: Changes;
  /** Of the providers in them, by uuid. */
  readonly names: Readonly<Record<string, string>>;
  readonly applied: boolean;
  readonly warnings: readonly ShrunkInventory[];
}

interface Imported extends Written {
  readonly written: number;
}

interface Operation<Request, Answer extends Written> {
  readonly request: Request;
  readonly answer: Answer;
}

/** `expects`: for each of the providers, in their order. */
type OfProviders = { readonly providers: readonly string[]; readonly expects?: readonly Expected[] };

type OfProvider = { readonly provider: string; readonly expect: Expected };

/** An inventory before a patch, and its capacity after: an array, because objects take Postgres five times as long for 10,000 rows. */
export type PatchedRow = readonly [
  ...[provider: string, used: number, capacityBefore: number, capacityAfter: number],
  ...[total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number],
];

interface PatchAnswer extends WithEvent {
  /** Providers whose record would be invalid, at most 20. If there is one, nothing was written. */
  readonly illegal: readonly { readonly provider: string; readonly name: string }[];
  readonly illegalCount: number;
  /** The number of providers that have the class. */
  readonly matched: number;
  readonly patched: readonly PatchedRow[];
  readonly warnings: readonly ShrunkInventory[];
  readonly applied: boolean;
}

interface PatchedTraits extends WithEvent {
  /** The number of providers that there are. */
  readonly matched: number;
  readonly patched: readonly (readonly [provider: string, added: readonly string[], removed: readonly string[]])[];
  readonly applied: boolean;
}

/** Providers that one write changes together, and how many they must be. */
type Selected = OfProviders & { readonly expectedCount?: number; readonly dryRun: boolean };

/** The functions behind apply_write. */
export interface WriteOperations {
  readonly replace_allocations: Operation<AllocationsRequest, AllocationsAnswer>;
  readonly claim_together: Operation<TogetherRequest, TogetherAnswer>;
  /** Stores an answer under a key, for a call that had nothing to write. */
  readonly keep_answer: Operation<{ readonly answer: Written }, Written>;
  readonly move_allocations: Operation<AllocationsRequest, AllocationsAnswer>;
  readonly release_allocations: Operation<AllocationsRequest, AllocationsAnswer>;
  readonly create_resource_provider: Operation<
    { readonly uuid: string; readonly name: string; readonly parent: string | null; readonly ensure: boolean },
    OneProvider & Created
  >;
  readonly update_resource_provider: Operation<
    OfProvider & {
      readonly name?: string;
      readonly parent?: string | null;
      readonly keepParent?: boolean | undefined;
      readonly keepGeneration?: boolean | undefined;
    },
    OneProvider
  >;
  readonly delete_resource_provider: Operation<
    OfProvider & { readonly wholeTree?: true; readonly record?: string; readonly consumers?: readonly DesiredConsumer[] },
    WithEvent
  >;
  readonly replace_inventories: Operation<
    OfProvider & {
      readonly inventories?: readonly CompleteInventory[];
      readonly keepOthers?: boolean;
      readonly exists?: boolean | undefined;
      readonly remove?: string;
    },
    OneProvider & { readonly inventories: Readonly<Record<string, readonly Inventory[]>>; readonly warnings: readonly ShrunkInventory[] }
  >;
  readonly patch_inventories: Operation<
    Selected & { readonly expect?: Expected; readonly resourceClass: string; readonly patch: InventoryPatch },
    PatchAnswer
  >;
  readonly replace_traits: Operation<OfProvider & { readonly traits: readonly string[] }, OneProvider>;
  readonly patch_traits: Operation<
    Selected & { readonly added: readonly string[]; readonly removed: readonly string[]; readonly most: number },
    PatchedTraits
  >;
  readonly replace_aggregates: Operation<
    OfProvider & { readonly aggregates: readonly string[]; readonly keepGeneration?: boolean | undefined },
    OneProvider
  >;
  readonly name_aggregate: Operation<{ readonly aggregate: string; readonly name: string | null }, WithEvent>;
  readonly create_trait: Operation<{ readonly name: string; readonly mustBeNew?: boolean }, Created>;
  readonly delete_trait: Operation<{ readonly name: string }, WithEvent>;
  readonly create_resource_class: Operation<{ readonly name: string; readonly mustBeNew?: boolean }, Created>;
  readonly rename_resource_class: Operation<{ readonly from: string; readonly name: string }, WithEvent>;
  readonly delete_resource_class: Operation<{ readonly name: string }, WithEvent>;
  readonly reshape: Operation<
    {
      readonly providers: readonly (OfProvider & { readonly inventories: readonly CompleteInventory[] })[];
      readonly consumers: readonly DesiredConsumer[];
    },
    Omit<AllocationsAnswer, 'touched'> & { readonly warnings: readonly ShrunkInventory[] }
  >;
  readonly apply_provider_tree: Operation<DesiredTree, TreeAnswer>;
  readonly apply_report: Operation<(DesiredTree | { readonly root: string }) & BesidesTree, TreeAnswer>;
  readonly report_service: Operation<
    ServiceState & Readonly<Record<'host' | 'program' | 'minimumOf', string>> & { readonly mark?: MarkOfRoots; readonly mustExist?: true },
    WithEvent & { readonly changed: boolean; readonly minimum?: number | null }
  >;
  readonly import_records: Operation<{ readonly records: readonly NewRecord[] }, Imported>;
  readonly import_services: Operation<{ readonly services: readonly ImportedService[] }, Imported>;
  readonly import_resource_providers: Operation<{ readonly providers: readonly ImportedProvider[] }, Imported>;
  readonly import_consumers: Operation<{ readonly consumers: readonly ImportedConsumer[] }, Imported>;
  readonly mend_derived: Operation<Mending, Written & { readonly mended: Mended }>;
}

/** What is said of a program: what is absent stays unchanged, and a version of null deletes it. */
interface ServiceState {
  readonly version?: number | null;
  readonly disabled?: boolean;
  readonly disabledReason?: string | null;
  readonly forcedDown?: boolean;
}

/** The trait of roots whose program gets no work; they have a record of `kind`, or the trait `of` and the name of the host. */
interface MarkOfRoots {
  readonly trait: string;
  readonly kind: string;
  readonly of: string;
}

/** A consumer of another service or of an export, as read there. */
export interface ImportedConsumer extends ImportedTimes, Omit<DesiredConsumer, 'expect' | 'takeFrom' | 'keepType'> {
  readonly generation: number;
}

export type WriteOperation = keyof WriteOperations;
export type RequestOf<Name extends WriteOperation> = WriteOperations[Name]['request'];
export type AnswerOf<Name extends WriteOperation> = WriteOperations[Name]['answer'];

/** The kind of event of each operation; null if it writes none. */
export const eventKindOf: { readonly [Name in WriteOperation]: EventKind | null } = {
  replace_allocations: 'REPLACE_ALLOCATIONS',
  claim_together: 'REPLACE_ALLOCATIONS',
  keep_answer: null,
  move_allocations: 'MOVE_ALLOCATIONS',
  release_allocations: 'RELEASE_ALLOCATIONS',
  create_resource_provider: 'CREATE_RESOURCE_PROVIDER',
  update_resource_provider: 'UPDATE_RESOURCE_PROVIDER',
  delete_resource_provider: 'DELETE_RESOURCE_PROVIDER',
  replace_inventories: 'REPLACE_INVENTORIES',
  patch_inventories: 'PATCH_INVENTORIES',
  replace_traits: 'REPLACE_TRAITS',
  patch_traits: 'PATCH_TRAITS',
  replace_aggregates: 'REPLACE_AGGREGATES',
  name_aggregate: 'NAME_AGGREGATE',
  create_trait: 'CREATE_TRAIT',
  delete_trait: 'DELETE_TRAIT',
  create_resource_class: 'CREATE_RESOURCE_CLASS',
  rename_resource_class: 'RENAME_RESOURCE_CLASS',
  delete_resource_class: 'DELETE_RESOURCE_CLASS',
  reshape: 'RESHAPE',
  apply_provider_tree: 'APPLY_PROVIDER_TREE',
  apply_report: 'APPLY_REPORT',
  report_service: 'REPORT_SERVICE',
  import_records: 'IMPORT_RECORDS',
  import_services: 'IMPORT_RECORDS',
  import_resource_providers: 'IMPORT_RESOURCE_PROVIDER',
  import_consumers: 'IMPORT_CONSUMER',
  mend_derived: null,
};
