// Turns the address of the history into the filter of GraphQL. Typing errors are reported before anything is sent.
import type { QueryState } from '../../formats/query-state.ts';
import type { EventFilterInput, EventKind } from './events.generated.ts';

export const eventKeys = ['kind', 'provider', 'consumer', 'project', 'user', 'request', 'since', 'until'] as const;

const kinds: Readonly<Record<EventKind, true>> = {
  REPLACE_ALLOCATIONS: true,
  MOVE_ALLOCATIONS: true,
  RELEASE_ALLOCATIONS: true,
  SET_EXPIRY: true,
  RELEASE_EXPIRED: true,
  REPLACE_RESERVATION: true,
  RELEASE_RESERVATION: true,
  END_RESERVATIONS: true,
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
  REPLACE_QUOTAS: true,
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

/** A moment as fields for moments have it; empty if it cannot be read. */
export const momentInField = (text: string): string => {
  const at = Date.parse(inUtc(text));
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19);
};

export interface AskedEvents {
  readonly filter: EventFilterInput;
  /** A name whose providers are to be found and added to the filter; null if there is none. */
  readonly name: string | null;
  readonly problem: string | null;
}

export function eventFilter(state: QueryState<(typeof eventKeys)[number]>): AskedEvents {
  const { kind, provider, consumer, project, user, request, since, until } = state;
  const isUnreadable = (moment: string) => moment !== '' && Number.isNaN(Date.parse(inUtc(moment)));
  const problem =
    kind !== '' && !isKind(kind)
      ? `"${kind}" is not a kind of event.`
      : consumer !== '' && !isUuid(consumer)
        ? 'Consumers have no names: give the uuid of the consumer, which is that of the server.'
        : [since, until].some(isUnreadable)
          ? 'This moment cannot be read: write it like 2026-11-21T12:00:00Z.'
          : null;
  if (problem !== null) return { filter: {}, name: null, problem };
  const moment = (text: string) => new Date(inUtc(text)).toISOString();
  return {
    filter: {
      ...(isKind(kind) && { kinds: [kind] }),
      ...(isUuid(provider) && { resourceProviders: [provider] }),
      ...(consumer !== '' && { consumers: [consumer] }),
      ...(project !== '' && { projects: [project] }),
      ...(user !== '' && { users: [user] }),
      ...(request !== '' && { requestIds: [request] }),
      ...(since !== '' && { since: moment(since) }),
      ...(until !== '' && { until: moment(until) }),
    },
    name: provider === '' || isUuid(provider) ? null : provider,
    problem: null,
  };
}
