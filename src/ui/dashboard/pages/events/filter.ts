// Turns the address of the history into the filter of GraphQL. Typing errors are reported before anything is sent.
import type { QueryState } from '../../formats/query-state.ts';
import type { EventFilterInput, EventKind } from './events.generated.ts';

export const eventKeys = ['kind', 'provider', 'consumer', 'project', 'user', 'request', 'until'] as const;

const kinds: Readonly<Record<EventKind, true>> = {
  REPLACE_ALLOCATIONS: true,
  MOVE_ALLOCATIONS: true,
  RELEASE_ALLOCATIONS: true,
  CREATE_RESOURCE_PROVIDER: true,
  UPDATE_RESOURCE_PROVIDER: true,
  DELETE_RESOURCE_PROVIDER: true,
  REPLACE_INVENTORIES: true,
  PATCH_INVENTORIES: true,
  REPLACE_TRAITS: true,
  PATCH_TRAITS: true,
  REPLACE_AGGREGATES: true,
  NAME_AGGREGATE: true,
  CREATE_TRAIT: true,
  DELETE_TRAIT: true,
  CREATE_RESOURCE_CLASS: true,
  RENAME_RESOURCE_CLASS: true,
  DELETE_RESOURCE_CLASS: true,
  RESHAPE: true,
  APPLY_PROVIDER_TREE: true,
  APPLY_REPORT: true,
  REPORT_SERVICE: true,
  REPLACE_SETTINGS: true,
  IMPORT_RECORDS: true,
  IMPORT_RESOURCE_PROVIDER: true,
  IMPORT_CONSUMER: true,
  OTHER: true,
};
const isKind = (text: string): text is EventKind => Object.hasOwn(kinds, text);
export const eventKinds = Object.keys(kinds).filter(isKind);

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);

/** A moment without a zone is in UTC, like all moments on the page. */
const inUtc = (text: string) => (/T[\d:.]+$/.test(text) ? `${text}Z` : text);

export function eventFilter(state: QueryState<(typeof eventKeys)[number]>): {
  readonly filter: EventFilterInput;
  readonly problem: string | null;
} {
  const { kind, provider, consumer, project, user, request, until } = state;
  const problem =
    kind !== '' && !isKind(kind)
      ? `"${kind}" is not a kind of event.`
      : [provider, consumer].some((uuid) => uuid !== '' && !isUuid(uuid))
        ? 'Name providers and consumers by their uuids here.'
        : until !== '' && Number.isNaN(Date.parse(inUtc(until)))
          ? 'This moment cannot be read: write it like 2026-11-21T12:00:00Z.'
          : null;
  if (problem !== null) return { filter: {}, problem };
  return {
    filter: {
      ...(isKind(kind) && { kinds: [kind] }),
      ...(provider !== '' && { resourceProviders: [provider] }),
      ...(consumer !== '' && { consumers: [consumer] }),
      ...(project !== '' && { projects: [project] }),
      ...(user !== '' && { users: [user] }),
      ...(request !== '' && { requestIds: [request] }),
      ...(until !== '' && { until: new Date(inUtc(until)).toISOString() }),
    },
    problem: null,
  };
}
