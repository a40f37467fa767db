// Connections that begin with a header of the PROXY protocol, over real sockets: whole, in pieces, followed by requests, and malformed.
import { type AddressInfo, connect } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { recognizeClients, TrustedProxies } from '../../src/http/client.ts';
import { expectProxyProtocol } from '../../src/http/proxy-protocol.ts';

let app: FastifyInstance;
afterEach(() => app.close());

async function listen(trusted: string, patience = 10_000, isOwn = (_address: string) => false): Promise<number> {
  app = fastify({ forceCloseConnections: true });
  const recognize = recognizeClients(new TrustedProxies([]));
  const proxies = new TrustedProxies([trusted]);
  app.addHook('onRequest', (request, _reply, done) => done(recognize(request) ?? undefined));
  app.post('/', ({ ip, protocol, body }) => `${ip} ${protocol} ${JSON.stringify(body)}`);
  expectProxyProtocol(app, { isTrusted: (address) => proxies.has(address), isOwn, patience });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

const body = '{"a":1}';
const request = (connection: string) =>
  Buffer.from(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
const twoRequests = Buffer.concat([request('keep-alive'), request('close')]);

/** Everything the server sends until it closes the connection. */
function send(port: number, pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', async () => {
      socket.setNoDelay(true);
      for (const piece of pieces) {
        socket.write(piece);
        if (pieces.length > 1) await new Promise((next) => setTimeout(next, 2));
      }
    });
    socket.on('data', (data) => {
      said += String(data);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
  });
}

const answersIn = (said: string) => said.match(/^\S+ https? \{"a":1\}/gm) ?? [];

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
function binary(command: number, family: number, rest: Buffer): Buffer {
  const head = Buffer.from([0x20 | command, family, rest.length >> 8, rest.length & 255]);
  return Buffer.concat([signature, head, rest]);
}
const addresses4 = Buffer.from([203, 0, 113, 7, 192, 0, 2, 1, 1, 2, 3, 4]);
const addresses6 = Buffer.concat([Buffer.from('20010db8000000000000000000000001fd000000000000000000000000000001', 'hex'), Buffer.alloc(4)]);
const overTls = Buffer.from([0x04, 0, 2, 9, 9, 0x20, 0, 5, 1, 0, 0, 0, 0]);

const headers: readonly (readonly [string, Buffer, string])[] = [
  ['version 1', Buffer.from('PROXY TCP4 203.0.113.7 192.0.2.1 40000 443\r\n'), '203.0.113.7 http'],
  ['version 1 of IPv6', Buffer.from('PROXY TCP6 2001:db8::1 fd00::1 40000 443\r\n'), '2001:db8::1 http'],
  ['version 1 of the proxy itself', Buffer.from('PROXY UNKNOWN\r\n'), '127.0.0.1 http'],
  ['version 2', binary(1, 0x11, addresses4), '203.0.113.7 http'],
  ['version 2 of IPv6', binary(1, 0x21, addresses6), '2001:db8::1 http'],
  ['version 2 of TLS', binary(1, 0x11, Buffer.concat([addresses4, overTls])), '203.0.113.7 https'],
  ['version 2 of the proxy itself', binary(0, 0, Buffer.alloc(0)), '127.0.0.1 http'],
  ['version 2 of a socket of files', binary(1, 0x31, Buffer.alloc(216)), '127.0.0.1 http'],
];

test.each(headers)('%s: all requests of the connection are the client’s, however their bytes arrive', async (_what, header, who) => {
  const port = await listen('127.0.0.1');
  const expected = [`${who} ${body}`, `${who} ${body}`];
  const whole = Buffer.concat([header, twoRequests]);
  expect(answersIn(await send(port, [whole]))).toEqual(expected);
  expect(answersIn(await send(port, [header, twoRequests]))).toEqual(expected);
  expect(
    answersIn(await send(port, [whole.subarray(0, 7), whole.subarray(7, header.length + 20), whole.subarray(header.length + 20)])),
  ).toEqual(expected);
});

test('connections of peers that are not trusted proxies, or without a header, get no answer', async () => {
  const port = await listen('192.0.2.1');
  for (const [, header] of headers) expect(await send(port, [Buffer.concat([header, request('close')])])).toBe('');
  await app.close();
  const trusting = await listen('127.0.0.1');
  expect(await send(trusting, [request('close')])).toBe('');
});

test('a connection from a local address without a header belongs to that address; a trusted proxy there may send a header', async () => {
  const isOwn = (address: string) => address === '127.0.0.1';
  const port = await listen('192.0.2.1', 10_000, isOwn);
  expect(answersIn(await send(port, [twoRequests]))).toEqual([`127.0.0.1 http ${body}`, `127.0.0.1 http ${body}`]);
  for (const [, header] of headers) expect(answersIn(await send(port, [Buffer.concat([header, request('close')])]))).toEqual([]);
  await app.close();
  const trusting = await listen('127.0.0.1', 10_000, isOwn);
  expect(await send(trusting, [request('close')])).toBe('');
});

test('a connection that does not send its header in time is closed', async () => {
  const port = await listen('127.0.0.1', 20);
  expect(await send(port, [Buffer.from('PROXY TCP4 ')])).toBe('');
  expect(await send(port, [Buffer.alloc(0)])).toBe('');
});

test('closing does not wait for connections without a header', async () => {
  const port = await listen('127.0.0.1');
  const silent = connect(port, '127.0.0.1');
  await new Promise((resolve) => silent.once('connect', resolve));
  const closed = new Promise((resolve) => silent.once('close', resolve));
  await app.close();
  await closed;
});

test.each([
  'PROXY TCP4 203.0.113.7 192.0.2.1 40000\r\n',
  'PROXY TCP4 2001:db8::1 fd00::1 1 2\r\n',
  'PROXY TCP4 203.0.113.7 192.0.2.1 1 2 3\r\n',
  'PROXY UDP4 203.0.113.7 192.0.2.1 1 2\r\n',
  `PROXY TCP4 ${'1'.repeat(120)}`,
  'PROXYING 1\r\n',
  '\r\n\r\n\0\r\nQUIT\n\x11\x11\0\0',
  '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x04abcd',
  '\r\n\r\n\0\r\nQUIT\n\x21\x11\xff\xff',
])('%j is not a valid header, and its connection is closed without waiting for more', async (text) => {
  const port = await listen('127.0.0.1', 60_000);
  expect(await send(port, [Buffer.from(text, 'latin1')])).toBe('');
});
