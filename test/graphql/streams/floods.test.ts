// What one WebSocket can make a gateway keep or write, whatever its client sends and however little it reads.
import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { closeOf, openSocket, type Subscriber, startSubscriber } from '../../support/sockets.ts';

const database = useDatabase();
const lines: Record<string, unknown>[] = [];

/** Tens of thousands of messages take a busy machine long. The limits end what hangs. */
const patience = 120_000;
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: patience, interval: 20 });

const start = (environment: Readonly<Record<string, string>> = {}) =>
  startServer({
    settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings,
    db: database.db,
    // On a busy machine a client of these tests is silent for longer than a gateway waits before it closes the socket.
    streamPing: 4 * patience,
    streamStall: 4 * patience,
    log: createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) }).log,
  });
let server: RunningServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close());

/** The gateway's ends of connections. */
const accepted: Socket[] = [];
diagnostics.subscribe('net.server.socket', (message) => accepted.push((message as { socket: Socket }).socket));
const farEndOf = ({ wire }: Subscriber): Socket => {
  const found = accepted.find(({ remotePort }) => remotePort === wire.localPort);
  if (!found) throw new Error('a client without a gateway');
  return found;
};

/** Whether it waits until its client reads. */
const isHeldBack = (gateway: Socket) => gateway.isPaused() && gateway.writableLength > 0;

const endless = 'subscription { events { reset } }';

/** A subscriber with as many subscriptions as a socket may have. */
async function startFull(url: string, token: string): Promise<Subscriber> {
  const client = await startSubscriber(url, token);
  const all = Array.from({ length: limits.socketSubscriptions }, () => client.subscribe(endless));
  await eventually(() => expect(all.map(({ messages }) => messages.length > 0)).toEqual(all.map(() => true)));
  return client;
}

describe('a client that sends on and reads nothing', { timeout: 2 * patience }, () => {
  // The answers to all of them are more than the buffers on the way can take.
  test.each([
    ['refused subscriptions', 60_000, (n: number) => ({ id: `${n} ${'x'.repeat(240)}`, type: 'subscribe', payload: { query: '{a}' } })],
    [
      'subscriptions with long ids',
      600,
      (n: number) => ({ id: `${n} ${'x'.repeat(60_000)}`, type: 'subscribe', payload: { query: '{a}' } }),
    ],
    ['pings with payloads', 600, () => ({ type: 'ping', payload: { text: 'x'.repeat(60_000) } })],
  ])('makes the gateway keep little: %s', async (_, count, message) => {
    const client = await startFull(server.url, `admin:flood of ${count}`);
    const gateway = farEndOf(client);
    let kept = 0;
    gateway.on('data', () => {
      kept = Math.max(kept, gateway.writableLength);
    });
    client.wire.pause();
    const had = gateway.bytesRead;
    for (let sent = 0; sent < count; sent++) client.socket.send(JSON.stringify(message(sent)));
    const all = client.socket.bufferedAmount;
    await eventually(() => expect(gateway.destroyed || isHeldBack(gateway) || gateway.bytesRead - had >= all).toBe(true));
    expect(kept).toBeLessThan(2 * 1024 * 1024);
    client.socket.terminate();
  });

  test('gets all answers once it reads', async () => {
    const client = await startFull(server.url, 'admin:late reader');
    const gateway = farEndOf(client);
    let answers = 0;
    client.socket.on('message', (data: Buffer) => {
      if (String(data).includes('"type":"error"')) answers += 1;
    });
    client.wire.pause();
    let count = 0;
    const send = (more: number) => {
      for (const end = count + more; count < end; count++)
        client.socket.send(JSON.stringify({ id: `${count} ${'x'.repeat(240)}`, type: 'subscribe', payload: { query: '{a}' } }));
    };
    const isAllTaken = () => gateway.bytesRead === client.wire.bytesWritten;
    // No more than the buffers on the way can take: what comes beyond that takes a busy machine minutes.
    while (count < 60_000 && !isHeldBack(gateway)) {
      send(1000);
      await eventually(() => expect(isHeldBack(gateway) || isAllTaken()).toBe(true));
    }
    send(5000);
    expect(isHeldBack(gateway)).toBe(true);
    client.wire.resume();
    await eventually(() => expect(answers).toBe(count));
    const later = client.closed;
    client.socket.close();
    expect((await later)[0]).toBe(1005);
  });
});

test('a ping is answered without its payload', async () => {
  const client = await startSubscriber(server.url);
  const answered = new Promise((resolve) => client.socket.once('message', (data: Buffer) => resolve(String(data))));
  client.socket.send(JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(1000) } }));
  expect(await answered).toBe('{"type":"pong"}');
  await client.close();
});

describe('a socket is closed, and the log has no error, when its client', () => {
  const subscribe = (id: string) => JSON.stringify({ id, type: 'subscribe', payload: { query: endless } });
  test.each([
    ['sends an id of more than 255 characters', [subscribe('x'.repeat(256))], 4400],
    ['uses a long id twice', [subscribe('x'.repeat(255)), subscribe('x'.repeat(255))], 4409],
    ['sends what only gateways send', ['{"type":"connection_ack"}'], 4400],
  ])('%s', async (_, messages, code) => {
    lines.length = 0;
    const client = await startSubscriber(server.url);
    for (const message of messages) client.socket.send(message);
    expect((await client.closed)[0]).toBe(code);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.each([
    ['sends a frame with reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0]), 1002],
    ['sends a frame that is too long', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]), 1009],
    [
      'divides a message into a hundred frames',
      Buffer.concat([Buffer.from([0x01, 0x81, 0, 0, 0, 0, 32]), ...Array(99).fill(Buffer.from([0x00, 0x81, 0, 0, 0, 0, 32]))]),
      1008,
    ],
  ])('%s', async (_, bytes, code) => {
    lines.length = 0;
    const client = await startSubscriber(server.url);
    client.wire.write(bytes);
    expect((await client.closed)[0]).toBe(code);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

test('an id of 255 characters is served', async () => {
  const socket = await openSocket(`${server.url}/graphql`);
  const id = 'x'.repeat(255);
  const heard: Record<string, unknown>[] = [];
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(String(data))));
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-Auth-Token': 'admin' } }));
  await eventually(() => expect(heard).toHaveLength(1));
  socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: endless } }));
  await eventually(() => expect(heard[1]).toMatchObject({ id, type: 'next' }));
  const closed = closeOf(socket);
  socket.close();
  await closed;
});

test('a subscription beyond those of a socket is charged to the budget of its caller like other refusals', async () => {
  const budget = 100 * limits.refusedRequestCost;
  const own = await start({ PLACEMENT_CALLER_COST: `*=${budget}` });
  const client = await startFull(own.url, 'admin');
  const further = Array.from({ length: 200 }, () => client.subscribe(endless));
  await eventually(() => expect(further.every(({ refused }) => refused.length === 1)).toBe(true));
  const codes = further.map(({ refused }) => refused[0]?.[0]?.extensions.code);
  expect([codes[0], codes.at(-1)]).toEqual(['BAD_REQUEST', 'RATE_LIMITED']);
  expect(further.at(-1)?.refused[0]?.[0]?.extensions.retryAfter).toBeGreaterThan(0);
  await client.close();
  await own.close();
});
