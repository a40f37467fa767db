// What never becomes a request has a line in the audit log, and whoever sends nothing else does not fill it.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Audit, AuditedAction, AuditedRequest } from '../../src/domain/audit.ts';
import { limits } from '../../src/domain/limits.ts';
import { answerMalformed } from '../../src/listener/malformed-http.ts';

let lines: (Pick<AuditedRequest, 'ip' | 'target'> & AuditedAction)[];
const audit: Audit =
  ({ ip, target }) =>
  (action) => {
    lines.push({ ip, target, ...action });
  };
beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

/** The sending side of a connection from an address; keeps what it was told. */
function socketFrom(remoteAddress: string): { readonly socket: Socket; said(): string } {
  const chunks: string[] = [];
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { socket: Object.assign(stream, { remoteAddress }) as Duplex as Socket, said: () => chunks.join('') };
}

describe('malformed HTTP', () => {
  test('is logged with its source, status and reason', () => {
    const answer = answerMalformed(audit);
    const answers = [
      ['HPE_INVALID_METHOD', 400],
      ['HPE_HEADER_OVERFLOW', 431],
      ['ERR_HTTP_REQUEST_TIMEOUT', 408],
    ] as const;
    for (const [code, status] of answers) {
      const { socket, said } = socketFrom('192.0.2.1');
      answer({ code, rawPacket: Buffer.from('GET /placement/traits HTTP/9\r\nX-Auth-Token: canary') }, socket);
      expect(said()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(said()).toMatch(/^x-content-type-options: nosniff\r\ncross-origin-resource-policy: same-origin\r$/im);
      expect(socket.destroyed).toBe(true);
    }
    expect(lines).toEqual(
      answers.map(([reason, status]) => ({ ip: '192.0.2.1', target: null, outcome: 'invalid', action: null, status, reason })),
    );
  });

  test('has a line at once, and one line for all repetitions within a second', () => {
    const answer = answerMalformed(audit);
    const send = (times: number, address: string) => {
      for (let sent = 0; sent < times; sent++) answer({ code: 'HPE_INVALID_METHOD' }, socketFrom(address).socket);
    };
    send(5000, '192.0.2.1');
    send(1, '192.0.2.2');
    expect(lines.map(({ ip, times }) => [ip, times])).toEqual([
      ['192.0.2.1', undefined],
      ['192.0.2.2', undefined],
    ]);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(2).map(({ ip, times }) => [ip, times])).toEqual([['192.0.2.1', 4999]]);
    send(1, '192.0.2.1');
    vi.advanceTimersByTime(5000);
    expect(lines.slice(3)).toMatchObject([{ ip: '192.0.2.1' }]);
  });

  test('has one line for all sources beyond those that are listed', () => {
    const answer = answerMalformed(audit);
    for (let source = 0; source < 3 * limits.auditedSources; source++)
      answer({ code: 'HPE_INVALID_METHOD' }, socketFrom(`192.0.${source >> 8}.${source & 255}`).socket);
    expect(lines.length).toBe(limits.auditedSources + 1);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(limits.auditedSources).map(({ ip, times }) => [ip, times])).toEqual([
      ['', undefined],
      ['', 2 * limits.auditedSources - 1],
    ]);
  });

  test('is answered without an audit log, but not after the client has gone', () => {
    const here = socketFrom('192.0.2.1');
    answerMalformed(null)({ code: 'HPE_INVALID_METHOD' }, here.socket);
    expect(here.said()).toMatch(/^HTTP\/1.1 400 /);
    const gone = socketFrom('192.0.2.1');
    answerMalformed(audit)({ code: 'ECONNRESET' }, gone.socket);
    expect([gone.said(), lines]).toEqual(['', []]);
  });
});
