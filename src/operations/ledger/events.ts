// What may be asked about the ledger: events under conditions, and what one of them changed, field by field.

import { type EventFilter, eventOrder, selectEvents } from '../../db/events.ts';
import { parseKeysetPage } from '../../db/sql/keyset.ts';
import type { LedgerEvent, SubjectChange } from '../../domain/event.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { type PageArguments, renderPage } from '../../domain/page.ts';
import { checkNames } from '../allocations/consumer-filter.ts';
import { neverCounted } from '../allocations/consumer-loaders.ts';
import { InputCheck } from '../request/input.ts';
import type { EventPage } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';

export interface EventArguments extends PageArguments {
  readonly providers?: Optional<readonly string[]>;
  readonly consumers?: Optional<readonly string[]>;
  readonly projects?: Optional<readonly string[]>;
  readonly kinds?: Optional<readonly string[]>;
  readonly since?: Optional<string>;
}

const mostEntries = limits.eventFilterKeys;

/** Events that meet all conditions, newest first. Refuses INVALID_INPUT. */
export async function listEvents({ db }: RequestScope, args: EventArguments): Promise<EventPage> {
  const { providers, consumers, projects, kinds, since } = args;
  const list = 'events';
  const page = parseKeysetPage({ first: args.first, after: args.after }, list, eventOrder);
  const check = new InputCheck();
  for (const [name, entries] of Object.entries({ providers, consumers, projects, kinds }))
    if (entries) check.size([name], entries, 0, mostEntries);
  for (const [name, texts] of Object.entries({ projects, kinds })) checkNames(check, [name], texts);
  check.done();
  const filter: EventFilter = {
    ...(providers && { providers }),
    ...(consumers && { consumers }),
    ...(projects && { projects }),
    ...(kinds && { kinds }),
    ...(since && { since: new Date(since) }),
  };
  return renderPage(page, await selectEvents(db, filter, page), list, ({ id }) => [id], neverCounted);
}

/** A page of what was written about a provider or consumer; the same for many is one statement. Refuses INVALID_INPUT. */
export function listEventsOfSubject({ loaders }: RequestScope, subject: string, { first, after }: PageArguments): Promise<EventPage> {
  return loaders.eventPageBySubject({ first, after }).load(subject);
}

/** One field of one provider or consumer, or a name that came or went. Values are JSON; null where there is none. */
export interface FieldChange {
  readonly provider: string | null;
  readonly consumer: string | null;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What an event changed, field by field: inventories class by class, every other part of a subject whole. */
export function listChanges({ changes }: LedgerEvent): FieldChange[] {
  const {
    providers = {},
    consumers = {},
    aggregates = {},
    traits = {},
    resourceClasses = {},
    services = {},
    devices = {},
    records = {},
  } = changes;
  return [
    ...Object.entries(providers).flatMap(([provider, change]) => fieldsOf(change).map((field) => ({ provider, consumer: null, ...field }))),
    ...Object.entries(consumers).flatMap(([consumer, change]) => fieldsOf(change).map((field) => ({ provider: null, consumer, ...field }))),
    ...partsOf('aggregate', Object.values(aggregates)),
    ...namesOf('trait', traits),
    ...namesOf('resourceClass', resourceClasses),
    ...partsOf('service', Object.values(services)),
    ...Object.entries(devices).flatMap(([address, change]) => partsOf(`device.${address}`, [change])),
    ...partsOf('record', Object.values(records)),
  ];
}

type Values = Pick<FieldChange, 'field' | 'before' | 'after'>;
type Parts = Readonly<Record<string, unknown>>;

function fieldsOf({ before, after }: SubjectChange): Values[] {
  const { inventories: inventoriesBefore, ...partsBefore } = before ?? {};
  const { inventories: inventoriesAfter, ...partsAfter } = after ?? {};
  return [
    ...differences(partsBefore, partsAfter),
    ...differences((inventoriesBefore ?? {}) as Parts, (inventoriesAfter ?? {}) as Parts, 'inventories.'),
  ];
}

function differences(before: Parts, after: Parts, prefix = ''): Values[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((part) => ({ field: prefix + part, before: jsonOf(before[part]), after: jsonOf(after[part]) }))
    .filter((change) => change.before !== change.after);
}

/** What is neither a provider nor a consumer, part by part. */
function partsOf(noun: string, changes: readonly SubjectChange[]): FieldChange[] {
  return changes.flatMap((change) =>
    fieldsOf(change).map(({ field, ...values }) => ({ provider: null, consumer: null, field: `${noun}.${field}`, ...values })),
  );
}

/** A trait or class has no parts: it came or went. */
function namesOf(field: string, changes: Readonly<Record<string, SubjectChange>>): FieldChange[] {
  return Object.entries(changes).map(([name, { before, after }]) => ({
    provider: null,
    consumer: null,
    field,
    before: before && jsonOf(name),
    after: after && jsonOf(name),
  }));
}

/** The database writes the keys of an object in one order, so equal values have equal texts. */
function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
