// The write operations. Everything that gateway and SQL functions know about an operation is in its entry here, so there is no second list of them: SQL
// functions name the lists that they need, as `<<givingWay>>`, and are filled in when they are read (../schema/release.ts).
import type { EventKind } from '../../domain/event.ts';
import type { CompleteInventory, InventoryPatch, WithShrunk } from '../../domain/inventory.ts';
import type { BesidesTree, ChangedFields, Inventory } from '../../domain/provider.ts';
import type { StoredSettings } from '../../domain/service.ts';
import type {
  AllocationsAnswer,
  AllocationsRequest,
  Created,
  DesiredConsumer,
  DesiredReservation,
  DesiredTree,
  Expected,
  HoldingConsumer,
  Imported,
  ImportedConsumer,
  LastEnded,
  MarkOfRoots,
  OfProvider,
  OneProvider,
  PatchAnswer,
  PatchedTraits,
  ReservationAnswer,
  Selected,
  ServiceState,
  TogetherAnswer,
  TogetherRequest,
  TreeAnswer,
  WithEvent,
  Written,
} from './contract.ts';
import type { ImportedProvider, ImportedService, NewRecord } from './imported.ts';
import type { Mended, Mending } from './mending.ts';
import type { WriteKind } from './permits.ts';

interface OperationFacts {
  /** The kind of its event; null if it writes none. */
  readonly event: EventKind | null;
  /** The share of the connections that it takes. */
  readonly permit: Exclude<WriteKind, 'blocked'>;
  /**
   * What a caller who may write to some trees only may do with it. trees: name and change providers of these trees. hosts: the same, and any host that the
   * request names must be the root of such a tree, or would be. free: everything, because it changes nothing that exists. refused: nothing.
   */
  readonly owned: 'trees' | 'hosts' | 'free' | 'refused';
  /** Whether it can make a pool begin to serve hosts; their own disks then give way to it (give_way_to_pools.sql). */
  readonly givesWay: boolean;
  /** The SQL function that does it, by default that of its name. null: there is nothing to do, the answer is in the request. */
  readonly sqlFunction?: string | null;
  /** It keeps answers and undoes refused parts itself, so apply_write calls it outside the block that does both for all others. */
  readonly isBare?: true;
  /** The form of its request and answer, by default 1. A change that older gateways or functions would misread makes a new form (CONTRIBUTING.md). */
  readonly form?: number;
  /** The SQL functions that serve gateways of older releases, which send these forms. */
  readonly olderForms?: Readonly<Record<number, string>>;
}

