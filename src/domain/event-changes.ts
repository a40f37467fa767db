// The changes of an event as values before and after, with a type for each noun. Knows how events store changes: for each subject the parts
// that changed, or all of them if the subject was created or deleted.
import type { ChangedNoun, ChangedSubject } from './event.ts';
import { capacityOf, type InventoryRecord } from './inventory.ts';
import { type RecordedFields, recordedFields } from './provider.ts';

/** A changed value; null where it was absent before or after. */
export interface ValueChange<Value> {
  readonly before: Value | null;
  readonly after: Value | null;
}

export type ChangeAction = 'CREATED' | 'CHANGED' | 'DELETED';

interface Change<Type extends string> {
  readonly type: Type;
  readonly action: ChangeAction;
}

export interface InventoryState extends InventoryRecord {
  readonly capacity: number;
}

export interface InventoryChange extends ValueChange<InventoryState> {
  readonly resourceClassName: string;
  /** The usage at that moment; null if unknown. */
  readonly used: number | null;
}

/** The amount of a class that a consumer holds on a provider. */
export interface AllocationChange extends ValueChange<number> {
  readonly resourceProviderUuid: string;
  readonly resourceClassName: string;
}

/** A fact kept for another service, with its values as text. */
export interface FactChange extends ValueChange<string> {
  readonly name: string;
}

type FieldChanges = { readonly [Field in keyof RecordedFields]: ValueChange<NonNullable<RecordedFields[Field]>> | null };

export interface ResourceProviderChange extends Change<'ResourceProviderChange'>, FieldChanges {
  readonly resourceProviderUuid: string;
  readonly parent: ValueChange<string> | null;
  readonly inventories: readonly InventoryChange[];
  readonly traitNamesAdded: readonly string[];
  readonly traitNamesRemoved: readonly string[];
  readonly aggregateUuidsAdded: readonly string[];
  readonly aggregateUuidsRemoved: readonly string[];
}

export interface ConsumerChange extends Change<'ConsumerChange'> {
  readonly consumerUuid: string;
  readonly generation: ValueChange<number> | null;
  readonly project: ValueChange<string> | null;
  readonly user: ValueChange<string> | null;
  readonly consumerType: ValueChange<string> | null;
  readonly expiresAt: ValueChange<string> | null;
  readonly allocations: readonly AllocationChange[];
}

export interface AggregateChange extends Change<'AggregateChange'> {
  readonly aggregateUuid: string;
  readonly name: ValueChange<string> | null;
}

export interface TraitChange extends Change<'TraitChange'> {
  readonly traitName: string;
}

export interface ResourceClassChange extends Change<'ResourceClassChange'> {
  readonly resourceClassName: string;
}

export interface ServiceChange extends Change<'ServiceChange'> {
  readonly host: string;
  /** Such as nova-compute. */
  readonly binary: string;
  readonly version: ValueChange<number> | null;
  /** All facts except the version. */
  readonly facts: readonly FactChange[];
}

export interface DeviceChange extends Change<'DeviceChange'> {
  readonly resourceProviderUuid: string;
  readonly address: string;
  readonly facts: readonly FactChange[];
}

export interface RecordChange extends Change<'RecordChange'> {
  readonly recordKind: string;
  readonly recordUuid: string;
  readonly facts: readonly FactChange[];
}

export type EventChange =
  | ResourceProviderChange
  | ConsumerChange
  | AggregateChange
  | TraitChange
  | ResourceClassChange
  | ServiceChange
  | DeviceChange
  | RecordChange;

/** The change of a provider that existed before and after, given the parts that are known. */
export function partlyChanged(key: string, parts: Partial<ResourceProviderChange>): ResourceProviderChange {
  return { ...providerChange({ noun: 'providers', key, root: null, before: {}, after: {} }), ...parts };
}

type Parts = Readonly<Record<string, unknown>>;

/** The changes of one subject. If `providers` is given, changes of allocations only on these. */
export function describeChange(changed: ChangedSubject, providers: ReadonlySet<string> | null): EventChange {
  return describers[changed.noun](changed, providers);
}

function providerChange(changed: ChangedSubject): ResourceProviderChange {
  const { key, before, after } = changed;
  const [traitNamesAdded, traitNamesRemoved] = addedAndRemoved(before, after, 'traits');
  const [aggregateUuidsAdded, aggregateUuidsRemoved] = addedAndRemoved(before, after, 'aggregates');
  return {
    type: 'ResourceProviderChange',
    action: actionOf(changed),
    resourceProviderUuid: key,
    ...(Object.fromEntries(recordedFields.map((field) => [field, changeOf(changed, field)])) as FieldChanges),
    parent: changeOf<string>(changed, 'parent'),
    inventories: inventoryChanges(changed),
    traitNamesAdded,
    traitNamesRemoved,
    aggregateUuidsAdded,
    aggregateUuidsRemoved,
  };
}

