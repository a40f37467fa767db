// Examination, waiting. Clients that do not read their answers lose their connections; others keep them.
import { connect, type Socket } from 'node:net';
import { fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { cutOffUnread, isOfCallerWhoLeft, type UnreadBounds } from '../../src/http/unread.ts';

const size = 32 * 1024 * 1024;
let app: ReturnType<typeof fastify>;
let sockets: Socket[] = [];

async function serve(bounds: UnreadBounds): Promise<number> {
  app = fastify({ forceCloseConnections: true });
  cutOffUnread(app, bounds);
  app.get('/large', async () => 'x'.repeat(size));
  app.get('/small', async () => 'small');
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 6000));
    return 'slow';
  });
  await app.listen({ port: 0 });
  return app.addresses()[0]?.port ?? 0;
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await app.close();
});

function open(port: number, ...paths: string[]): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join('')));
  sockets.push(socket);
  return socket;
}

const connectionsOf = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error: Error | null, count: number) => resolve(count)));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a client that reads nothing of an answer is disconnected', async () => {
  const port = await serve({ pause: 200, whole: 60_000 });
  const socket = open(port, '/large');
  socket.pause();
  await until(async () => (await connectionsOf()) === 1);
  await until(async () => (await connectionsOf()) === 0);
});

test('a client that reads an answer too slowly is disconnected', async () => {
  const port = await serve({ pause: 60_000, whole: 300 });
  let read = 0;
  const socket = open(port, '/large');
  socket.pause();
  const sip = setInterval(() => {
    read += socket.read(64 * 1024)?.length ?? 0;
  }, 50);
  await until(async () => (await connectionsOf()) === 1);
  await until(async () => (await connectionsOf()) === 0);
  clearInterval(sip);
  expect(read).toBeLessThan(size);
});

test('a client that reads slowly, but fast enough, gets the whole answer and the next one', async () => {
  const port = await serve({ pause: 5000, whole: 60_000 });
  let read = 0;
  let tail = '';
  const socket = open(port, '/large', '/slow');
  socket.on('data', (chunk) => {
    read += chunk.length;
    tail = chunk.subarray(-20).toString();
    socket.pause();
    setTimeout(() => socket.resume(), read < size / 4 ? 20 : 0);
  });
  await until(() => tail.endsWith('slow'));
  expect(read).toBeGreaterThan(size);
});

test('connections without an answer in progress stay open', async () => {
  const port = await serve({ pause: 50, whole: 50 });
  let said = '';
  const socket = open(port, '/small');
  socket.on('data', (chunk) => {
    said += chunk.toString();
  });
  await until(() => said.endsWith('small'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await connectionsOf()).toBe(1);
});

test.each([
  ['ERR_STREAM_PREMATURE_CLOSE', true, true],
  ['ERR_STREAM_PREMATURE_CLOSE', false, false],
  ['ERR_INTERNAL', true, false],
])('an answer that fails with %s, with its connection destroyed (%s), is not a fault: %s', (code, destroyed, isNoFault) => {
  const request = { raw: { socket: { destroyed } } };
  expect(isOfCallerWhoLeft(Object.assign(new Error('Premature close'), { code }), request)).toBe(isNoFault);
});
