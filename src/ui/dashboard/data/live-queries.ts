// Answers that are asked for again when something was written that concerns them. A page never moves under the pointer more than once in a while.
import { useEffect } from 'react';
import type { TypedDocument } from './document.ts';
import { Writes, type WritesSubscriptionVariables } from './live.generated.ts';
import { liveStore } from './live.ts';
import { queryClient } from './queries.ts';
import { useStore } from './store.ts';
import { follow } from './stream.ts';

/** Milliseconds between two questions, however much is written. */
const pause = 2000;

/**
 * Asks the documents again, whatever their variables, after writes that meet the filter; all when it is empty. Also when its stream has begun, at first and after
 * every loss: nobody tells what was written between the answer before and then.
 */
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
    let hasBegun = false;
    const askAgain = () => {
      timer = null;
      for (const name of names.split(',')) void queryClient.invalidateQueries({ queryKey: [name] });
    };
    const askSoon = () => {
      timer ??= setTimeout(askAgain, pause);
    };
    const stop = follow({
      document: Writes,
      variables: () => {
        hasBegun = false;
        return { filter: JSON.parse(condition) };
      },
      onMessage: ({ events: { events, reset } }) => {
        // The first message comes at once.
        if (!hasBegun || events.length > 0 || reset) askSoon();
        hasBegun = true;
      },
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [isPaused, names, condition]);
}
