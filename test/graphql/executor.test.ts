import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { invalidInput, OutcomeUnknown, Unavailable } from '../../src/domain/errors.ts';
import { createExecutor, type Executor } from '../../src/graphql/executor.ts';
import { uuidScalar } from '../../src/graphql/scalars.ts';
import { isDatabaseFault } from '../../src/operations/request/faults.ts';

const failures: Record<string, () => Error> = {
  bug: () => new Error('secret detail of the database'),
  wrapped: () => new Error('Failed query: select 1', { cause: Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' }) }),
  killed: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  unique: () => Object.assign(new Error('duplicate key value violates "x"'), { code: '23505' }),
  refusal: () => invalidInput(['filter', 'names', 0], 'must not be empty'),
  unknown: () => new OutcomeUnknown(new Error('socket')),
  unknownWithKey: () => new OutcomeUnknown(new Error('socket'), { hasKey: true }),
  unavailable: () => new Unavailable(new Error('socket')),
  coded: () => new GraphQLError('too many', { extensions: { code: 'BAD_USER_INPUT' } }),
};

/** The mutations that ran. */
const ran: string[] = [];
function note(name: string) {
  ran.push(name);
  return { name };
}

/** The types of an interface. */
const kinds = Array.from({ length: 60 }, (_, index) => `Kind${index}`);

const schema = makeExecutableSchema({
  typeDefs: `
    interface Any { name: String }
    ${kinds.map((kind) => `type ${kind} implements Any { name: String }`).join(' ')}
    scalar UUID
    input Recursive { and: [Recursive!] name: String }
    scalar Json
    type Thing { name: String! self: Thing! fails: String! told: String! picky(n: Int): String }
    type Mutation { add: Thing remove: Thing }
    type Query {
      thing(name: String = "one"): Thing  by(uuid: UUID!): String  fail(how: String!): String  count(n: Int!): Int
      find(where: Recursive): String  json(of: Json): String  broken: Thing  rejects: String  any: Any
    }
  `,
  resolvers: {
    UUID: uuidScalar,
    Any: { __resolveType: () => 'Kind7' },
    Query: {
      any: () => ({ name: 'any' }),
      thing: (_: unknown, { name }: { name: string }) => ({ name }),
      by: (_: unknown, { uuid }: { uuid: string }) => uuid,
      fail: async (_: unknown, { how }: { how: string }) => {
        throw failures[how]?.();
      },
      count: (_: unknown, { n }: { n: number }) => n,
      find: (_: unknown, { where }: { where: unknown }) => JSON.stringify(where),
      json: (_: unknown, { of }: { of: unknown }) => JSON.stringify(of),
      broken: () => ({ name: null }),
      rejects: (_: unknown, __: unknown, { fault }: { fault: Error }) => Promise.reject(fault),
    },
    Mutation: {
      add: () => note('add'),
      remove: () => note('remove'),
    },
    Thing: {
      told: (_: unknown, __: unknown, ___: unknown, info) => `${info.parentType}.${info.fieldName}`,
      self: (thing: unknown) => thing,
      picky: () => {
        throw failures.refusal?.();
      },
      fails: () => Promise.reject(failures.bug?.()),
    },
  },
});

const prepare = (text: string) => {
  const document = parse(text);
  return { document, operation: document.definitions[0] as OperationDefinitionNode };
};

/** The answers of an operation that runs `count` times; later runs are compiled if possible. */
async function repeat(executor: Executor, text: string, variables?: Record<string, unknown>, count = 4) {
  const prepared = prepare(text);
  const answers: unknown[] = [];
  for (let round = 0; round < count; round += 1) {
    const { data, errors } = await executor.execute({ ...prepared, context: {}, variables });
    answers.push({
      data,
      errors: errors?.map(({ extensions, path, locations }) => ({ code: extensions.code, http: extensions.http, path, locations })),
    });
  }
  return answers;
}

describe('the executor', () => {
  test('compiles an operation on its third run', async () => {
    const executor = createExecutor(schema, { jit: true });
    const prepared = prepare('{ thing { name } }');
    const counts: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await executor.execute({ ...prepared, context: {}, variables: undefined });
      counts.push(executor.compiledCount());
    }
    expect(counts).toEqual([0, 0, 1, 1]);
  });

  test('compiles nothing if compiling is turned off', async () => {
    const executor = createExecutor(schema, { jit: false });
    expect((await repeat(executor, '{ thing { name } }'))[3]).toMatchObject({ data: { thing: { name: 'one' } } });
    expect(executor.compiledCount()).toBe(0);
  });

  test('answers what fails while the arguments of a mutation are checked', async () => {
    const executor = createExecutor(schema, { jit: true });
    const context = {
      get identity(): never {
        throw new Unavailable(new Error('socket'));
      },
    };
    const { errors } = await executor.execute({ ...prepare('mutation { add { picky(n: 1) } }'), context, variables: undefined });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', http: { status: 503 } } }]);
  });

  test('holds at most 500 compiled operations', async () => {
    const executor = createExecutor(schema, { jit: true });
    for (let index = 0; index < 505; index += 1) await repeat(executor, `{ a${index}: count(n: 1) }`, undefined, 3);
    expect(executor.compiledCount()).toBe(500);
  });

  test('compiles an operation although the type of its variable contains itself', async () => {
    const executor = createExecutor(schema, { jit: true });
    const answers = await repeat(executor, 'query ($where: Recursive) { find(where: $where) }', { where: { and: [{ name: 'a' }] } });
    expect(answers[3]).toMatchObject({ data: { find: '{"and":[{"name":"a"}]}' } });
    expect(executor.compiledCount()).toBe(1);
  });

  const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');

  test('holds at most 25,000 selections of compiled operations', async () => {
    const executor = createExecutor(schema, { jit: true });
    for (let run = 0; run < 70; run += 1)
      await repeat(executor, `query Q${run} { ${times(400, (index) => `a${index}: count(n: 1)`)} }`, undefined, 3);
    expect(executor.compiledCount()).toBe(62);
  });

  test.each([
    ['many selections', `{ ${times(501, (index) => `a${index}: count(n: 1)`)} }`],
    ['many selections of many types', `{ any { ${times(9, (index) => `a${index}: name`)} } }`],
    ['a long alias', `{ ${'a'.repeat(61)}: count(n: 1) }`],
    ['a long name of a variable', `query ($${'a'.repeat(61)}: Int!) { count(n: $${'a'.repeat(61)}) }`],
    ['a long literal', `{ thing(name: "${'a'.repeat(8192)}") { name } }`],
  ])('never compiles an operation with %s, whose code would be long', async (_, text) => {
    const executor = createExecutor(schema, { jit: true });
    await repeat(executor, text, { ['a'.repeat(61)]: 1 });
    expect(executor.compiledCount()).toBe(0);
  });

  test.each([
    '{ any { ...A } } fragment A on Any { ... on Kind7 { name a: name b: name c: name d: name e: name f: name g: name h: name } }',
    `{ ${'a'.repeat(60)}: any { name } }`,
  ])('compiles an operation whose code is short: %s', async (text) => {
    const executor = createExecutor(schema, { jit: true });
    await repeat(executor, text);
    expect(executor.compiledCount()).toBe(1);
  });

  test.each<[string, string, Record<string, unknown> | undefined]>([
    ['data', '{ thing(name: "x") { name self { self { name } } } }', undefined],
    ['a default of an argument', 'query ($name: String) { thing(name: $name) { name } }', {}],
    ['a fragment', 'query { ...A } fragment A on Query { thing { name } }', undefined],
    ['a skipped field', 'query ($yes: Boolean!) { thing { name self @skip(if: $yes) { name } } }', { yes: true }],
    ['a scalar', 'query ($uuid: UUID!) { by(uuid: $uuid) }', { uuid: 'D0000000000040008000000000000001' }],
    ['a variable of a wrong type', 'query ($n: Int!) { count(n: $n) }', { n: '5' }],
    ['a variable that is missing', 'query ($n: Int!) { count(n: $n) }', {}],
    [
      'a variable that a scalar refuses',
      'query ($uuid: UUID!) { by(uuid: $uuid) }',
      { uuid: 'urn:uuid:d0000000-0000-4000-8000-000000000001' },
    ],
    ['an input object', 'query ($where: Recursive) { find(where: $where) }', { where: { and: { name: null } } }],
    ['an input object that is not given', 'query ($where: Recursive) { find(where: $where) }', {}],
    ['an input object by default', 'query ($where: Recursive = { and: { name: "a" } }) { find(where: $where) }', {}],
    ['an input object within another', 'query ($one: Recursive!) { find(where: { and: [$one, { name: "b" }] }) }', { one: { name: 'a' } }],
    ['a missing input object', 'query ($one: Recursive!) { find(where: { and: [$one] }) }', {}],
    ['a variable within an input object that is not given', 'query ($name: String) { find(where: { name: $name }) }', {}],
    ['a variable in a list within one that is not given', 'query ($name: String) { find(where: { and: [{ name: $name }] }) }', {}],
    ['a variable within an input object that is null', 'query ($name: String) { find(where: { name: $name }) }', { name: null }],
    ['a variable within an input object by default', 'query ($name: String = "a") { find(where: { name: $name }) }', {}],
    ['an unknown field of an input', 'query ($where: Recursive) { find(where: $where) }', { where: { nme: 'a' } }],
    ['null where none may be', '{ broken { name } }', undefined],
    ['an error below the root', '{ thing { name fails } }', undefined],
    ...Object.keys(failures).map(
      (how) => [`a resolver that fails: ${how}`, `{ fail(how: "${how}") }`, undefined] satisfies [string, string, undefined],
    ),
  ])('gives the same with and without compiling: %s', async (_, text, variables) => {
    const [plain] = await repeat(createExecutor(schema, { jit: false }), text, variables, 1);
    const answers = await repeat(createExecutor(schema, { jit: true }), text, variables);
    expect(answers[3]).toEqual(plain);
  });

  describe.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'gives the same with and without compiling: the name %s',
    (name) => {
      test.each<[string, string, string]>([
        ['of a variable', `query ($${name}: String) { thing(name: $${name}) { name } }`, `{"${name}":"x"}`],
        ['of a variable that is not given', `query ($${name}: String) { thing(name: $${name}) { name } }`, '{}'],
        ['of a variable with a default', `query ($${name}: String = "y") { thing(name: $${name}) { name } }`, '{}'],
        ['of an input object', `query ($${name}: Recursive) { find(where: $${name}) }`, `{"${name}":{"name":"x"}}`],
        ['of an alias', `{ ${name}: thing(name: "x") { ${name}: name } }`, '{}'],
      ])('%s', async (_, text, variables) => {
        const [plain] = await repeat(createExecutor(schema, { jit: false }), text, JSON.parse(variables), 1);
        const answers = await repeat(createExecutor(schema, { jit: true }), text, JSON.parse(variables));
        expect(JSON.stringify(answers[3])).toBe(JSON.stringify(plain));
      });
    },
  );

  const skipped = { yes: false };
  test.each<[string, string, Record<string, unknown>]>([
    [
      'a fragment that is spread twice, once on a condition',
      'query ($yes: Boolean!) { ...A @include(if: $yes) ...A } fragment A on Query { thing { name } }',
      skipped,
    ],
    [
      'a fragment in two places',
      'query ($yes: Boolean!) { a: thing { ...A @include(if: $yes) } b: thing { ...A } } fragment A on Thing { name }',
      skipped,
    ],
    [
      'a field twice, once on a condition',
      'query ($yes: Boolean!) { thing @include(if: $yes) { ... { name } } thing { self { name } } }',
      skipped,
    ],
    ['mutations in their order', 'mutation ($yes: Boolean!) { remove @include(if: $yes) { name } add { name } remove { name } }', skipped],
    [
      'a mutation in a fragment',
      'mutation ($yes: Boolean!) { ...A @include(if: $yes) ...A } fragment A on Mutation { remove { name } }',
      skipped,
    ],
    ['aliases like joined paths', '{ self_b: thing { told } b: thing { told self { told } } told_b: thing { self { told } } }', {}],
    ['a variable in an object of a scalar', 'query ($name: String!) { json(of: { name: $name }) }', { name: 'x' }],
    ['a variable in a list of a scalar', 'query ($name: String!) { json(of: [$name, [$name]]) }', { name: 'x' }],
    ['a name for a scalar', '{ json(of: [__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dnothingHasThisName]) }', {}],
    ['a name for a scalar within an object', '{ json(of: { a: __MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8 }) }', {}],
  ])('does the same with and without compiling: %s', async (_, text, variables) => {
    ran.length = 0;
    const [plain] = await repeat(createExecutor(schema, { jit: false }), text, variables, 1);
    const once = ran.splice(0);
    const answers = await repeat(createExecutor(schema, { jit: true }), text, variables, 4);
    expect(JSON.stringify(answers[3])).toBe(JSON.stringify(plain));
    expect(ran).toEqual([once, once, once, once].flat());
  });

  test.each(['__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d', '\\u005f_MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d'])(
    'never runs a literal as code: %s',
    async (mark) => {
      const text = `{ thing(name: "${mark}globalThis.ran = 1") { name } find(where: { name: "${mark}globalThis.ran = 2" }) }`;
      const [plain] = await repeat(createExecutor(schema, { jit: false }), text, {}, 1);
      expect((await repeat(createExecutor(schema, { jit: true }), text, {}))[3]).toEqual(plain);
      expect((globalThis as { ran?: unknown }).ran).toBeUndefined();
    },
  );

  test('compiles an operation with a variable within an input object, for the requests that give it', async () => {
    const executor = createExecutor(schema, { jit: true });
    const text = prepare('query ($name: String) { find(where: { name: $name }) }');
    const found: unknown[] = [];
    for (const variables of [{}, { name: 'a' }, {}, { name: 'a' }, {}, { name: null }])
      found.push((await executor.execute({ ...text, context: {}, variables })).data?.find);
    expect(found).toEqual(['{}', '{"name":"a"}', '{}', '{"name":"a"}', '{}', '{"name":null}']);
    expect(executor.compiledCount()).toBe(1);
  });
});

