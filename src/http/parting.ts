// How a listener parts from its clients: no new connection is accepted, and those that are open have some time to be closed with an answer.
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops listening, and waits until all connections are closed, at most for so many milliseconds. HTTP's own way closes idle connections at once: a request
 * may be on its way on each of them.
 */
export async function outwaitConnections(server: HttpServer, time: number): Promise<void> {
  const left = new Promise((resolve) => Server.prototype.close.call(server, resolve));
  await Promise.race([left, sleep(time, null, { ref: false })]);
}
