// How pages read: one client for all of them, which retries lost queries and keeps old answers in view.
import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { AskError, ask } from './ask.ts';
import { useAsked } from './asked.ts';
import type { TypedDocument } from './document.ts';
import { Store } from './store.ts';

/** The state of a query: the result of useAsk, or of several pages. */
export interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

const attempts = 3;

/** Milliseconds until the next attempt, after so many failures before. */
export const retryPause = (failures: number): number => Math.min(500 * 2 ** failures, 15_000) * (0.5 + Math.random() / 2);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A gateway on this machine is reachable without a network.
      networkMode: 'always',
      staleTime: 5000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => error instanceof AskError && error.trouble === 'lost' && failures < attempts,
      retryDelay: retryPause,
      // Retries until the gateway is back. Other failures stay.
      refetchInterval: ({ state: { error } }) => (error instanceof AskError && error.trouble === 'lost' ? 5000 : false),
    },
  },
});

/** Since when something in view is too old, because asking for it again failed; null if nothing is. */
export const oldStore = new Store<Date | null>(null);

const cache = queryClient.getQueryCache();
cache.subscribe(() => {
  const isOld = cache.findAll({ type: 'active' }).some(({ state: { data, error } }) => data !== undefined && error !== null);
  if (isOld !== (oldStore.get() !== null)) oldStore.set(isOld ? new Date() : null);
});

interface AskOptions<Variables> {
  /** False while the variables are not known. */
  readonly enabled?: boolean;
  /** Whether the answer to the previous variables stays in view until the next one is there: for lists that are filtered while typing. Or for which previous ones. */
  readonly keepsPrevious?: boolean | ((previous: Variables) => boolean);
  /** Asks again at this interval while the page is in view. */
  readonly everySeconds?: number;
  /** Whether the answer is about the past, which does not change: it is asked once. */
  readonly isPast?: boolean;
  /** True for queries of every page, which are not listed as the GraphQL of a page. */
  readonly isAside?: boolean;
}

/** The answer to a document, asked again when it is old and in view. */
export function useAsk<Answer, Variables extends object>(
  document: TypedDocument<Answer, Variables>,
  variables: Variables,
  { enabled = true, keepsPrevious = false, everySeconds, isPast = false, isAside = false }: AskOptions<Variables> = {},
): UseQueryResult<Answer> {
  useAsked(document, variables, enabled && !isAside);
  return useQuery<Answer>({
    ...questionOf(document, variables),
    enabled,
    ...(everySeconds !== undefined && { refetchInterval: everySeconds * 1000, staleTime: (everySeconds * 1000) / 2 }),
    ...(isPast && { staleTime: Number.POSITIVE_INFINITY }),
    ...(keepsPrevious === true && { placeholderData: keepPreviousData }),
    ...(typeof keepsPrevious === 'function' && {
      placeholderData: (data, query) => (query && keepsPrevious(query.queryKey[1] as Variables) ? data : undefined),
    }),
  });
}

/** Asks before the component that needs the answer is drawn. That component then finds the answer, or waits for the same one. */
export function askAhead<Answer, Variables extends object>(document: TypedDocument<Answer, Variables>, variables: Variables): void {
  void queryClient.prefetchQuery(questionOf(document, variables));
}

/** Asks everything again: another person may have signed in. */
export function askAllAgain(): void {
  void queryClient.refetchQueries();
}

const questionOf = <Answer, Variables extends object>(document: TypedDocument<Answer, Variables>, variables: Variables) => ({
  queryKey: [document.name, variables],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(document, variables, signal),
});