describe('the errors of an operation', () => {
  const failWith = async (how: string) => {
    const { errors = [] } = await createExecutor(schema, { jit: false }).execute({
      ...prepare(`{ fail(how: "${how}") }`),
      context: {},
      variables: undefined,
    });
    return { message: errors[0]?.message, ...errors[0]?.extensions };
  };

  test.each(['bug', 'unique'])('say nothing of a bug (%s) and keep it for the log', async (how) => {
    expect(await failWith(how)).toEqual({
      message: 'Internal error. The log of the server has the details under this request id.',
      code: 'INTERNAL_SERVER_ERROR',
      retry: 'AFTER_READ',
    });
  });

  test.each(['wrapped', 'killed', 'unavailable'])('say that the database is away (%s)', async (how) => {
    expect(await failWith(how)).toEqual({
      message: 'The database is not available at the moment.',
      code: 'UNAVAILABLE',
      retry: 'LATER',
      http: { status: 503 },
    });
  });

  test.each([
    ...['53200', '53100', '40001', '40P01', '55000', '3D000', '57014', '08006', 'EACCES', 'ENETUNREACH', 'CONNECT_TIMEOUT', 'ECONNRESET'],
  ])('say that the database is away for the same outages as REST (%s)', async (code) => {
    const fault = Object.assign(new Error('secret'), { code });
    const { errors } = await createExecutor(schema, { jit: false }).execute({
      ...prepare('{ rejects }'),
      context: { fault: new Error('Failed query', { cause: fault }) },
      variables: undefined,
    });
    expect(errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE', retry: 'LATER', http: { status: 503 } });
    expect(isDatabaseFault(fault)).toBe(true);
  });

  test('say that the outcome of a write is unknown', async () => {
    expect(await failWith('unknown')).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'AFTER_READ', http: { status: 503 } });
    expect(await failWith('unknownWithKey')).toMatchObject({
      message: expect.stringContaining('same idempotencyKey'),
      code: 'OUTCOME_UNKNOWN',
      retry: 'LATER',
    });
  });

  test('keep the words, the path and the code of a refusal', async () => {
    expect(await failWith('refusal')).toMatchObject({
      message: 'filter.names[0] must not be empty',
      code: 'BAD_USER_INPUT',
      retry: 'NEVER',
      problems: [{ code: 'INVALID_INPUT', path: ['filter', 'names', '0'] }],
    });
  });

  test('do not repeat megabytes of a refused value', async () => {
    const { errors } = await createExecutor(schema, { jit: false }).execute({
      ...prepare('query ($n: Int!) { count(n: $n) }'),
      context: {},
      variables: { n: 'x'.repeat(1_000_000) },
    });
    expect(errors?.[0]?.message.length).toBeLessThanOrEqual(1000);
  });
});
