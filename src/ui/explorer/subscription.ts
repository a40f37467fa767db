// Watches a subscription over a WebSocket until it is stopped: through restarts of the gateway, from the last cursor where the operation takes one.
import { createClient } from 'graphql-ws';
import { dropToken } from '../dashboard/data/session.ts';
import { clock } from '../dashboard/parts/states.tsx';
import { type Shown, Transcript } from './transcript.ts';

export interface Watched {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it has the variable `after`, which takes the cursor to continue from. */
  readonly takesCursor: boolean;
}

interface Observer {
  readonly next: (shown: Shown) => void;
  readonly complete: () => void;
}

/** Milliseconds. */
const shortestPause = 250;
const longestPause = 15_000;
const unauthorized = 4401;
const tooMany = 4429;

/** Watches until the returned function is called, or the gateway ends it. */
export function watch(watched: Watched, token: string, { next, complete }: Observer): () => void {
  const transcript = new Transcript();
  let variables = watched.variables;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let end = () => {};
  const say = (state: string) => {
    transcript.note(state);
    next(transcript.show());
  };
  const finish = (state: string) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    end();
    say(state);
    complete();
  };
  const lose = (event: unknown) => {
    if (isOver) return;
    const code = event instanceof CloseEvent ? event.code : null;
    if (code === unauthorized) {
      dropToken(token);
      return finish(`ended at ${now()}: the token is not valid any more; sign in and run it again`);
    }
    if (event instanceof CloseEvent && code !== null && code >= 4400 && code < 4500 && code !== tooMany) {
      return finish(`ended at ${now()}: ${event.reason || code}`);
    }
    say(`lost at ${now()}, trying again${code === tooMany ? ': there are too many streams' : ''}`);
    timer = setTimeout(open, Math.random() * Math.min(longestPause, shortestPause * 2 ** failures));
    failures += 1;
  };
  const open = () => {
    let hasLost = false;
    const again = transcript.show().messageCount > 0 || failures > 0;
    // One for each attempt: the library would repeat the first variables.
    const client = createClient({
      url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
      connectionParams: { 'X-Auth-Token': token },
      retryAttempts: 0,
      on: {
        connected: () => {
          failures = 0;
          say(
            again
              ? `live again since ${now()}, ${watched.takesCursor ? 'from the last cursor' : 'without what came meanwhile'}`
              : `live since ${now()}`,
          );
        },
      },
    });
    const { query, operationName } = watched;
    const stop = client.subscribe<Record<string, { readonly cursor?: unknown } | null>>(
      { query, operationName, variables },
      {
        next: (answer) => {
          const cursor = Object.values(answer.data ?? {})[0]?.cursor;
          if (watched.takesCursor && typeof cursor === 'string') variables = { ...variables, after: cursor };
          transcript.add(answer, now());
          next(transcript.show());
        },
        error: (error) => {
          hasLost = true;
          if (!Array.isArray(error)) return lose(error);
          transcript.add({ errors: error }, now());
          finish(`refused at ${now()}`);
        },
        complete: () => {
          if (!hasLost) finish(`ended by the gateway at ${now()}`);
        },
      },
    );
    end = () => {
      hasLost = true;
      stop();
      void client.dispose();
    };
  };
  say('connecting');
  open();
  return () => finish(`stopped at ${now()}`);
}

const now = () => clock(new Date());
