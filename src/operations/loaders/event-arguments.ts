// Parses and checks the arguments of lists of events. Knows no request.
import { type EventFilter, orderOfEvents } from '../../db/events.ts';
import type { EventKind, LedgerEvent } from '../../domain/event.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { PageArguments } from '../../domain/page.ts';
import { InputCheck } from '../request/input.ts';
import { nameForProject } from '../request/order.ts';

export interface EventFilterInput {
  readonly kinds?: Optional<readonly (EventKind | 'OTHER')[]>;
  readonly resourceProviders?: Optional<readonly string[]>;
  readonly inTrees?: Optional<readonly string[]>;
  readonly aggregates?: Optional<readonly string[]>;
  readonly consumers?: Optional<readonly string[]>;
  readonly projects?: Optional<readonly string[]>;
  readonly users?: Optional<readonly string[]>;
  readonly requestIds?: Optional<readonly string[]>;
  readonly resourceClasses?: Optional<readonly string[]>;
  readonly traits?: Optional<readonly string[]>;
  readonly since?: Optional<string>;
  readonly until?: Optional<string>;
}

export interface EventArguments extends PageArguments {
  readonly filter?: Optional<EventFilterInput>;
  /** Newest first when omitted. */
  readonly direction?: Optional<'ASC' | 'DESC'>;
}

const maxEntries = limits.eventFilterKeys;

/** Identifies the list and its order for cursors, which is that of a project if one is given. */
export function eventOrder(direction: EventArguments['direction'], project: string | null) {
  const descending = direction !== 'ASC';
  return { name: nameForProject(`events ${descending ? 'DESC' : 'ASC'}`, project), order: orderOfEvents(descending, project), descending };
}

/** The conditions in the form of the database layer. Refuses INVALID_INPUT. */
export function parseEventFilter(input: Optional<EventFilterInput>): EventFilter {
  if (!input) return {};
  const { kinds, resourceProviders, inTrees, aggregates, consumers, projects, users, requestIds, resourceClasses, traits, since, until } =
    input;
  const check = new InputCheck();
  for (const [name, entries] of Object.entries({
    kinds,
    resourceProviders,
    inTrees,
    aggregates,
    consumers,
    projects,
    users,
    requestIds,
    resourceClasses,
    traits,
  }))
    if (entries) check.size(['filter', name], entries, 0, maxEntries);
  for (const [name, texts] of Object.entries({ projects, users, requestIds, traits })) check.texts(['filter', name], texts);
  for (const [index, name] of (resourceClasses ?? []).entries()) check.className(['filter', 'resourceClasses', index], name);
  check.done();
  return {
    ...(kinds && { kinds: kinds as readonly EventKind[] }),
    ...(resourceProviders && { resourceProviders }),
    ...(inTrees && { trees: inTrees }),
    ...(aggregates && { aggregates }),
    ...(consumers && { consumers }),
    ...(projects && { projects }),
    ...(users && { users }),
    ...(requestIds && { requestIds }),
    ...(resourceClasses && { resourceClasses }),
    ...(traits && { traits }),
    ...(since && { since: new Date(since) }),
    ...(until && { until: new Date(until) }),
  };
}

/** Events that a filter has let through show only changes of the subjects that it names, if it names any. */
export function underFilter<Event extends LedgerEvent>(filter: EventFilter, events: Event[]): Event[] {
  const { kinds, users, requestIds, since, until, ...named } = filter;
  return Object.keys(named).length === 0 ? events : events.map((event) => ({ ...event, named }));
}

/** The contract has no total count of events: the ledger is too long to count. */
export function refuseCount(): Promise<never> {
  return Promise.reject(new Error('events are not counted'));
}
