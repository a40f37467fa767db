// Bounds how many connections one address may have, so that no client can take all connections of the gateway, whatever it sends.
import type { Server, Socket } from 'node:net';
import { networkOf } from '../domain/network.ts';
import { addressOfConnection } from '../http/proxy-protocol.ts';

interface AddressBound {
  /** Connections of one source; null for no bound. */
  readonly most: number | null;
  /** Whether an address may have any number, because it speaks for many clients. */
  readonly isExempt: (address: string) => boolean;
  /** Answers a connection beyond the bound, and closes it. */
  readonly refuse: (socket: Socket) => void;
}

/** Refuses connections of sources that have reached the bound. */
export function boundConnectionsOfAddresses(server: Server, { most, isExempt, refuse }: AddressBound): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = addressOfConnection(socket);
    if (most === null || isExempt(address)) return;
    const source = networkOf(address);
    const count = counts.get(source) ?? 0;
    if (count >= most) return refuse(socket);
    counts.set(source, count + 1);
    socket.once('close', () => {
      const left = (counts.get(source) ?? 0) - 1;
      if (left > 0) counts.set(source, left);
      else counts.delete(source);
    });
  });
}
