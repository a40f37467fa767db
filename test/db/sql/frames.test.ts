// The check of a server's bytes: what a Postgres says passes, however it is cut into pieces; what none says is refused, whatever it is.
import { describe, expect, test } from 'vitest';
import { Frames, ProtocolFault } from '../../../src/db/sql/frames.ts';

const message = (type: string, body: Buffer | string = '') => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const authentication = (kind: number, body = '') => message('R', Buffer.concat([Buffer.from([0, 0, 0, kind]), Buffer.from(body)]));
const ready = message('Z', 'I');
const greeting = Buffer.concat([
  authentication(10, 'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0'),
  authentication(11, 'r=abc/+def,s=c2FsdA==,i=4096'),
  authentication(12, 'v=c2lnbmF0dXJl'),
  authentication(0),
  message('S', 'in_hot_standby\0off\0'),
  message('K', Buffer.from([0, 0, 4, 1, 9, 9, 9, 9])),
  ready,
]);
const column = (name: string) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(18)]);
const answer = Buffer.concat([
  message('1'),
  message('t', Buffer.from([0, 1, 0, 0, 0, 23])),
  message('T', Buffer.concat([Buffer.from([0, 2]), column('one'), column('other')])),
  message('2'),
  message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 3, 232]), Buffer.alloc(1000, 'x')])),
  message('D', Buffer.from([0, 1, 255, 255, 255, 255])),
  message('C', 'SELECT 2\0'),
  ready,
]);
const session = Buffer.concat([greeting, answer, answer]);

describe('a message of Postgres', () => {
  test.each([1, 2, 3, 5, 7, 64, 1000, session.length])('passes in pieces of %d bytes', (size) => {
    const frames = new Frames();
    const passed: Buffer[] = [];
    for (let at = 0; at < session.length; at += size) passed.push(frames.take(session.subarray(at, at + size)));
    expect(Buffer.concat(passed).equals(session)).toBe(true);
    expect(frames).toMatchObject({ isGreeted: true, readyCount: 3, processId: 0x401, refusal: null });
    expect([...frames.parameters]).toEqual([['in_hot_standby', 'off']]);
  });

  test('at the end of a session is passed on', () => {
    const frames = new Frames();
    frames.take(greeting);
    frames.take(message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));
    expect(frames.refusal).toEqual({ code: '57P01', message: 'terminating connection' });
  });

  test('about a failed statement does not end the session', () => {
    const frames = new Frames();
    frames.take(Buffer.concat([greeting, message('E', 'SERROR\0VERROR\0C22P02\0Mno number\0\0'), ready]));
    expect(frames).toMatchObject({ refusal: null, readyCount: 2 });
  });
});

describe('what is not a message of Postgres is refused', () => {
  test.each([
    ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a row before the session', message('D', Buffer.from([0, 0]))],
    ['an authentication that is none', message('R', Buffer.from([0]))],
    ['Kerberos', authentication(7)],
    ['another mechanism', authentication(10, 'GSSAPI\0\0')],
    ['the second step before the first', authentication(11, 'r=a,s=c2FsdA==,i=4096')],
    ['a second step without salt', Buffer.concat([authentication(10, 'SCRAM-SHA-256\0\0'), authentication(11, 'r=a,i=4096')])],
    [
      'a second step that would hash for hours',
      Buffer.concat([authentication(10, 'SCRAM-SHA-256\0\0'), authentication(11, 'r=a,s=c2FsdA==,i=2000000000')]),
    ],
    ['a second step in other words', Buffer.concat([authentication(10, 'SCRAM-SHA-256\0\0'), authentication(11, 'garbage')])],
    ['a setting without a value', message('S', 'TimeZone')],
    ['a message of two gigabytes', Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff])],
    ['a message shorter than its length', Buffer.from([0x52, 0, 0, 0, 3])],
    ['columns without names', Buffer.concat([greeting, message('T', Buffer.from([0, 2, 1, 2, 3]))])],
    ['fewer columns than there should be', Buffer.concat([greeting, message('T', Buffer.concat([Buffer.from([0, 2]), column('one')]))])],
    ['a copy that nobody asked for', Buffer.concat([greeting, message('G', Buffer.from([0, 0, 0]))])],
    ['an authentication in the middle of a session', Buffer.concat([greeting, authentication(11, 'garbage')])],
    ['ready without an answer', Buffer.concat([greeting, ready])],
  ])('%s', (_, bytes) => {
    expect(() => new Frames().take(bytes)).toThrow(ProtocolFault);
  });

  test('one wrong byte anywhere does no harm', () => {
    let refused = 0;
    for (let at = 0; at < session.length; at++) {
      for (const flip of [0xff, 0x01, 0x20]) {
        const wrong = Buffer.from(session);
        wrong[at] = (wrong[at] ?? 0) ^ flip;
        try {
          new Frames().take(wrong);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolFault);
          refused++;
        }
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});
