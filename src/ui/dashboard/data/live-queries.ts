// Asks for answers again after writes that concern them, with pauses so that a page does not keep moving under the pointer.
import { useEffect } from 'react';
import type { TypedDocument } from './document.ts';
import { Writes, type WritesSubscriptionVariables } from './live.generated.ts';
import { liveStore } from './live.ts';
import { queryClient } from './queries.ts';
import { useStore } from './store.ts';
import { follow } from './stream.ts';

/** Milliseconds between two queries, however much is written. */
const pause = 2000;

/**
 * Asks the documents again, whatever their variables, after writes that match the filter; after all writes if it is empty. Asks again, too, whenever its stream
 * begins: no message reports what was written between the last answer and that moment.
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
        // The first message comes as soon as the stream begins.
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
