// Which operations run, for which callers, and how others are refused.
import { describe, expect, test } from 'vitest';
import { ask, call, lines, portOf, refusal, sendBytes, server, useListener } from '../support/listener.ts';

useListener();

describe('an operation', () => {
  test('is answered with data', async () => {
    const { status, json } = await ask('query ($n: Int!) { twice(n: $n) }', { variables: { n: 21 } });
    expect([status, json]).toEqual([200, { data: { twice: 42 } }]);
  });

  test('knows the caller', async () => {
    const { json, headers } = await ask('{ who }', {}, { 'x-auth-token': 'admin:blue' });
    expect(json.data).toEqual({ who: `admin/blue ${headers['x-openstack-request-id']}` });
  });

  test('keeps its loaders until its reads are forgotten', async () => {
    expect((await ask('{ loaders }')).json.data).toEqual({ loaders: [true, false] });
  });

  test.each([
    ['an unknown operationName', '{ hello }', { operationName: 'b' }],
    ['no operationName with two operations', 'query a { hello } query b { hello }', {}],
    ['an operationName of 256 kibibytes', '{ hello }', { operationName: 'x'.repeat(1 << 18) }],
  ])('with %s is refused', async (_, query, more) => {
    expect(refusal(await ask(query, more))).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
  });

  test('that is one of several must be named', async () => {
    const { json } = await ask('query a { hello } query b { hello }');
    expect(json.errors?.[0]?.message).toBe('The document has several operations: give the name of one in operationName.');
  });

  test.each([[{}], [{ n: '5' }], [{ n: null }], [{ n: 1.5 }], [{ n: 2 ** 31 }], [{ n: [1, 2] }], [{ n: {} }], [{ n: true }]])(
    'with the variables %j is refused',
    async (variables) => {
      for (let round = 0; round < 4; round += 1) {
        expect(refusal(await ask('query ($n: Int!) { twice(n: $n) }', { variables }))).toEqual([400, 'BAD_USER_INPUT']);
      }
    },
  );

  test('that is a subscription, or defers, is refused', async () => {
    expect((await ask('subscription { hello }')).status).toBe(400);
    expect(refusal(await ask('{ hello ... @defer { who } }'))).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });
});

describe('an operation that is too large', () => {
  const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');

  test.each([
    ['101 aliases', `{ ${times(101, (index) => `a${index}: __typename`)} }`, 'TOO_COMPLEX'],
    ['600 aliases of a mutation', `mutation { ${times(600, (index) => `a${index}: claim`)} }`, 'TOO_COMPLEX'],
    ['500 times the same field', `{ ${times(500, () => 'hello')} }`, 'TOO_COMPLEX'],
    ['3,000 times the same field', `{ ${times(3000, () => 'hello')} }`, 'TOO_COMPLEX'],
    ['10,000 times __typename', `{ ${times(10_000, () => '__typename')} }`, 'TOO_COMPLEX'],
    ['1,000 directives', `{ hello ${times(1000, () => '@include(if: true)')} }`, 'TOO_COMPLEX'],
    ['depth 16', `{ provider { ${'children { '.repeat(15)} name ${'}'.repeat(15)} } }`, 'TOO_COMPLEX'],
    ['depth 600', `{ provider { ${'children { '.repeat(600)} name ${'}'.repeat(600)} } }`, 'TOO_COMPLEX'],
    ['depth 5,000', `{ provider { ${'children { '.repeat(5000)} name ${'}'.repeat(5000)} } }`, 'TOO_COMPLEX'],
    ['lists within lists', `{ provider { ${'children { '.repeat(9)} name ${'}'.repeat(9)} } }`, 'COST_LIMIT_EXCEEDED'],
    [
      'fragments in a circle',
      '{ provider { ...A } } fragment A on Provider { ...B } fragment B on Provider { ...A }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'fragments that double thirty times',
      `{ provider { ...F0 } } ${times(30, (index) => `fragment F${index} on Provider { ...F${index + 1} ...F${index + 1} }`)} fragment F30 on Provider { name }`,
      'TOO_COMPLEX',
    ],
  ])('(%s) is refused', async (_, query, code) => {
    expect(refusal(await ask(query))).toEqual([400, code]);
  });

  test('gets a few errors, not one for each fault', async () => {
    const { json } = await ask(`{ hello ${times(200, (index) => `nothing${index}`)} }`);
    expect(json.errors?.length).toBeLessThanOrEqual(6);
  });
});

describe('a token', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['sent twice', ['admin', 'admin']],
  ])('that is %s is not accepted', async (_, token) => {
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { 'x-auth-token': token }) };
    expect(refusal(await call({ headers, body: '{"query":"{ hello }"}' }))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('of anyone but the administrator is not enough, whatever other headers claim', async () => {
    const forged = { 'x-auth-token': 'ann:admin', 'x-roles': 'admin', 'x-is-admin-project': 'True' };
    expect(refusal(await ask('{ hello }', {}, forged))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await ask('mutation { claim }', {}, forged))).toEqual([403, 'FORBIDDEN']);
  });

  test('is not needed for the service alone', async () => {
    for (const query of [
      '{ serviceInfo { version } }',
      '{ __typename a: serviceInfo { version } ... { serviceInfo { version } } ...A } fragment A on Query { serviceInfo { version } }',
    ]) {
      expect((await ask(query, {}, { 'x-auth-token': '' })).json).toMatchObject({ data: { serviceInfo: { version: '1' } } });
    }
  });

  test.each([
    '{ serviceInfo { version } hello }',
    '{ serviceInfo { version } ...A } fragment A on Query { hello }',
    '{ ... on Query { hello } }',
    '{ serviceInfo { version } __schema { types { name } } }',
    '{ __type(name: "Query") { name } }',
    'mutation { __typename }',
  ])('is needed for %s', async (query) => {
    expect(refusal(await ask(query, {}, { 'x-auth-token': '' }))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is needed to see validation errors, which reveal the schema', async () => {
    for (const [token, expected] of [
      ['', [401, 'UNAUTHENTICATED']],
      ['ann', [403, 'FORBIDDEN']],
    ] as const) {
      const answer = await ask('{ helo serviceInfo { vrsion } }', {}, { 'x-auth-token': token });
      expect(refusal(answer)).toEqual(expected);
      expect(answer.text).not.toMatch(/Did you mean|hello|version/);
    }
    expect((await ask('{ helo }')).text).toContain('Did you mean');
  });

  test('never reaches the log', async () => {
    await ask('{ hello }', {}, { 'x-auth-token': 'canary-user:canary-project, canary' });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  test('of a mebibyte is cut off by the server', async () => {
    const said = await sendBytes(`POST /graphql HTTP/1.1\r\nHost: a\r\nX-Auth-Token: ${'a'.repeat(1 << 20)}\r\n\r\n`, {
      port: portOf(server),
    });
    expect(said).toMatch(/^HTTP\/1.1 431 /);
  });
});
