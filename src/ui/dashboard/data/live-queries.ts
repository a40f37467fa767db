// Answers that are asked for again when something was written that concerns them. A page never moves under the pointer more than once in a while.
import { useEffect } from 'react';
import type { TypedDocument } from './document.ts';
import { Writes, type WritesSubscriptionVariables } from './live.generated.ts';
import { liveStore } from './live.ts';
import { queryClient } from './queries.ts';
import { useStore } from './store.ts';
import { follow } from './stream.ts';

/** Milliseconds between two questions, however much is written; also long enough for a stream that has returned to begin. */
const pause = 2000;

/** Asks the documents again, whatever their variables, after writes that meet the filter; all when it is empty. */
export function useAskAgain(
  documents: readonly Pick<TypedDocument<unknown, unknown>, 'name'>[],
  filter: NonNullable<WritesSubscriptionVariables['filter']> = {},
): void {
  const { isPaused } = useStore(liveStore);
  const names = documents.map(({ name }) => name).join();
  const condition = JSON.stringify(filter);
  useEffect(() => {
    if (isPaused) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const askAgain = () => {
      timer = null;
      for (const name of names.split(',')) void queryClient.invalidateQueries({ queryKey: [name] });
    };
    const askSoon = () => {
      timer ??= setTimeout(askAgain, pause);
    };
    const stop = follow({
      document: Writes,
      variables: () => ({ filter: JSON.parse(condition) }),
      onMessage: ({ events: { events, reset } }) => {
        if (events.length > 0 || reset) askSoon();
      },
      onReturn: askSoon,
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [isPaused, names, condition]);
}
