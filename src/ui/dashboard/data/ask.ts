// Sends a document to the gateway that served the page, and turns failures into the page's own terms.
import type { TypedDocument } from './document.ts';
import { dropToken, sessionStore } from './session.ts';
import { Store } from './store.ts';

/** The state that a failure puts a page into. */
export type Trouble = 'lost' | 'forbidden' | 'signed out' | 'refused' | 'failed';

export class AskError extends Error {
  readonly trouble: Trouble;
  /** The code of the gateway; null when it did not answer. */
  readonly code: string | null;
  readonly requestId: string | null;
  /** The missing right, if it is known. */
  readonly rule: string | null;

  constructor(trouble: Trouble, message: string, { code = null, requestId = null, rule = null }: Partial<AskDetails> = {}) {
    super(message);
    this.name = 'AskError';
    this.trouble = trouble;
    this.code = code;
    this.requestId = requestId;
    this.rule = rule;
  }
}

interface AskDetails {
  readonly code: string | null;
  readonly requestId: string | null;
  readonly rule: string | null;
}

/** Since when the gateway does not answer; null while it does. */
export const reachStore = new Store<{ readonly lostSince: Date | null }>({ lostSince: null });

interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly requestId?: string; readonly rule?: string; readonly [name: string]: unknown };
}

/** Rejects with AskError, even if an answer has data beside its error: half an answer would look like a whole one. */
export async function ask<Answer, Variables extends object>(
  document: TypedDocument<Answer, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Answer> {
  const { session } = sessionStore.get();
  if (session === null) throw new AskError('signed out', 'Sign in first.');
  const { status, answer } = await send(session.token, document, variables, signal);
  const [error] = answer.errors ?? [];
  if (error) throw errorOf(error, status, session.token);
  forgetLoss();
  return answer.data as Answer;
}

interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
}

async function send<Variables extends object>(
  token: string,
  { name, text }: TypedDocument<unknown, Variables>,
  variables: Variables,
  signal: AbortSignal | undefined,
): Promise<{ readonly status: number; readonly answer: GraphqlAnswer }> {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-auth-token': token },
      body: JSON.stringify({ query: text, operationName: name, variables }),
      ...(signal && { signal }),
    });
    // Fails for a page of a proxy: then the gateway was not reached.
    return { status: response.status, answer: await response.json() };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    noteLoss();
    throw new AskError('lost', 'The gateway does not answer.');
  }
}

/** Notes that the gateway has answered, in whatever way. */
export function forgetLoss(): void {
  if (reachStore.get().lostSince !== null) reachStore.set({ lostSince: null });
}

/** Notes that the gateway did not answer. */
export function noteLoss(): void {
  if (reachStore.get().lostSince === null) reachStore.set({ lostSince: new Date() });
}

const lostCodes: ReadonlySet<string> = new Set(['UNAVAILABLE', 'INTERNAL_SERVER_ERROR']);

function errorOf({ message, extensions = {} }: GraphqlError, status: number, token: string): AskError {
  const { code = null, requestId = null, rule = null } = extensions;
  const details = { code, requestId, rule };
  if (status === 401 || code === 'UNAUTHENTICATED') {
    dropToken(token);
    return new AskError('signed out', message, details);
  }
  if (code === 'FORBIDDEN') return new AskError('forbidden', message, details);
  if (status >= 500 || (code !== null && lostCodes.has(code))) {
    noteLoss();
    return new AskError('lost', message, details);
  }
  return new AskError(code === null ? 'failed' : 'refused', message, details);
}
