// How many connections an address may have. Connections from other machines are played; that of this machine is real in other tests.
import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { AuditedAction } from '../../src/domain/audit.ts';
import { isLoopback } from '../../src/http/callers.ts';
import { boundConnectionsOfAddresses } from '../../src/listener/address-connections.ts';
import { refuseCrowd } from '../../src/listener/malformed-http.ts';

/** The connections of a server of which one address may have two, and what was refused. */
function play(most: number | null) {
  const server = createServer();
  const refused: string[] = [];
  boundConnectionsOfAddresses(server, { most, isExempt: isLoopback }, ({ remoteAddress }) => void refused.push(remoteAddress ?? ''));
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new Duplex({ read() {}, write() {} }), { remoteAddress }) as Duplex as Socket;
    server.emit('connection', socket);
    return socket;
  };
  return { connect, refused };
}

describe('of one address', () => {
  test('at most its share are open at once', async () => {
    const { connect, refused } = play(2);
    const first = connect('192.0.2.1');
    connect('192.0.2.1');
    connect('::ffff:192.0.2.1');
    connect('192.0.2.2');
    expect(refused).toEqual(['::ffff:192.0.2.1']);
    first.destroy();
    await new Promise((resolve) => first.once('close', resolve));
    connect('192.0.2.1');
    expect(refused).toHaveLength(1);
    connect('192.0.2.1');
    expect(refused).toHaveLength(2);
  });

  test('an IPv6 network counts as one address', () => {
    const { connect, refused } = play(2);
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::3', '2001:db8:1:3::1']) connect(address);
    expect(refused).toEqual(['2001:db8:1:2::3']);
  });

  test('connections from this machine are not counted, and without a bound none are', () => {
    const bounded = play(1);
    for (const address of ['127.0.0.1', '127.0.0.1', '::1', '::1', '::ffff:127.0.0.1', '::ffff:127.0.0.1']) bounded.connect(address);
    const free = play(null);
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1']) free.connect(address);
    expect([bounded.refused, free.refused]).toEqual([[], []]);
  });

  test('a further one is told why it is refused, and has a line in the audit log', () => {
    const lines: AuditedAction[] = [];
    let said = '';
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      said += chunk.toString();
      done();
    };
    const socket = Object.assign(new Duplex({ read() {}, write }), { remoteAddress: '192.0.2.1' }) as Duplex as Socket;
    refuseCrowd(() => (action) => void lines.push(action))(socket);
    expect(said).toMatch(/^HTTP\/1.1 429 .*Retry-After: 1\r\n.*"code":"RATE_LIMITED"/s);
    expect([socket.destroyed, lines]).toEqual([true, [{ outcome: 'limited', action: null, status: 429, reason: 'TOO_MANY_CONNECTIONS' }]]);
  });
});
