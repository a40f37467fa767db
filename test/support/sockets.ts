// A client of subscriptions over a WebSocket that exposes the protocol graphql-transport-ws message by message.
import type { Socket } from 'node:net';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { limits } from '../../src/domain/limits.ts';

export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

/** The messages for one subscription, in order. */
export interface Subscribed<Message> {
  readonly messages: Message[];
  /** The errors of its refusal. */
  readonly refused: Answer['errors'][];
  isComplete: boolean;
}

export interface Subscriber {
  readonly socket: WebSocket;
  /** The underlying socket. */
  readonly wire: Socket;
  /** Resolves with the code and the reason of the close. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
  subscribe<Message>(query: string, variables?: Readonly<Record<string, unknown>>, operationName?: string): Subscribed<Message>;
  unsubscribe(): void;
  /** Closes the socket and waits until it is closed. */
  close(): Promise<void>;
}

const wires = new WeakMap<WebSocket, Socket>();

/** A socket that has been opened, without `connection_init`; rejects with the status of a refusal. */
export async function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), 'graphql-transport-ws', { headers });
  socket.once('upgrade', (response) => wires.set(socket, response.socket));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_request, response) => {
      reject(new Error(String(response.statusCode)));
      socket.terminate();
    });
    socket.once('error', reject);
  });
}

export function closeOf(socket: WebSocket): Promise<readonly [code: number, reason: string]> {
  return new Promise((resolve) => {
    socket.once('close', (code: number, reason: Buffer) => resolve([code, String(reason)]));
  });
}

/**
 * Opens sockets that send no token, from the clients that a proxy names, or from its own address. They stay open, while others are busy, until the clock, which
 * stands still meanwhile, says that it is too late for a token. Returns the code with which each was closed: 4429 if it made room for others, or 4408.
 */
export async function floodWithSockets(
  url: string,
  clients: readonly string[],
  others: () => Promise<void> = async () => {},
): Promise<readonly number[]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed: Promise<readonly [code: number, reason: string]>[] = [];
  for (const client of clients) {
    const headers = client === '' ? {} : { 'x-forwarded-for': client };
    closed.push(closeOf(await openSocket(`${url}/graphql`, headers)));
  }
  await others();
  vi.advanceTimersByTime(limits.socketInitTime);
  vi.useRealTimers();
  return (await Promise.all(closed)).map(([code]) => code);
}

/** A subscriber whose token was accepted; rejects with the code with which the socket was closed. */
export async function startSubscriber(url: string, token = 'admin'): Promise<Subscriber> {
  const socket = await openSocket(`${url}/graphql`);
  const wire = wires.get(socket);
  if (!wire) throw new Error('a socket without a wire');
  const closed = closeOf(socket);
  const subscriptions = new Map<string, Subscribed<unknown>>();
  const acknowledged = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const { type, id, payload } = JSON.parse(String(data)) as { type: string; id: string; payload: unknown };
      const one = subscriptions.get(id);
      if (type === 'connection_ack') resolve();
      else if (type === 'next') one?.messages.push(messageIn(payload as Answer));
      else if (type === 'error') one?.refused.push(payload as Answer['errors']);
      else if (type === 'complete' && one) one.isComplete = true;
    });
  });
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-Auth-Token': token } }));
  await Promise.race([
    acknowledged,
    closed.then(([code, reason]) => {
      throw new Error(`${code} ${reason}`);
    }),
  ]);
  return {
    socket,
    wire,
    closed,
    subscribe<Message>(query: string, variables = {}, operationName?: string) {
      const id = String(subscriptions.size + 1);
      const subscribed: Subscribed<Message> = { messages: [], refused: [], isComplete: false };
      subscriptions.set(id, subscribed as Subscribed<unknown>);
      socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query, variables, operationName } }));
      return subscribed;
    },
    unsubscribe() {
      for (const id of subscriptions.keys()) socket.send(JSON.stringify({ id, type: 'complete' }));
    },
    async close() {
      socket.close();
      await closed;
    },
  };
}

/** The value of the only field, or the answer with its errors. */
function messageIn({ data, errors }: Answer): unknown {
  return errors ? { errors } : Object.values(data ?? {})[0];
}
