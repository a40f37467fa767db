// How much was written since a list was read: lists do not move under the pointer, they say that there is something new.
import { useEffect, useRef, useState } from 'react';
import type { TypedDocument } from './document.ts';
import { News, type NewsSubscriptionVariables, OwnNews } from './live.generated.ts';
import { liveStore } from './live.ts';
import { queryClient } from './queries.ts';
import { useStore } from './store.ts';
import { follow } from './stream.ts';

export interface NewsCount {
  readonly count: number;
  /** Whether the count is not known, because events are missing in between. */
  readonly isUnknown: boolean;
  /** Reads the list anew. */
  readonly show: () => void;
}

type Filter = NonNullable<NewsSubscriptionVariables['filter']>;

/** Counts the writes that meet a filter. Those who see only their own project have no cursors: what is written while the socket is lost is not counted. */
export function useNews({ name }: Pick<TypedDocument<unknown, unknown>, 'name'>, filter: Filter, reach: 'cloud' | 'project'): NewsCount {
  const { isPaused } = useStore(liveStore);
  const [{ count, isUnknown }, setNews] = useState({ count: 0, isUnknown: false });
  const cursor = useRef<string | null>(null);
  const condition = JSON.stringify(filter);
  useEffect(() => {
    if (isPaused) return;
    const take = ({ omittedCount, reset }: { readonly omittedCount: number; readonly reset: boolean }) => {
      if (omittedCount > 0 || reset) setNews((known) => ({ count: known.count + omittedCount, isUnknown: known.isUnknown || reset }));
    };
    if (reach === 'project') {
      return follow({ document: OwnNews, variables: () => ({ filter: JSON.parse(condition) }), onMessage: ({ events }) => take(events) });
    }
    return follow({
      document: News,
      variables: () => ({ after: cursor.current, filter: JSON.parse(condition) }),
      onMessage: ({ events }) => {
        cursor.current = events.cursor;
        take(events);
      },
    });
  }, [isPaused, condition, reach]);
  const show = () => {
    setNews({ count: 0, isUnknown: false });
    void queryClient.resetQueries({ queryKey: [name] });
  };
  return { count, isUnknown, show };
}
