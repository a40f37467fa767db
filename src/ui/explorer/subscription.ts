// Watches a subscription over a WebSocket until it is stopped. Survives restarts of the gateway, and continues from the last cursor if the operation takes one.
import { createClient, type FormattedExecutionResult } from 'graphql-ws';
import { dropToken } from '../dashboard/data/session.ts';
import { clock } from '../dashboard/parts/states.tsx';
import { type Shown, Transcript } from './transcript.ts';

export interface Watched {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it has the variable `after`, for the cursor to continue from. */
  readonly takesCursor: boolean;
}

interface Observer {
  readonly next: (shown: Shown) => void;
  readonly complete: () => void;
}

/** The root field of the subscription, which may have a cursor. */
type Answer = Record<string, { readonly cursor?: unknown } | null>;

/** Milliseconds. */
const shortestPause = 250;
const longestPause = 15_000;
const unauthorized = 4401;
const tooMany = 4429;

/** Watches until the returned function is called, or the gateway ends it. */
export function watch(watched: Watched, token: string, observer: Observer): () => void {
  const watching = new Watching(watched, token, observer);
  watching.start();
  return () => watching.finish(`stopped at ${now()}`);
}

class Watching {
  readonly #watched: Watched;
  readonly #token: string;
  readonly #observer: Observer;
  readonly #transcript = new Transcript();
  #variables: Readonly<Record<string, unknown>>;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #end = () => {};

  constructor(watched: Watched, token: string, observer: Observer) {
    this.#watched = watched;
    this.#token = token;
    this.#observer = observer;
    this.#variables = watched.variables;
  }

  start(): void {
    this.#say('connecting');
    this.#open();
  }

  finish(state: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#end();
    this.#say(state);
    this.#observer.complete();
  }

  #say(state: string): void {
    this.#transcript.note(state);
    this.#show();
  }

  #show(): void {
    this.#observer.next(this.#transcript.show());
  }

  #open(): void {
    let hasLost = false;
    const isAgain = this.#transcript.show().messageCount > 0 || this.#failures > 0;
    // A new client for each attempt, because the library would repeat the first variables.
    const client = createClient({
      url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
      connectionParams: { 'X-Auth-Token': this.#token },
      retryAttempts: 0,
      on: { connected: () => this.#connected(isAgain) },
    });
    const { query, operationName } = this.#watched;
    const stop = client.subscribe<Answer>(
      { query, operationName, variables: this.#variables },
      {
        next: (answer) => this.#take(answer),
        error: (error) => {
          hasLost = true;
          if (Array.isArray(error)) this.#refused(error);
          else this.#lose(error);
        },
        complete: () => {
          if (!hasLost) this.finish(`ended by the gateway at ${now()}`);
        },
      },
    );
    this.#end = () => {
      hasLost = true;
      stop();
      void client.dispose();
    };
  }

  #connected(isAgain: boolean): void {
    this.#failures = 0;
    const from = this.#watched.takesCursor ? 'from the last cursor' : 'without what was missed';
    this.#say(isAgain ? `live again since ${now()}, ${from}` : `live since ${now()}`);
  }

  #take(answer: FormattedExecutionResult<Answer, unknown>): void {
    const cursor = Object.values(answer.data ?? {})[0]?.cursor;
    if (this.#watched.takesCursor && typeof cursor === 'string') this.#variables = { ...this.#variables, after: cursor };
    this.#transcript.add(answer, now());
    this.#show();
  }

  #refused(errors: readonly unknown[]): void {
    this.#transcript.add({ errors }, now());
    this.finish(`refused at ${now()}`);
  }

  #lose(event: unknown): void {
    if (this.#isOver) return;
    const { code, reason } = event instanceof CloseEvent ? event : { code: null, reason: '' };
    if (code === unauthorized) {
      dropToken(this.#token);
      this.finish(`ended at ${now()}: the token is no longer valid; sign in and run it again`);
    } else if (code !== null && code >= 4400 && code < 4500 && code !== tooMany) this.finish(`ended at ${now()}: ${reason || code}`);
    else this.#tryAgain(code === tooMany ? ': there are too many streams' : '');
  }

  #tryAgain(why: string): void {
    this.#say(`lost at ${now()}, trying again${why}`);
    this.#timer = setTimeout(() => this.#open(), Math.random() * Math.min(longestPause, shortestPause * 2 ** this.#failures));
    this.#failures += 1;
  }
}

const now = () => clock(new Date());
