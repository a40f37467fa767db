// A proxy between a client and its database server that can hold back the server's answers until they are released.
// Knows sockets; does not understand the messages.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseTarget } from '../../src/db/sql/client.ts';
import type { SocketTarget } from './standby.ts';

export interface SlowWire {
  readonly target: DatabaseTarget;
  /** Starts to hold back answers. Resolves when the first one has arrived. */
  hold(): Promise<void>;
  release(): void;
  /** Closes all connections; new ones can be opened. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a proxy to the server of a target. */
export async function laySlowWire(to: SocketTarget): Promise<SlowWire> {
  const socketDirectory = mkdtempSync(join(tmpdir(), 'placement-wire-'));
  const sockets = new Set<Socket>();
  let held: { readonly answers: (() => void)[]; readonly arrived: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = connect(join(to.socketDirectory, `.s.PGSQL.${to.port}`));
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(one);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => {});
    }
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (!held) return void client.write(bytes);
      held.answers.push(() => client.write(bytes));
      held.arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(join(socketDirectory, `.s.PGSQL.${to.port}`), resolve));

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    target: { ...to, socketDirectory },
    hold: () =>
      new Promise((resolve) => {
        held = { answers: [], arrived: resolve };
      }),
    release: () => {
      const answers = held?.answers ?? [];
      held = undefined;
      for (const answer of answers) answer();
    },
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}
