// Counts what was written since a list was read: lists do not move under the pointer, but say that there is something new.
import { useEffect, useRef, useState } from 'react';
import type { TypedDocument } from './document.ts';
import { News, type NewsSubscriptionVariables, OwnNews } from './live.generated.ts';
import { liveStore } from './live.ts';
import { queryClient } from './queries.ts';
import { useStore } from './store.ts';
import { follow } from './stream.ts';

export interface NewsCount {
  readonly count: number;
  /** Whether the count is unknown, because events in between are missing. */
  readonly isUnknown: boolean;
  /** Reads the list anew. */
  readonly show: () => void;
}

type Filter = NonNullable<NewsSubscriptionVariables['filter']>;

/**
 * Counts the writes that match a filter. If the stream has no cursor to continue from, the list is read again when the stream begins, so that no write in between
 * is missed: at first, and after every loss for callers who see only their own project.
 */
export function useNews({ name }: Pick<TypedDocument<unknown, unknown>, 'name'>, filter: Filter, reach: 'cloud' | 'project'): NewsCount {
  const { isPaused } = useStore(liveStore);
  const [{ count, isUnknown }, setNews] = useState({ count: 0, isUnknown: false });
  const cursor = useRef<string | null>(null);
  const condition = JSON.stringify(filter);
  useEffect(() => {
    if (isPaused) return;
    // An older gateway refuses kinds that it does not know. Then all writes count.
    const asked = (isRefused: boolean): Filter => ({ ...JSON.parse(condition), ...(isRefused && { kinds: null }) });
    const readAgain = () => void queryClient.invalidateQueries({ queryKey: [name] });
    const take = ({ omittedCount, reset }: { readonly omittedCount: number; readonly reset: boolean }) => {
      if (omittedCount > 0 || reset) setNews((known) => ({ count: known.count + omittedCount, isUnknown: known.isUnknown || reset }));
    };
    if (reach === 'project') {
      let hasBegun = false;
      return follow({
        document: OwnNews,
        variables: (isRefused) => {
          hasBegun = false;
          return { filter: asked(isRefused) };
        },
        onMessage: ({ events }) => {
          if (!hasBegun) readAgain();
          hasBegun = true;
          take(events);
        },
      });
    }
    return follow({
      document: News,
      variables: (isRefused) => ({ after: cursor.current, filter: asked(isRefused) }),
      onMessage: ({ events }) => {
        if (cursor.current === null) readAgain();
        cursor.current = events.cursor;
        take(events);
      },
    });
  }, [isPaused, condition, reach, name]);
  const show = () => {
    setNews({ count: 0, isUnknown: false });
    void queryClient.resetQueries({ queryKey: [name] });
  };
  return { count, isUnknown, show };
}
