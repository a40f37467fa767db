// Follows a subscription while the page is in view: over one socket per tab, reopened after every loss from where the last message ended. The library would
// send the first variables again, and so miss what came in between.
import { type Client, createClient } from 'graphql-ws';
import { forgetLoss } from './ask.ts';
import type { TypedDocument } from './document.ts';
import { noteStream } from './live.ts';
import { dropToken, sessionStore } from './session.ts';

interface Following<Answer, Variables> {
  readonly document: TypedDocument<Answer, Variables>;
  /** Called for each attempt, with whether the gateway refused the variables of the last one. Returns the current variables; null to wait until they are known. */
  readonly variables: (isRefused: boolean) => Variables | null;
  readonly onMessage: (answer: Answer) => void;
}

/** Milliseconds. */
const shortestPause = 250;
const longestPause = 15_000;
/** A page that is out of view for so long leaves its streams, and resumes by its cursors. */
const patience = 5 * 60_000;
/** The protocol's code for an invalid token. */
const unauthorized = 4401;

let shared: Client | null = null;
let isConnected = false;
/** Called when the socket is connected. */
const waiting = new Set<() => void>();

function client(): Client {
  let token = '';
  shared ??= createClient({
    url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
    connectionParams: () => {
      token = sessionStore.get().session?.token ?? '';
      return { 'X-Auth-Token': token };
    },
    retryAttempts: 0,
    lazyCloseTimeout: 1000,
    on: {
      connected: () => {
        isConnected = true;
        for (const notify of waiting) notify();
      },
      closed: (event) => {
        isConnected = false;
        if (event instanceof CloseEvent && event.code === unauthorized) dropToken(token);
      },
    },
  });
  return shared;
}

/** Follows until the returned function is called. */
export function follow<Answer, Variables extends Record<string, unknown>>(following: Following<Answer, Variables>): () => void {
  const stream = Symbol(following.document.name);
  let stop: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;
  let isRefused = false;
  const live = () => {
    failures = 0;
    noteStream(stream, 'live');
    forgetLoss();
  };
  const open = () => {
    const variables = following.variables(isRefused);
    if (isOver || stop !== null) return;
    if (variables === null || sessionStore.get().session === null) {
      timer = setTimeout(open, shortestPause);
      return;
    }
    const lost = (why?: unknown) => {
      isRefused = Array.isArray(why) && why[0].extensions?.code === 'BAD_USER_INPUT';
      stop = null;
      waiting.delete(live);
      if (isOver || document.hidden) return;
      noteStream(stream, failures === 0 ? 'catching up' : 'lost');
      const longest = Math.min(longestPause, shortestPause * 2 ** failures);
      failures += 1;
      timer = setTimeout(open, longest * Math.random());
    };
    waiting.add(live);
    stop = client().subscribe<Answer>(
      { query: following.document.text, operationName: following.document.name, variables },
      {
        next: ({ data }) => {
          live();
          if (data) following.onMessage(data);
        },
        error: lost,
        complete: lost,
      },
    );
    if (isConnected) live();
  };
  const leave = () => {
    clearTimeout(timer);
    waiting.delete(live);
    const close = stop;
    stop = null;
    close?.();
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(leave, patience);
    else if (stop === null) open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  noteStream(stream, 'catching up');
  open();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onVisibility);
    leave();
    noteStream(stream, 'off');
  };
}
