// A proxy between a client and its database server that breaks connections while they are being made, or loses an answer.
// Knows sockets; counts messages without understanding them.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseTarget } from '../../src/db/sql/client.ts';

export interface CutWire {
  readonly target: DatabaseTarget;
  /** New connections are cut after this many messages from the server; null for never. */
  cutAfter(messages: number | null): void;
  /** Called for each answer on an established connection: whether to cut the connection instead of delivering it; null for never. */
  loseAnswers(isLost: (() => boolean) | null): void;
  close(): Promise<void>;
}

/** The number of the server's messages until a connection can be used. */
const greeting = 2;

/** Opens a proxy to the server of a target. */
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
