// docs/clients.md tells the codes of errors, their statuses and whether to try again as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { GraphQLEnumType, GraphQLInterfaceType } from 'graphql';
import { expect, test } from 'vitest';
import { beginning, renderFeedCursor } from '../../src/domain/event-feed.ts';
import { limits } from '../../src/domain/limits.ts';
import { retries, retryOf } from '../../src/domain/retry.ts';
import { typeOfCode } from '../../src/graphql/problem-types.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { useDatabase } from '../support/database.ts';
import { useRest } from '../support/rest.ts';

const gateway = useRest(useDatabase());
const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| (`[A-Z_`, ]+`) \| ([\d, ]+) \| `([A-Z_]+)` \|/gm)].flatMap(([, codes = '', statuses = '', retry = '']) =>
    codes
      .split(', ')
      .map((code): [string, { statuses: number[]; retry: string }] => [
        code.replaceAll('`', ''),
        { statuses: statuses.split(', ').map(Number), retry },
      ]),
  ),
);

const errorCodes = Object.keys(retries);

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Extensions {
  readonly code: string;
  readonly retry: string;
  readonly problems?: readonly object[];
}

function ask({
  method = 'POST',
  path = '/graphql',
  headers = {},
  body,
}: Sent): Promise<{ status: number; extensions: Extensions | undefined }> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, gateway.url);
    const all = { 'content-type': 'application/json', 'x-auth-token': 'admin', ...headers };
    const sent = httpRequest(url, { method, headers: all }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      const { errors } = JSON.parse(text) as { errors?: { extensions: Extensions }[] };
      resolve({ status: response.statusCode ?? 0, extensions: errors?.[0]?.extensions });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const document = (query: string, more: object = {}): Sent => ({ body: JSON.stringify({ query, ...more }) });
/** Of an event that is not there. */
const lost = renderFeedCursor({ ...beginning, delivered: { snapshot: '10:10:', newestId: 5, newestXid: '5' } });
const version = '{ serviceInfo { version } }';

test.each<[code: string, status: number, sent: Sent]>([
  ['GRAPHQL_PARSE_FAILED', 400, document('{')],
  ['GRAPHQL_VALIDATION_FAILED', 400, document('{ nothing }')],
  ['OPERATION_RESOLUTION_FAILURE', 400, document(version, { operationName: 'A' })],
  ['BAD_USER_INPUT', 400, document('{ resourceProviders(first: 1, last: 1) { totalCount } }')],
  ['NOT_FOUND', 400, document('{ totals(resourceClasses: "VCPUZ") { own { total } } }')],
  [
    'CURSOR_EXPIRED',
    400,
    document('query ($after: String) { eventFeed(after: $after) { nodes { kind } } }', { variables: { after: lost } }),
  ],
  ['TOO_COMPLEX', 400, document(`{ ${'serviceInfo { version } '.repeat(1000)} }`)],
  ['TOO_COMPLEX', 400, document(`{ ${Array.from({ length: 30 }, (_, index) => `a${index}: serviceInfo { version }`).join(' ')} }`)],
  ['COST_LIMIT_EXCEEDED', 400, document('{ resourceProviders(first: 1000) { nodes { heldHere(first: 1000) { nodes { amount } } } } }')],
  ['BAD_REQUEST', 400, { body: '{}' }],
  ['BATCH_DISABLED', 400, { body: `[{"query":"${version}"}]` }],
  ['UNAUTHENTICATED', 401, { ...document('{ totals { own { total } } }'), headers: { 'x-auth-token': '' } }],
  ['FORBIDDEN', 403, { ...document('{ totals { own { total } } }'), headers: { 'x-auth-token': 'somebody' } }],
  ['FORBIDDEN', 403, { ...document(version), headers: { origin: 'https://evil.example' } }],
  ['METHOD_NOT_ALLOWED', 405, { method: 'PUT' }],
  ['METHOD_NOT_ALLOWED', 405, { method: 'GET', path: '/graphql?query=mutation{deleteTrait(input:{name:%22CUSTOM_A%22}){replayed}}' }],
  ['NOT_ACCEPTABLE', 406, { ...document(version), headers: { accept: 'text/html' } }],
  ['PAYLOAD_TOO_LARGE', 413, { ...document(version.padEnd(5 << 20)), headers: { connection: 'close' } }],
  ['UNSUPPORTED_MEDIA_TYPE', 415, { ...document(version), headers: { 'content-type': 'text/plain' } }],
  ['MISDIRECTED_REQUEST', 421, { ...document(version), headers: { host: 'evil.example' } }],
  [
    'PERSISTED_QUERY_NOT_FOUND',
    200,
    { body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }) },
  ],
])('%s has status %i, and says whether to try again', async (code, status, sent) => {
  const row = rows.get(code);
  expect(await ask(sent)).toMatchObject({ status, extensions: { code, retry: row?.retry } });
  expect(row?.statuses).toContain(status);
});

