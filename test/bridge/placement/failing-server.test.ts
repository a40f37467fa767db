// Requests to another Placement whose server fails, refuses or is gone.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openPlacement } from '../../../src/bridge/placement/client.ts';

let server: Server;
let url: string;
/** The statuses of the next answers; 0 closes the connection. Afterwards all are 200. */
let statuses: number[];
/** The requests, such as `PUT /traits/A 1.39 {}`. */
let requests: string[];

async function note(request: IncomingMessage): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const version = String(request.headers['openstack-api-version']).replace('placement ', '');
  requests.push([request.method, request.url, version, body].filter((part) => part !== '').join(' '));
}

beforeEach(async () => {
  [statuses, requests] = [[], []];
  server = createServer(async (request, response) => {
    if (request.url === '/') return response.end(JSON.stringify({ versions: [{ max_version: '1.39' }] }));
    await note(request);
    const status = statuses.shift() ?? 200;
    if (status === 0) return request.socket.destroy();
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const open = (outlivesFailures: boolean) => openPlacement({ url, token: async () => 'admin', concurrency: 1, outlivesFailures });

test('a write is sent again until the server decides: after a lost connection and an answer of 503', async () => {
  const placement = await open(true);
  statuses = [0, 503, 409];
  expect(await placement.send('PUT', '/allocations/a', { allocations: {} })).toEqual({ status: 409, body: { status: 409 } });
  expect(requests).toEqual(Array(3).fill('PUT /allocations/a 1.39 {"allocations":{}}'));
});

test('a refusal is an answer, sent once, in the version that was asked for', async () => {
  const placement = await open(true);
  statuses = [400, 404];
  expect((await placement.send('POST', '/allocations', { a: 1 }, '1.37')).status).toBe(400);
  expect((await placement.send('DELETE', '/traits/CUSTOM_A')).status).toBe(404);
  expect(requests).toEqual(['POST /allocations 1.37 {"a":1}', 'DELETE /traits/CUSTOM_A 1.39']);
});

test.for([401, 403])('a write fails at once when the token is refused with %i', async (status) => {
  const placement = await open(true);
  statuses = [status];
  await expect(placement.send('PUT', '/traits/CUSTOM_A')).rejects.toThrow(`(${status})`);
  expect(requests).toHaveLength(1);
});

test('a client that outlives failures goes on after one; another one starts nothing more', async () => {
  const [lasting, other] = [await open(true), await open(false)];
  for (const placement of [lasting, other]) {
    statuses = [401];
    await expect(placement.get('/traits', z.unknown())).rejects.toThrow('does not accept the token');
  }
  requests = [];
  expect(await lasting.get('/traits', z.unknown())).toEqual({ status: 200 });
  await expect(other.get('/traits', z.unknown())).rejects.toThrow('does not accept the token');
  expect(requests).toHaveLength(1);
});
