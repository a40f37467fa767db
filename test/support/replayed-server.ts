// A database server that repeats the bytes of a real one, at no cost: for tests with thousands of connections.
// Knows sockets; does not understand the messages.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseTarget } from '../../src/db/sql/client.ts';
import type { SocketTarget } from './standby.ts';

export interface ReplayedServer {
  readonly target: SocketTarget;
  /** The bytes that it sends to each client. */
  readonly length: number;
  close(): Promise<void>;
}

/** Records a session with the server of a target, and replays it to every later client. */
export async function replay(to: SocketTarget, session: (target: DatabaseTarget) => Promise<unknown>): Promise<ReplayedServer> {
  const socketDirectory = mkdtempSync(join(tmpdir(), 'placement-replay-'));
  const path = join(socketDirectory, `.s.PGSQL.${to.port}`);
  /** The server's answer to the first flight of the client, to the second, and so on. */
  const answers: Buffer[] = [];

  const recorder = createServer((client) => {
    const upstream = connect(join(to.socketDirectory, `.s.PGSQL.${to.port}`));
    client.on('data', (bytes) => {
      answers.push(Buffer.alloc(0));
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      answers.push(Buffer.concat([answers.pop() ?? Buffer.alloc(0), bytes]));
      client.write(bytes);
    });
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  });
  const target = { ...to, socketDirectory };
  await listen(recorder, path);
  await session(target);
  await closed(recorder);

  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    let flight = 0;
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    client.on('data', () => {
      const answer = answers[flight++];
      if (answer?.length) client.write(answer);
    });
  });
  await listen(server, path);
  return {
    target,
    length: answers.reduce((sum, answer) => sum + answer.length, 0),
    close: async () => {
      for (const client of clients) client.destroy();
      await closed(server);
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}

const listen = (server: Server, path: string) => new Promise<void>((resolve) => server.listen(path, resolve));
const closed = (server: Server) => new Promise((resolve) => server.close(resolve));
