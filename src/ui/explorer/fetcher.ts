// Sends the operation in the editors to the gateway that served the page, with the token of the session: queries and mutations by POST, subscriptions over a WebSocket.
import type { GraphiQLProps } from 'graphiql';
import { dropToken, sessionStore } from '../dashboard/data/session.ts';
import { operationOf } from './operation.ts';
import { watch } from './subscription.ts';

type Fetcher = GraphiQLProps['fetcher'];

const ownTokens: ReadonlySet<string> = new Set(['x-auth-token', 'authorization']);

/** JSON answers of any status are shown as they are; anything else, such as the page of a proxy, is an error with its text. */
export const fetchAnswer: Fetcher = (operation, { headers = {} } = {}) => {
  const { query, operationName, variables } = operation;
  const token = sessionStore.get().session?.token ?? '';
  const asked = operationOf(query, operationName ?? null);
  if (asked?.kind !== 'subscription') return send(operation, headers, token);
  const watched = {
    query,
    operationName: asked.name,
    variables: { ...(variables as object | null) },
    takesCursor: asked.variables.includes('after'),
  };
  return {
    subscribe: (...observers: unknown[]) => ({ unsubscribe: watch(watched, token, observers[0] as Parameters<typeof watch>[2]) }),
  };
};

async function send(operation: object, headers: Readonly<Record<string, unknown>>, token: string) {
  const hasOwn = Object.keys(headers).some((name) => ownTokens.has(name.toLowerCase()));
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      accept: 'application/json',
      ...(hasOwn ? {} : { 'x-auth-token': token }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      'content-type': 'application/json',
    },
    body: JSON.stringify(operation),
  });
  if (response.status === 401 && !hasOwn) dropToken(token);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`HTTP ${response.status}: ${text}`);
  }
}
