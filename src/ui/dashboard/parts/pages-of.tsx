// Long lists, page by page: the pages read so far as one list, and the button for the next page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../data/ask.ts';
import { useAsked } from '../data/asked.ts';
import type { TypedDocument } from '../data/document.ts';
import type { Reading } from '../data/queries.ts';

interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly totalCount?: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The pages of the list that `pick` finds in each answer; a missing list has none. */
export function usePages<Answer, Node, Variables extends object>(
  document: TypedDocument<Answer, Variables>,
  variables: Omit<Variables, 'after'> & Variables,
  pick: (answer: Answer) => Connection<Node> | null | undefined,
) {
  useAsked(document, variables);
  const query = useInfiniteQuery({
    queryKey: [document.name, variables],
    queryFn: ({ pageParam, signal }) => ask<Answer, Variables>(document, { ...variables, after: pageParam }, signal),
    initialPageParam: null as string | null,
    // A list in view does not move by itself.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    getNextPageParam: (last: Answer) => {
      const connection = pick(last);
      return connection?.pageInfo.hasNextPage ? connection.pageInfo.endCursor : null;
    },
  });
  const { data, error, dataUpdatedAt, refetch } = query;
  const read: Reading<readonly Node[]> = { data: data?.pages.flatMap((page) => pick(page)?.nodes ?? []), error, dataUpdatedAt, refetch };
  return {
    query: read,
    first: data?.pages[0],
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isReading: query.isFetchingNextPage,
  };
}

export function More({ more, isReading }: { readonly more: (() => void) | null; readonly isReading: boolean }) {
  if (more === null) return null;
  return (
    <p>
      <button type="button" onClick={more} disabled={isReading}>
        {isReading ? 'Reading …' : 'Show more'}
      </button>
    </p>
  );
}
