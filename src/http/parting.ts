// How a listener parts from its clients: it accepts no new connection, and gives open ones some time to be closed with an answer.
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops listening, and waits until all connections are closed, but no more than `time` milliseconds. Node's HTTP server would close idle connections at once,
 * although a request may be on its way on each of them.
 */
export async function outwaitConnections(server: HttpServer, time: number): Promise<void> {
  const left = new Promise((resolve) => Server.prototype.close.call(server, resolve));
  await Promise.race([left, sleep(time, null, { ref: false })]);
}
