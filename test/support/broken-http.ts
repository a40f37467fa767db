// Malformed HTTP: bytes for a socket, from a request with a line that is wrong, missing, duplicated or truncated.
// Knows the wire format; does not judge answers.
import fc, { type Arbitrary } from 'fast-check';

const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);

const startLine = fc
  .tuple(
    oneOf('GET', 'GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'get', 'BREW', 'G T', '', 'PRI', '\0'),
    oneOf(
      '/placement/traits',
      '/placement/resource_providers',
      '/placement',
      '/placement/%',
      '/graphql',
      '/graphql/?query={__typename}',
      '/graphql?query=%7B&extensions=%7B%22persistedQuery%22:7%7D',
      '/explorer/assets/%2e%2e/index.html',
      '/placement/\xff',
      '/placement//x',
      '/placement/traits/../%2e%2e',
      '/placement?%',
      '*',
      'http://a/placement/traits',
      `/placement/${'a'.repeat(20_000)}`,
      '',
    ),
    oneOf('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 ', 'http/1.1', ''),
  )
  .map((words) => words.join(' '));

const header = oneOf(
  ...[
    'host: localhost',
    'host: localhost',
    'origin: http://localhost',
    'origin: null',
    'accept-encoding: gzip, br',
    'accept-encoding: ;;q=,*;q=\x7f',
    'host: a',
    'host: a\r\nhost: b',
    'host:',
    'x-auth-token: admin',
    'x-auth-token: admin\r\nx-auth-token: b',
    'openstack-api-version: placement 1.39',
  ],
  ...[
    'content-type: application/json',
    'content-length: 2',
    'content-length: 2',
    'content-length: 3',
    'content-length: -1',
    'content-length: x',
    'content-length: 2, 2',
  ],
  ...[
    'content-length: 99999999999999999999',
    'transfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'transfer-encoding: chunked, identity',
  ],
  ...[
    'connection: close',
    'connection: upgrade\r\nupgrade: websocket',
    'expect: 100-continue',
    'expect: miracles',
    'no colon',
    ' folded: x',
    'a b: c',
    'x: \0',
    'x: \x7f',
  ],
  ...[`x: ${'y'.repeat(17_000)}`, ': empty', 'accept: text/html', 'accept: \xff'],
);
const body = oneOf(
  '',
  '{}',
  '{}',
  '{}{}',
  '2\r\n{}\r\n0\r\n\r\n',
  'zz\r\n{}\r\n',
  '2\r\n{}',
  '-1\r\n',
  '0\r\n\r\n',
  '\r\n\r\n',
  '{}GET / HTTP/1.1\r\nhost: a\r\n\r\n',
);

/** Bytes as latin-1. Some requests are sent only in part. */
export const brokenHttp: Arbitrary<string> = fc
  .record({
    startLine,
    headers: fc.array(header, { maxLength: 6 }),
    lineEnd: oneOf('\r\n', '\r\n', '\r\n', '\n', '\r'),
    body,
    kept: fc.oneof({ arbitrary: fc.constant(1), weight: 6 }, fc.double({ min: 0.02, max: 1, noNaN: true })),
  })
  .map(({ startLine, headers, lineEnd, body, kept }) => {
    const text = `${[startLine, ...headers].join(lineEnd)}${lineEnd}${lineEnd}${body}`;
    return text.slice(0, Math.ceil(text.length * kept));
  });
