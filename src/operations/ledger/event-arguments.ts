// How events are asked for: the arguments of their lists, read and checked. Knows no request.
import { type EventFilter, eventOrder } from '../../db/events.ts';
import { parseKeysetPage } from '../../db/sql/keyset.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { EventKind } from '../../domain/event.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { PageArguments } from '../../domain/page.ts';
import { InputCheck } from '../request/input.ts';

export interface EventFilterInput {
  readonly kinds?: Optional<readonly (EventKind | 'OTHER')[]>;
  readonly resourceProviders?: Optional<readonly string[]>;
  readonly inTrees?: Optional<readonly string[]>;
  readonly consumers?: Optional<readonly string[]>;
  readonly projects?: Optional<readonly string[]>;
  readonly users?: Optional<readonly string[]>;
  readonly requestIds?: Optional<readonly string[]>;
  readonly resourceClasses?: Optional<readonly string[]>;
  readonly since?: Optional<string>;
  readonly until?: Optional<string>;
}

export interface EventArguments extends PageArguments {
  readonly filter?: Optional<EventFilterInput>;
  readonly orderBy?: Optional<readonly { readonly field: 'AT'; readonly direction?: 'ASC' | 'DESC' }[]>;
}

const mostEntries = limits.eventFilterKeys;

/** Which page of which list, in which order. Refuses INVALID_INPUT. */
export function parseEventPage({ first, after, last, before, orderBy }: EventArguments) {
  if (orderBy && orderBy.length > 1) throw invalidInput(['orderBy', '1'], 'orderBy has one element at most: no two events are alike in AT');
  const [order] = orderBy ?? [];
  const descending = order === undefined || order.direction === 'DESC';
  const list = descending ? 'events' : 'events oldest first';
  return { page: parseKeysetPage({ first, after, last, before }, list, eventOrder(descending)), list, descending };
}

/** The conditions as the database takes them. Refuses INVALID_INPUT. */
export function parseEventFilter(input: Optional<EventFilterInput>): EventFilter {
  if (!input) return {};
  const { kinds, resourceProviders, inTrees, consumers, projects, users, requestIds, resourceClasses, since, until } = input;
  const check = new InputCheck();
  for (const [name, entries] of Object.entries({
    kinds,
    resourceProviders,
    inTrees,
    consumers,
    projects,
    users,
    requestIds,
    resourceClasses,
  }))
    if (entries) check.size(['filter', name], entries, 0, mostEntries);
  for (const [name, texts] of Object.entries({ projects, users, requestIds })) check.texts(['filter', name], texts);
  for (const [index, name] of (resourceClasses ?? []).entries()) check.className(['filter', 'resourceClasses', index], name);
  check.done();
  return {
    ...(kinds && { kinds: kinds as readonly EventKind[] }),
    ...(resourceProviders && { resourceProviders }),
    ...(inTrees && { trees: inTrees }),
    ...(consumers && { consumers }),
    ...(projects && { projects }),
    ...(users && { users }),
    ...(requestIds && { requestIds }),
    ...(resourceClasses && { resourceClasses }),
    ...(since && { since: new Date(since) }),
    ...(until && { until: new Date(until) }),
  };
}

/** The contract has no total for events: the ledger is too long to count. */
export function neverCounted(): Promise<number> {
  return Promise.reject(new Error('events are not counted'));
}