test('the table of the page is that of the gateway', () => {
  const refusals = new Set(Object.keys(typeOfCode));
  const codes = errorCodes.filter((code) => !refusals.has(code) || rows.has(code));
  expect([...rows.keys(), 'TOO_MANY_REQUESTS'].toSorted()).toEqual(codes.toSorted());
  for (const [code, { retry }] of rows) expect(retryOf(code), code).toBe(retry);
});

test('the contract has each code of a refusal, and its type', () => {
  const schema = loadSchema();
  const codes = (schema.getType('UserErrorCode') as GraphQLEnumType).getValues().map(({ name }) => name);
  expect(codes.toSorted()).toEqual(Object.keys(typeOfCode).toSorted());
  const types = schema.getPossibleTypes(schema.getType('UserError') as GraphQLInterfaceType).map(({ name }) => name);
  expect(types.toSorted()).toEqual(Object.values(typeOfCode).toSorted());
});

test('nothing is refused with a code that is not in the table', () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const given = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/httpRefusal\(\s*\d+,\s*'(\w+)'/g)].map(([, code = '']) => code),
  );
  expect(given.length).toBeGreaterThan(20);
  expect(given.filter((code) => !errorCodes.includes(code))).toEqual([]);
});

test.each<[string, Sent, path: string[]]>([
  ['a page of less than nothing', document('{ traits(first: -1) { totalCount } }'), ['first']],
  [
    'the same in a variable',
    document('query ($first: Int) { traits(first: $first) { totalCount } }', { variables: { first: -1 } }),
    ['first'],
  ],
  [
    'a variable that cannot be',
    document('query ($first: Int) { traits(first: $first) { totalCount } }', { variables: { first: 'a' } }),
    ['first'],
  ],
  [
    'a part of a variable',
    document('query ($filter: NameFilterInput) { traits(filter: $filter) { totalCount } }', {
      variables: { filter: { names: ['A', 5] } },
    }),
    ['filter', 'names', '1'],
  ],
  ['a literal that cannot be', document('{ traits(filter: { names: ["A", 5] }) { totalCount } }'), ['filter', 'names', '1']],
  ['what an operation refuses', document('{ resourceProviders(filter: { names: [""] }) { totalCount } }'), ['filter', 'names', '0']],
])('%s is among the problems, with its place', async (_, sent, path) => {
  const { extensions } = await ask(sent);
  expect(extensions?.problems).toMatchObject([
    { code: 'INVALID_INPUT', path, retry: 'NEVER', message: expect.stringContaining(String(path[0])) },
  ]);
});

test('a document of too many tokens or selections is told the name of the limit', async () => {
  const fragments = Array.from({ length: 12 }, (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`).join(' ');
  const { extensions: tokens } = await ask(document(`{ ${'serviceInfo { version } '.repeat(1000)} }`));
  expect(tokens).toMatchObject({ measure: 'tokens', limit: limits.operationTokens });
  const { extensions: selections } = await ask(document(`{ ...F0 } ${fragments} fragment F12 on Query { viewer { roles } }`));
  expect(selections).toMatchObject({ measure: 'selections', limit: limits.operationSelections });
});
