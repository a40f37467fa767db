// Requests on their way to the other Placement, which does not answer here.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotPassed, Passage, type PassedRequest } from '../../src/bridge/passing.ts';

let server: Server;
let passage: Passage;
let arrived: IncomingMessage[];

beforeEach(async () => {
  arrived = [];
  server = createServer((request) => void arrived.push(request));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  passage = new Passage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 60_000);
});

afterEach(async () => {
  passage.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function send(method: string) {
  let leave = () => {};
  const request: PassedRequest = {
    ...{ method, path: '/traits', headers: {}, body: null, content: async () => undefined, made: () => null },
    whenLeft: (callback) => {
      leave = callback;
    },
  };
  return { answer: passage.send(request).catch((error: unknown) => error), leave: () => leave() };
}

test('a read ends when its caller leaves', async () => {
  const { answer, leave } = send('GET');
  await expect.poll(() => arrived.length).toBe(1);
  const ended = new Promise((resolve) => arrived[0]?.once('aborted', resolve));
  leave();
  expect(await answer).toMatchObject({ name: 'NotPassed', mayBeDone: false });
  await ended;
});

test('a write that was sent goes on when its caller leaves', async () => {
  const { answer, leave } = send('PUT');
  await expect.poll(() => arrived.length).toBe(1);
  leave();
  passage.close();
  expect(await answer).toMatchObject({ mayBeDone: true, cause: expect.not.objectContaining({ message: 'the caller has left' }) });
});

test('what waits for a connection is not sent if its caller leaves, and is refused after a while', async () => {
  const busy = Array.from({ length: 256 }, () => send('GET'));
  await expect.poll(() => arrived.length).toBe(256);
  const [left, waiting] = [send('PUT'), send('PUT')];
  left.leave();
  expect(await left.answer).toMatchObject({ mayBeDone: false });
  const refusal = await waiting.answer;
  expect(refusal).toBeInstanceOf(NotPassed);
  expect(refusal).toMatchObject({ mayBeDone: false, cause: new Error('no connection in time') });
  expect(arrived).toHaveLength(256);
  passage.close();
  await Promise.all(busy.map(({ answer }) => answer));
});
