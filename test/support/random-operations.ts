// Random GraphQL requests over HTTP: valid documents, variables, headers and bodies, some of them corrupted in some places. Knows the
// format of requests; does not judge answers.
import { createHash } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { uuidOf } from './seed.ts';
import { webHeaders } from './web-headers.ts';

export interface RandomOperation {
  readonly method: string;
  /** With its query string, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const oneOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const often = <Value>(usual: Arbitrary<Value>, rare: Arbitrary<Value>, times = 8): Arbitrary<Value> =>
  fc.oneof({ arbitrary: usual, weight: times }, { arbitrary: rare, weight: 1 });

interface Operation {
  readonly query: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

const good = fc.nat({ max: 1000 }).map((number) => `CUSTOM_${number}`);
const names = often(good, oneOf('CUSTOM_A', 'lower', '', 'X'.repeat(300), '\0', '\ud800', '🦆', '__proto__'), 3);
const uuids = fc.nat({ max: 30 }).map((number) => uuidOf(`u${number}`));
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  names,
  oneOf<unknown>(null, true, -1, 1.5, 2 ** 31, 2 ** 53, [], {}, [[]], 'x'.repeat(100_000)),
);

const answered = 'event { id } replayed userErrors { code message path retry }';
const writes: Arbitrary<Operation> = fc.oneof(
  names.map((name) => ({
    query: `mutation Write($name: String!) { createTrait(input: { name: $name }) { ${answered} } }`,
    variables: { name },
  })),
  fc.tuple(uuids, names, fc.option(uuids)).map(([uuid, name, parent]) => ({
    query: `mutation ($input: CreateResourceProviderInput!) { createResourceProvider(input: $input) { resourceProvider { name } ${answered} } }`,
    variables: { input: { uuid, name, parent } },
  })),
  fc.tuple(uuids, oneOf(0, 1, 8, 2 ** 31)).map(([resourceProvider, total]) => ({
    query: `mutation ($input: SetInventoryInput!) { setInventory(input: $input) { resourceProvider { name } ${answered} } }`,
    variables: { input: { resourceProvider, expect: { unchecked: true }, inventory: { resourceClass: 'VCPU', total } } },
  })),
  fc.tuple(uuids, uuids, oneOf(1, 5)).map(([consumer, resourceProvider, amount]) => ({
    query: `mutation ($input: ReplaceAllocationsInput!) { a: replaceAllocations(input: $input) { ${answered} } }`,
    variables: {
      input: {
        consumers: [
          {
            consumer,
            expect: { isNew: true },
            hold: { allocations: [{ resourceProvider, resources: [{ resourceClass: 'VCPU', amount }] }] },
            project: 'p',
            user: 'u',
          },
        ],
      },
    },
  })),
);

/** Sent repeatedly, so that they are found by their hash. */
const plainReads = oneOf<Operation>(
  { query: '{ serviceInfo { version } }' },
  { query: '{ resourceProviders { totalCount nodes { name inventories { used } } } }' },
  { query: 'query A { traits { totalCount } } query B { __typename }', operationName: 'B' },
  { query: '{ __schema { types { name } } }' },
  { query: 'query ($skip: Boolean!) { traits(first: 2) @skip(if: $skip) { nodes { name } } __typename }', variables: { skip: true } },
  { query: '{ nodes(ids: ["x", "y"]) { id } }' },
);

const reads: Arbitrary<Operation> = fc.oneof(
  plainReads,
  fc.tuple(uuids, anyValue).map(([uuid, first]) => ({
    query:
      'query ($uuid: UUID, $first: Int) { resourceProvider(uuid: $uuid) { name } resourceProviders(first: $first) { nodes { uuid } } }',
    variables: { uuid, first },
  })),
  anyValue.map((filter) => ({
    query: 'query ($filter: ResourceProviderFilterInput) { resourceProviders(filter: $filter) { totalCount } }',
    variables: { filter },
  })),
);

const spoiltDocuments = oneOf<unknown>(
  ...[
    '',
    '{',
    '{ nothing }',
    '{ a: __typename a: serviceInfo { version } }',
    '{ resourceProvider(uuid: "x") { name } }',
    'fragment F on Query { ...F } { ...F }',
  ],
  ...[
    'subscription { x }',
    'query { traits { ...Missing } }',
    `{ ${'a'.repeat(10_000)} }`,
    '\ufeff{ __typename }',
    '{ __typename } \0',
    'type A { a: Int }',
  ],
  `{ ${'resourceProviders { nodes { parent { '.repeat(30)}name${' } } }'.repeat(30)} }`,
  `{ ${Array.from({ length: 500 }, (_, index) => `a${index}: resourceProviders(first: 1000) { nodes { name } }`).join(' ')} }`,
  `{ resourceProviders(filter: ${'{ not: '.repeat(60)}{}${' }'.repeat(60)}) { totalCount } }`,
  ...[null, 7, [], {}, true],
);

const hashOf = (query: unknown) => createHash('sha256').update(String(query)).digest('hex');
const byHash = (query: unknown) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(query) } });

/** Documents with their hash, or the hash alone. */
const stored: Arbitrary<Operation> = fc
  .tuple(often(plainReads, writes), fc.boolean())
  .map(([{ query, ...rest }, isTold]) => ({ ...rest, query: isTold ? query : undefined, extensions: byHash(query) }));

