// A wire between a client and its database server on which new connections break while they are made, and others lose an answer.
// Knows sockets; of what passes it understands nothing but how much it was.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseTarget } from '../../src/db/sql/client.ts';

export interface CutWire {
  readonly target: DatabaseTarget;
  /** Each connection made from now on ends when the server has said this many messages on it; null for never. */
  cutAfter(messages: number | null): void;
  /** Asked for each answer of the server on a connection that is in use: whether the connection ends instead of delivering it; null for never. */
  loseAnswers(isLost: (() => boolean) | null): void;
  close(): Promise<void>;
}

/** Messages of the server until a connection can be used. */
const greeting = 2;

/** Lays a wire to the server of a target. */
export async function layCutWire(to: Extract<DatabaseTarget, { socketDirectory: string }>): Promise<CutWire> {
  const socketDirectory = mkdtempSync(join(tmpdir(), 'placement-wire-'));
  const sockets = new Set<Socket>();
  let most: number | null = null;
  let isAnswerLost: (() => boolean) | null = null;

  const server = createServer((client) => {
    const limit = most;
    const upstream = connect(join(to.socketDirectory, `.s.PGSQL.${to.port}`));
    let said = 0;
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (said === limit) client.destroy();
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (said++ === limit || (said > greeting && isAnswerLost?.())) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(socketDirectory, `.s.PGSQL.${to.port}`), resolve));

  return {
    target: { ...to, socketDirectory },
    cutAfter: (messages) => {
      most = messages;
    },
    loseAnswers: (isLost) => {
      isAnswerLost = isLost;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}
