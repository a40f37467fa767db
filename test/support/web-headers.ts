// Random headers of browsers and proxies, for encodings and origins, and the faults in how an answer of either API treats them.
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';

type Headers = Readonly<Record<string, string>>;

/** The origin that a server under test allows: its setting PLACEMENT_CORS_ALLOWED_ORIGIN. */
export const allowedOrigin = 'https://cloud.example';

const oneOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const none = fc.constant<Headers>({});

const strangeEncodings = oneOf(
  ...[
    '*',
    ';;q=',
    'gzip;q=0, *',
    'br;q=0, *',
    'identity;q=0',
    'zstd',
    'br;q=0.001, gzip;q=1.0',
    'gzip; q = 1',
    'BR',
    'br;q=NaN, gzip;q=-1',
  ],
  ...['br;q=1e9', 'gzip;;;,,,br', '__proto__', 'constructor, br', '*;q=0', ''],
  ...[','.repeat(3000), 'br,'.repeat(3000), `gzip;${'q=1;'.repeat(2000)}`, '\xff'],
);
const strangeOrigins = oneOf(
  'null',
  'http://localhost',
  `${allowedOrigin}.evil.example`,
  `${allowedOrigin}/`,
  'x',
  '',
  ' ',
  'https://',
  '*',
  '\xff',
);
const askedMethods = oneOf('POST', 'PUT', 'DELETE', 'TRACE', 'x y', '');
const askedHeaders = oneOf(
  ...['content-type, x-auth-token', 'X-Auth-Token,OpenStack-API-Version', 'x-graphql-cost', 'cookie', 'content-type, cookie'],
  ...['', ',', '*', 'x\xff', ','.repeat(3000), 'x-auth-token,'.repeat(500)],
);

const encodings: Arbitrary<Headers> = fc.oneof(
  { arbitrary: none, weight: 6 },
  {
    arbitrary: oneOf('br', 'gzip', 'gzip, br', 'gzip, deflate, br, zstd').map((accepted) => ({ 'accept-encoding': accepted })),
    weight: 10,
  },
  { arbitrary: strangeEncodings.map((accepted) => ({ 'accept-encoding': accepted })), weight: 3 },
);
const preflights: Arbitrary<Headers> = fc.oneof(
  { arbitrary: none, weight: 2 },
  fc.tuple(askedMethods, askedHeaders).map(([method, names]) => ({
    'access-control-request-method': method,
    'access-control-request-headers': names,
  })),
);
const origins: Arbitrary<Headers> = fc.oneof(
  { arbitrary: none, weight: 20 },
  { arbitrary: preflights.map((preflight) => ({ origin: allowedOrigin, ...preflight })), weight: 3 },
  { arbitrary: fc.tuple(strangeOrigins, preflights).map(([origin, preflight]) => ({ origin, ...preflight })), weight: 1 },
);

export const webHeaders: Arbitrary<Headers> = fc.tuple(encodings, origins).map(([encoding, origin]) => ({ ...encoding, ...origin }));

/** The text of a body. Throws if it does not have the encoding named in its headers. */
export function decoded(headers: IncomingHttpHeaders, bytes: Buffer): string {
  const encoding = headers['content-encoding'];
  if (bytes.length === 0 || encoding === undefined) return bytes.toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  throw new Error(`an answer in ${encoding}`);
}

/** The fault in the encoding or in the CORS headers of an answer; null if there is none. */
export function webFaultOf(
  asked: Headers,
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
): string | null {
  const encoding = headers['content-encoding'];
  const varies = (headers.vary ?? '').split(', ');
  if (encoding !== undefined && !isTaken(encoding, asked['accept-encoding'] ?? '')) return `${encoding}, which was not accepted`;
  if (encoding !== undefined && !varies.includes('accept-encoding')) return 'an encoding, but without Vary';
  const { origin } = asked;
  const told = headers['access-control-allow-origin'];
  if (told !== undefined && (told !== origin || origin !== allowedOrigin)) return `access for ${told}`;
  if (origin === allowedOrigin && status < 300 && told === undefined) return 'no access for the allowed origin';
  if (told !== undefined && !varies.includes('origin')) return 'access for an origin, but without Vary';
  const names = headers['access-control-allow-headers'];
  return names === undefined || /^[a-z-]+(,[a-z-]+)*$/.test(String(names)) ? null : `access for the headers ${names}`;
}

/** Whether a header names an encoding, or `*`, and does not forbid it. */
function isTaken(encoding: string, accepted: string): boolean {
  const named = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const isNamed = (name: string) => named.some((part) => part.split(';')[0]?.trim() === name && !/;\s*q=0(\.0*)?\s*$/.test(part));
  return isNamed(encoding) || isNamed('*');
}