/** `types` exists at compile time only, and carries the types of the request and the answer. */
interface Operation<Request extends object, Answer extends Written> extends OperationFacts {
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

function operation<Request extends object, Answer extends Written>(facts: OperationFacts): Operation<Request, Answer> {
  return facts;
}

/** In the order in which apply_write compares their names: claims come first. */
export const operations = {
  replace_allocations: operation<AllocationsRequest, AllocationsAnswer>({
    event: 'REPLACE_ALLOCATIONS',
    permit: 'claims',
    owned: 'trees',
    givesWay: false,
  }),
  /** Writes of consumers for several requests. Callers who may write to some trees only do not share calls. */
  claim_together: operation<TogetherRequest, TogetherAnswer>({
    event: 'REPLACE_ALLOCATIONS',
    permit: 'claims',
    owned: 'refused',
    givesWay: false,
    isBare: true,
    form: 2,
    olderForms: { 1: 'claim_together' },
  }),
  /** Stores an answer under a key, for a call that had nothing to write. */
  keep_answer: operation<{ readonly answer: Written }, Written>({
    event: null,
    permit: 'claims',
    owned: 'free',
    givesWay: false,
    sqlFunction: null,
  }),
  move_allocations: operation<AllocationsRequest, AllocationsAnswer>({
    event: 'MOVE_ALLOCATIONS',
    permit: 'claims',
    owned: 'trees',
    givesWay: false,
    sqlFunction: 'replace_allocations',
  }),
  release_allocations: operation<AllocationsRequest, AllocationsAnswer>({
    event: 'RELEASE_ALLOCATIONS',
    permit: 'claims',
    owned: 'trees',
    givesWay: false,
    sqlFunction: 'replace_allocations',
  }),
  set_expiry: operation<{ readonly consumers: readonly DesiredConsumer[] }, WithEvent & { readonly consumers: readonly HoldingConsumer[] }>(
    {
      event: 'SET_EXPIRY',
      permit: 'claims',
      owned: 'trees',
      givesWay: false,
    },
  ),
  /** Only gateways call it. */
  release_expired: operation<
    { readonly most: number; readonly skip: number; readonly until: string | null; readonly waitsFor?: string },
    WithEvent & {
      readonly found: number;
      readonly released: number;
      readonly more: boolean;
      readonly until: string;
      readonly busy: string | null;
    }
  >({
    event: 'RELEASE_EXPIRED',
    permit: 'claims',
    owned: 'refused',
    givesWay: false,
  }),
  replace_reservation: operation<
    { readonly reservation: DesiredReservation; readonly expect: Expected; readonly most: number },
    ReservationAnswer
  >({
    event: 'REPLACE_RESERVATION',
    permit: 'claims',
    owned: 'refused',
    givesWay: false,
  }),
  release_reservation: operation<{ readonly reservation: string; readonly expect: Expected }, WithEvent>({
    event: 'RELEASE_RESERVATION',
    permit: 'claims',
    owned: 'refused',
    givesWay: false,
  }),
  /** Only gateways call it. */
  end_reservations: operation<
    { readonly most: number; readonly after?: LastEnded | null; readonly until: string | null },
    WithEvent & { readonly ended: number; readonly last: LastEnded | null }
  >({
    event: 'END_RESERVATIONS',
    permit: 'claims',
    owned: 'refused',
    givesWay: false,
  }),
  create_resource_provider: operation<
    ChangedFields & { readonly uuid: string; readonly name: string; readonly parent: string | null; readonly ensure: boolean },
    OneProvider & Created
  >({ event: 'CREATE_RESOURCE_PROVIDER', permit: 'forest', owned: 'trees', givesWay: false }),
  update_resource_provider: operation<
    OfProvider &
      ChangedFields & {
        readonly parent?: string | null;
        readonly keepParent?: boolean | undefined;
        readonly keepGeneration?: boolean | undefined;
      },
    OneProvider
  >({ event: 'UPDATE_RESOURCE_PROVIDER', permit: 'forest', owned: 'trees', givesWay: true }),
  delete_resource_provider: operation<
    OfProvider & { readonly wholeTree?: true; readonly record?: string; readonly consumers?: readonly DesiredConsumer[] },
    WithEvent
  >({ event: 'DELETE_RESOURCE_PROVIDER', permit: 'forest', owned: 'trees', givesWay: false }),
  replace_inventories: operation<
    OfProvider & {
      readonly inventories?: readonly CompleteInventory[];
      readonly keepOthers?: boolean;
      readonly exists?: boolean | undefined;
      readonly remove?: string;
    },
    OneProvider & WithShrunk & { readonly inventories: Readonly<Record<string, readonly Inventory[]>> }
  >({ event: 'REPLACE_INVENTORIES', permit: 'providers', owned: 'trees', givesWay: true }),
  patch_inventories: operation<
    Selected & { readonly expect?: Expected; readonly resourceClass: string; readonly patch: InventoryPatch },
    PatchAnswer
  >({ event: 'PATCH_INVENTORIES', permit: 'providers', owned: 'trees', givesWay: true }),
  replace_traits: operation<OfProvider & { readonly traits: readonly string[] }, OneProvider>({
    event: 'REPLACE_TRAITS',
    permit: 'providers',
    owned: 'trees',
    givesWay: true,
  }),
  patch_traits: operation<
    Selected & { readonly added: readonly string[]; readonly removed: readonly string[]; readonly most: number },
    PatchedTraits
  >({ event: 'PATCH_TRAITS', permit: 'providers', owned: 'trees', givesWay: true }),
  replace_aggregates: operation<
    OfProvider & { readonly aggregates: readonly string[]; readonly keepGeneration?: boolean | undefined },
    OneProvider
  >({ event: 'REPLACE_AGGREGATES', permit: 'providers', owned: 'trees', givesWay: true }),
  name_aggregate: operation<{ readonly aggregate: string; readonly name: string | null }, WithEvent>({
    event: 'NAME_AGGREGATE',
    permit: 'names',
    owned: 'refused',
    givesWay: false,
  }),
  create_trait: operation<{ readonly name: string; readonly mustBeNew?: boolean }, Created>({
    event: 'CREATE_TRAIT',
    permit: 'names',
    owned: 'free',
    givesWay: false,
  }),
  delete_trait: operation<{ readonly name: string }, WithEvent>({
    event: 'DELETE_TRAIT',
    permit: 'names',
    owned: 'refused',
    givesWay: false,
  }),
  create_resource_class: operation<{ readonly name: string; readonly mustBeNew?: boolean }, Created>({
    event: 'CREATE_RESOURCE_CLASS',
    permit: 'names',
    owned: 'free',
    givesWay: false,
  }),
  rename_resource_class: operation<{ readonly from: string; readonly name: string }, WithEvent>({
    event: 'RENAME_RESOURCE_CLASS',
    permit: 'names',
    owned: 'refused',
    givesWay: false,
  }),
  delete_resource_class: operation<{ readonly name: string }, WithEvent>({
    event: 'DELETE_RESOURCE_CLASS',
    permit: 'names',
    owned: 'refused',
    givesWay: false,
  }),
  reshape: operation<
    {
      readonly providers: readonly (OfProvider & { readonly inventories: readonly CompleteInventory[] })[];
      readonly consumers: readonly DesiredConsumer[];
    },
    Omit<AllocationsAnswer, 'touched'> & WithShrunk
  >({ event: 'RESHAPE', permit: 'forest', owned: 'trees', givesWay: true }),
  apply_provider_tree: operation<DesiredTree, TreeAnswer>({
    event: 'APPLY_PROVIDER_TREE',
    permit: 'forest',
    owned: 'trees',
    givesWay: true,
  }),
  apply_report: operation<(DesiredTree | { readonly root: string }) & BesidesTree, TreeAnswer>({
    event: 'APPLY_REPORT',
    permit: 'providers',
    owned: 'trees',
    givesWay: true,
  }),
  report_service: operation<
    ServiceState & Readonly<Record<'host' | 'program' | 'minimumOf', string>> & { readonly mark?: MarkOfRoots; readonly mustExist?: true },
    WithEvent & { readonly changed: boolean; readonly minimum?: number | null }
  >({ event: 'REPORT_SERVICE', permit: 'providers', owned: 'hosts', givesWay: false }),
  replace_settings: operation<{ readonly record: NewRecord; readonly expect: Expected }, WithEvent & { readonly record: StoredSettings }>({
    event: 'REPLACE_SETTINGS',
    permit: 'names',
    owned: 'refused',
    givesWay: false,
  }),
  replace_quotas: operation<{ readonly record: NewRecord; readonly expect: Expected }, WithEvent & { readonly record: StoredSettings }>({
    event: 'REPLACE_QUOTAS',
    permit: 'names',
    owned: 'refused',
    givesWay: false,
  }),
  import_records: operation<{ readonly records: readonly NewRecord[] }, Imported>({
    event: 'IMPORT_RECORDS',
    permit: 'providers',
    owned: 'hosts',
    givesWay: true,
  }),
  import_services: operation<{ readonly services: readonly ImportedService[] }, Imported>({
    event: 'IMPORT_RECORDS',
    permit: 'providers',
    owned: 'trees',
    givesWay: false,
  }),
  import_resource_providers: operation<{ readonly providers: readonly ImportedProvider[] }, Imported>({
    event: 'IMPORT_RESOURCE_PROVIDER',
    permit: 'forest',
    owned: 'trees',
    givesWay: true,
  }),
  drop_reserved_amounts: operation<{ readonly provider: string; readonly resourceClass: string | null }, WithEvent>({
    event: 'IMPORT_RESOURCE_PROVIDER',
    permit: 'forest',
    owned: 'trees',
    givesWay: false,
  }),
  import_consumers: operation<{ readonly consumers: readonly ImportedConsumer[] }, Imported>({
    event: 'IMPORT_CONSUMER',
    permit: 'claims',
    owned: 'trees',
    givesWay: false,
  }),
  mend_derived: operation<Mending, Written & { readonly mended: Mended }>({
    event: null,
    permit: 'forest',
    owned: 'trees',
    givesWay: false,
  }),
};

export type WriteOperation = keyof typeof operations;
type TypesOf<Name extends WriteOperation> = NonNullable<(typeof operations)[Name]['types']>;
export type RequestOf<Name extends WriteOperation> = TypesOf<Name>['request'];
export type AnswerOf<Name extends WriteOperation> = TypesOf<Name>['answer'];

const all: readonly (readonly [name: string, facts: OperationFacts])[] = Object.entries(operations);

/** The name by which apply_write knows an operation in one of its forms: a function that does not serve the form does not know the name. */
const formName = (name: string, form: number) => (form === 1 ? name : `${name}.${form}`);

/** What a gateway of this release sends. */
export function sentName(operation: WriteOperation): string {
  const { form = 1 }: OperationFacts = operations[operation];
  return formName(operation, form);
}

/** All names that apply_write serves for an operation, each with the SQL function that does it. */
function served(
  name: string,
  { form = 1, olderForms = {}, sqlFunction = name }: OperationFacts,
): (readonly [name: string, by: string | null])[] {
  const older = Object.entries(olderForms).map(([old, by]) => [formName(name, Number(old)), by] as const);
  return [[formName(name, form), sqlFunction], ...older];
}

const namesWhere = (holds: (facts: OperationFacts) => boolean) =>
  all.flatMap(([name, facts]) => (holds(facts) ? served(name, facts).map(([own]) => `'${own}'`) : [])).join(', ');

/** The branches of a case statement, one for each expression: each is planned once. */
function branches(holds: (facts: OperationFacts) => boolean, toStatement: (expression: string) => string): string {
  const names = new Map<string, string[]>();
  for (const [name, facts] of all) {
    if (!holds(facts)) continue;
    for (const [own, by] of served(name, facts)) {
      const expression = by === null ? `request -> 'answer'` : `${by}(request)`;
      names.set(expression, [...(names.get(expression) ?? []), `'${own}'`]);
    }
  }
  return [...names].map(([expression, own]) => `when ${own.join(', ')} then ${toStatement(expression)};`).join('\n      ');
}

/** The text for each `<<name>>` in a SQL function. */
const inSql: Readonly<Record<string, string>> = {
  runBare: branches(
    ({ isBare = false }) => isBare,
    (expression) => `return ${expression}`,
  ),
  runInBlock: branches(
    ({ isBare = false }) => !isBare,
    (expression) => `result := ${expression}`,
  ),
  givingWay: namesWhere(({ givesWay }) => givesWay),
  ownedFree: namesWhere(({ owned }) => owned === 'free'),
  ownedRefused: namesWhere(({ owned }) => owned === 'refused'),
  ownedHosts: namesWhere(({ owned }) => owned === 'hosts'),
};

/** Fills in each `<<name>>` of a SQL function, from here or from other lists. Throws for an unknown name. */
export function withOperations(statements: string, others: Readonly<Record<string, string>>): string {
  return statements.replace(/<<(\w+)>>/g, (mark, name: string) => {
    const text = inSql[name] ?? others[name];
    if (text === undefined) throw new Error(`a SQL function has ${mark}, which is unknown`);
    return text;
  });
}