const describers: Readonly<Record<ChangedNoun, (changed: ChangedSubject, providers: ReadonlySet<string> | null) => EventChange>> = {
  providers: providerChange,
  consumers: (changed, providers) => ({
    type: 'ConsumerChange',
    action: actionOf(changed),
    consumerUuid: changed.key,
    generation: changeOf<number>(changed, 'generation'),
    project: changeOf<string>(changed, 'project'),
    user: changeOf<string>(changed, 'user'),
    consumerType: changeOf<string>(changed, 'type'),
    expiresAt: changeOf<string>(changed, 'expiresAt'),
    allocations: allocationChanges(changed).filter(({ resourceProviderUuid }) => providers?.has(resourceProviderUuid) ?? true),
  }),
  aggregates: (changed) => ({
    type: 'AggregateChange',
    action: actionOf(changed),
    aggregateUuid: changed.key,
    name: changeOf<string>(changed, 'name'),
  }),
  traits: (changed) => ({ type: 'TraitChange', action: actionOf(changed), traitName: changed.key }),
  resourceClasses: (changed) => ({ type: 'ResourceClassChange', action: actionOf(changed), resourceClassName: changed.key }),
  services: (changed) => {
    const [binary, host] = splitKey(changed.key);
    const facts = factChanges(changed).filter(({ name }) => name !== 'version');
    return { type: 'ServiceChange', action: actionOf(changed), binary, host, version: changeOf<number>(changed, 'version'), facts };
  },
  devices: (changed) => ({
    type: 'DeviceChange',
    action: actionOf(changed),
    resourceProviderUuid: rootOf(changed),
    address: changed.key,
    facts: factChanges(changed),
  }),
  records: (changed) => {
    const [recordKind, recordUuid] = splitKey(changed.key);
    return { type: 'RecordChange', action: actionOf(changed), recordKind, recordUuid, facts: factChanges(changed) };
  },
};

function actionOf({ before, after }: ChangedSubject): ChangeAction {
  return before === null ? 'CREATED' : after === null ? 'DELETED' : 'CHANGED';
}

function rootOf({ key, root }: ChangedSubject): string {
  if (root === null) throw new Error(`an event has a change of device ${key} without its provider`);
  return root;
}

/** Splits `<program> <host>` or `<kind> <uuid>`; the first part contains no space. */
function splitKey(key: string): [string, string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}

/** Null if the part did not change. */
function changeOf<Value extends string | number>({ before, after }: ChangedSubject, part: string): ValueChange<Value> | null {
  const [was, is] = [partOf<Value>(before, part), partOf<Value>(after, part)];
  return was === is ? null : { before: was, after: is };
}

function partOf<Value>(parts: Parts | null, part: string): Value | null {
  return (parts?.[part] as Value | null | undefined) ?? null;
}

/** The names added to a set, and those removed from it. */
function addedAndRemoved(before: Parts | null, after: Parts | null, part: string): [string[], string[]] {
  const was = new Set(partOf<readonly string[]>(before, part));
  const is = new Set(partOf<readonly string[]>(after, part));
  return [[...is].filter((name) => !was.has(name)), [...was].filter((name) => !is.has(name))];
}

function inventoryChanges({ before, after }: ChangedSubject): InventoryChange[] {
  type Inventories = Readonly<Record<string, InventoryRecord>>;
  const was = partOf<Inventories>(before, 'inventories') ?? {};
  const is = partOf<Inventories>(after, 'inventories') ?? {};
  return namesOf(was, is).flatMap((resourceClassName) => {
    const [old, current] = [was[resourceClassName], is[resourceClassName]];
    if (old && current && inventoryFields.every((field) => old[field] === current[field])) return [];
    return [{ resourceClassName, before: withCapacity(old), after: withCapacity(current), used: null }];
  });
}

function withCapacity(record: InventoryRecord | undefined): InventoryState | null {
  return record ? { ...record, capacity: capacityOf(record) } : null;
}

const inventoryFields = ['total', 'reserved', 'minUnit', 'maxUnit', 'stepSize', 'allocationRatio'] as const;

/** An allocation of a consumer, as events store it. */
export interface HeldAllocation {
  readonly provider: string;
  readonly resourceClass: string;
  readonly amount: number;
}

function allocationChanges({ before, after }: ChangedSubject): AllocationChange[] {
  const amounts = (parts: Parts | null) =>
    new Map(
      (partOf<readonly HeldAllocation[]>(parts, 'allocations') ?? []).map(({ provider, resourceClass, amount }) => [
        `${provider} ${resourceClass}`,
        amount,
      ]),
    );
  const [was, is] = [amounts(before), amounts(after)];
  return [...new Set([...was.keys(), ...is.keys()])].toSorted().flatMap((key) => {
    const [old = null, current = null] = [was.get(key), is.get(key)];
    const [resourceProviderUuid, resourceClassName] = splitKey(key);
    return old === current ? [] : [{ resourceProviderUuid, resourceClassName, before: old, after: current }];
  });
}

/** Facts may be nested; each is listed under its path. */
function factChanges({ before, after }: ChangedSubject): FactChange[] {
  const [was, is] = [factsOf(before), factsOf(after)];
  return namesOf(was, is).flatMap((name) => {
    const change = { name, before: was[name] ?? null, after: is[name] ?? null };
    return change.before === change.after ? [] : [change];
  });
}

function factsOf(value: unknown, path = ''): Record<string, string> {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object') return { [path]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => factsOf(inner, path === '' ? name : `${path}.${name}`)));
}

function namesOf(one: Parts, other: Parts): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
}
