// docs/clients.md tells the codes of errors and their statuses as they are.
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest } from '../support/rest.ts';

const gateway = useRest(useDatabase());
const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const statusesByCode = new Map(
  [...page.matchAll(/^\| (`[A-Z_`, ]+`) \| ([\d, ]+) \|/gm)].flatMap(([, codes = '', statuses = '']) =>
    codes.split(', ').map((code): [string, number[]] => [code.replaceAll('`', ''), statuses.split(', ').map(Number)]),
  ),
);

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function ask({ method = 'POST', path = '/graphql', headers = {}, body }: Sent): Promise<{ status: number; code: string | undefined }> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, gateway.url);
    const all = { 'content-type': 'application/json', 'x-auth-token': 'admin', ...headers };
    const sent = httpRequest(url, { method, headers: all }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      const { errors } = JSON.parse(text) as { errors?: { extensions: { code: string } }[] };
      resolve({ status: response.statusCode ?? 0, code: errors?.[0]?.extensions.code });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const document = (query: string, more: object = {}): Sent => ({ body: JSON.stringify({ query, ...more }) });
const version = '{ serviceInfo { version } }';

test.each<[code: string, status: number, sent: Sent]>([
  ['GRAPHQL_PARSE_FAILED', 400, document('{')],
  ['GRAPHQL_VALIDATION_FAILED', 400, document('{ nothing }')],
  ['OPERATION_RESOLUTION_FAILURE', 400, document(version, { operationName: 'A' })],
  ['BAD_USER_INPUT', 400, document('{ resourceProviders(first: 1, last: 1) { totalCount } }')],
  ['NOT_FOUND', 400, document('{ totals(resourceClasses: "VCPUZ") { own { total } } }')],
  ['NOT_FOUND', 404, { path: '/nothing', method: 'GET' }],
  ['TOO_COMPLEX', 400, document(`{ ${Array.from({ length: 30 }, (_, index) => `a${index}: serviceInfo { version }`).join(' ')} }`)],
  ['COST_LIMIT_EXCEEDED', 400, document('{ resourceProviders(first: 1000) { nodes { heldHere(first: 1000) { nodes { amount } } } } }')],
  ['BAD_REQUEST', 400, { body: '{}' }],
  ['BATCH_DISABLED', 400, { body: `[{"query":"${version}"}]` }],
  ['UNAUTHENTICATED', 401, { ...document('{ totals { own { total } } }'), headers: { 'x-auth-token': '' } }],
  ['FORBIDDEN', 403, { ...document('{ totals { own { total } } }'), headers: { 'x-auth-token': 'somebody' } }],
  ['FORBIDDEN', 403, { ...document(version), headers: { origin: 'https://evil.example' } }],
  ['METHOD_NOT_ALLOWED', 405, { method: 'PUT' }],
  ['NOT_ACCEPTABLE', 406, { ...document(version), headers: { accept: 'text/html' } }],
  ['PAYLOAD_TOO_LARGE', 413, { ...document(version.padEnd(5 << 20)), headers: { connection: 'close' } }],
  ['UNSUPPORTED_MEDIA_TYPE', 415, { ...document(version), headers: { 'content-type': 'text/plain' } }],
  ['MISDIRECTED_REQUEST', 421, { ...document(version), headers: { host: 'evil.example' } }],
  [
    'PERSISTED_QUERY_NOT_FOUND',
    200,
    { body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }) },
  ],
])('%s has status %i', async (code, status, sent) => {
  expect(await ask(sent)).toEqual({ status, code });
  expect(statusesByCode.get(code)).toContain(status);
});