const unstored = often(often(reads, writes, 1), fc.record({ query: spoiltDocuments }), 4).chain(
  (plain: Operation): Arbitrary<Operation> => {
    const hash = hashOf(plain.query);
    const persistedQuery = oneOf<unknown>(
      ...[
        { version: 1, sha256Hash: hash },
        { version: 1, sha256Hash: hash.toUpperCase() },
        { version: 1, sha256Hash: '0'.repeat(64) },
      ],
      ...[{ version: 2, sha256Hash: hash }, { version: 1 }, null, 7, [], '__proto__'],
    );
    const spoil: Arbitrary<object> = fc.oneof(
      anyValue.map((variables) => ({ variables })),
      anyValue.map((operationName) => ({ operationName })),
      anyValue.map((extensions) => ({ extensions })),
      persistedQuery.map((named) => ({ extensions: { persistedQuery: named } })),
      persistedQuery.map((named) => ({ query: undefined, extensions: { persistedQuery: named } })),
      anyValue.map((id) => ({ id, documentId: id, constructor: { a: 1 } })),
    );
    return often(fc.constant({}), spoil, 2).map((spoilt) => ({ ...plain, ...spoilt }));
  },
);

const operation = often(unstored, stored, 4);

const deep = 100_000;
const spoiltBodies = oneOf<string | Buffer>(
  ...[
    '',
    '{',
    '[]',
    '[{"query":"{ __typename }"}]',
    'null',
    '7',
    '"x"',
    '{"query":',
    '{"query":"{ __typename }"} x',
    '\ufeff{"query":"{ __typename }"}',
  ],
  ...[
    '{"__proto__":{"a":1},"query":"{ __typename }"}',
    'query=%7B__typename%7D',
    '{ __typename }',
    '{"query":"{ __typename }","query":"{ nothing }"}',
  ],
  ...['['.repeat(deep), '{"a":'.repeat(deep), `{"query":"{ __typename }","variables":{"a":${'['.repeat(deep)}${']'.repeat(deep)}}}`],
  `{"query":"{ __typename }","variables":{"a":"${'x'.repeat(1_000_000)}"}}`,
  Buffer.from('{"query":"{ __typename } # \xff"}', 'latin1'),
  Buffer.from('{"query":"{ __typename }"}', 'utf16le'),
);

const header = (name: string, usual: Arbitrary<string | null>, rare: readonly (string | null)[], times = 20) =>
  often<string | null>(usual, oneOf<string | null>(...rare), times).map(
    (value): Record<string, string> => (value === null ? {} : { [name]: value }),
  );

const headers = fc
  .tuple(
    header('content-type', fc.constant('application/json'), [
      ...[
        'application/json; charset=utf-8',
        'application/json;charset="UTF-8"',
        'application/json; charset=latin1',
        'application/graphql',
        'text/plain',
      ],
      ...[
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        ';',
        'application/json; a=b; c',
        `application/json; a=${'b'.repeat(5000)}`,
        null,
      ],
    ]),
    header(
      'accept',
      oneOf<string | null>(null, '*/*', 'application/json', 'application/graphql-response+json'),
      [
        ...[
          'application/graphql-response+json, application/json;q=0.9',
          'text/html',
          'application/*;q=0',
          '*/*;q=0',
          ';;q=,',
          'application/json;q=2',
          'image/png, */*;q=0.1',
        ],
        ...['application/json; charset=utf-8', ','.repeat(5000), 'multipart/mixed; deferSpec=20220824, application/json'],
      ],
      4,
    ),
    header('content-encoding', fc.constant(null), ['gzip', 'identity', 'br, gzip', '']),
    header('x-auth-token', fc.constant('admin'), ['nobody:project', '', ':', 'a:b:c', 'x'.repeat(5000), '\xff', null]),
    header('apollo-require-preflight', oneOf(null, '1'), ['']),
    webHeaders,
    header('x-graphql-cost', oneOf(null, '1'), ['x']),
    header('x-openstack-request-id', fc.constant(null), ['req-x', `req-${uuidOf('x')}`, 'y'.repeat(3000)]),
    header('if-none-match', fc.constant(null), ['*', '"x"']),
    header('range', fc.constant(null), ['bytes=0-1']),
    header('x-http-method-override', fc.constant(null), ['DELETE']),
  )
  .map((parts): Record<string, string> => Object.assign({}, ...parts));

const paths = often(
  oneOf('/graphql', '/graphql/'),
  oneOf('/graphql?', '/graphql?query=%7B__typename%7D', '/graphql//', '/graphql/x', '/graphql?%', '/GraphQL', '/graphql%2f'),
);

const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** As parameters of a GET, without those that cannot be encoded. */
function searchOf({ query, variables, operationName, extensions }: Operation): string {
  const given = Object.entries({ query, variables, operationName, extensions }).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, text(value)])).toString();
  return search.length > 10_000 ? search.slice(0, 10_000) : search;
}

/** A random request; about half of them are valid. */
export const randomOperation: Arbitrary<RandomOperation> = fc
  .tuple(
    operation,
    often(oneOf('POST', 'POST', 'GET'), oneOf('HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'), 10),
    paths,
    headers,
    often(fc.constant(null), spoiltBodies),
  )
  .map(([asked, method, path, given, spoilt]): RandomOperation => {
    const asksInUrl = method === 'GET' || method === 'HEAD';
    const body = spoilt ?? JSON.stringify(asked);
    if (!asksInUrl) return { method, path, headers: given, body: method === 'OPTIONS' ? undefined : body };
    return { method, path: `${path}${path.includes('?') ? '&' : '?'}${searchOf(asked)}`, headers: given, body: undefined };
  });
