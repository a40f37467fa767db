// Random operations with fragments, conditions, repeated fields, aliases, and variables in every place have the same data, and call the same resolvers with the
// same arguments in the same order, whether or not they are compiled.
import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import { type OperationDefinitionNode, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { createExecutor } from '../../src/graphql/executor.ts';
import { sampled } from '../support/profile.ts';

/** The resolvers that were called, with their arguments. */
const calls: { readonly field: string; readonly args: unknown }[] = [];
const call = (_: unknown, args: unknown, __: unknown, { fieldName, parentType }: { fieldName: string; parentType: unknown }) => {
  calls.push({ field: `${parentType}.${fieldName}`, args: JSON.parse(JSON.stringify(args)) });
  return { text: 'x' };
};
const calling = { one: call, many: (...given: Parameters<typeof call>) => [call(...given), call(...given)] };
const schema = makeExecutableSchema({
  typeDefs: `
    input In { text: String  number: Int = 5  list: [In!] }
    type Thing { text: String  one(in: In, text: String = "d"): Thing  many(in: [In!]): [Thing!] }
    type Query { one(in: In, text: String = "d"): Thing  many(in: [In!]): [Thing!] }
    type Mutation { one(in: In, text: String = "d"): Thing  many(in: [In!]): [Thing!] }
  `,
  resolvers: { Thing: calling, Query: calling, Mutation: calling },
});

const variable = fc.constantFrom('$text', '$constructor', '$other');
const text = fc.oneof(variable, fc.constantFrom('"a"', '"a_b"', '"__a"', 'null'));
const input: fc.Arbitrary<string> = fc.letrec((tie) => ({
  input: fc
    .record(
      { text, number: fc.constantFrom('1', '$number', 'null'), list: fc.array(tie('input') as fc.Arbitrary<string>, { maxLength: 2 }) },
      { requiredKeys: [] },
    )
    .map((fields) => `{${Object.entries(fields).map(([name, value]) => `${name}: ${Array.isArray(value) ? `[${value}]` : value}`)}}`),
})).input as fc.Arbitrary<string>;
const condition = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('@include(if: $yes)', '@skip(if: $yes)', '@skip(if: $no)') },
);
const alias = fc.constantFrom('', '', '', '', '', 'a: ', 'b: ', 'a_b: ', 'a_one: ', 'toString: ');
// Most fields have none: those that are repeated must have the same.
const argument = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: text.map((given) => `(text: ${given})`) },
  { weight: 1, arbitrary: fc.oneof(input, fc.constant('$in')).map((given) => `(in: ${given})`) },
);
const selection = fc.letrec<{ set: string; item: string }>((tie) => ({
  set: fc.array(tie('item'), { minLength: 1, maxLength: 3, depthIdentifier: 'set' }).map((items) => `{ ${items.join(' ')} }`),
  item: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'set' },
    fc.tuple(alias, condition).map(([name, only]) => `${name}__typename ${only}`),
    fc.tuple(alias, argument, condition, tie('set')).map(([name, given, only, set]) => `${name}one${given} ${only} ${set}`),
    fc.tuple(alias, condition, tie('set')).map(([name, only, set]) => `${name}many ${only} ${set}`),
    fc.tuple(condition, tie('set')).map(([only, set]) => `... ${only} ${set}`),
    fc.tuple(fc.constantFrom('A', 'B'), condition).map(([name, only]) => `...${name} ${only}`),
  ),
})).set;
const declared = [
  '$text: String',
  '$constructor: String = "c"',
  '$other: String',
  '$number: Int',
  '$in: In',
  '$yes: Boolean!',
  '$no: Boolean! = false',
];
const given = fc.record(
  {
    text: fc.constantFrom(null, 'v'),
    constructor: fc.constantFrom(null, 'v'),
    other: fc.constantFrom(null, 'v'),
    number: fc.constantFrom(null, 7),
    in: fc.constantFrom(null, {}, { text: null }, { list: { text: 'v' } }),
    no: fc.boolean(),
    yes: fc.boolean(),
  },
  { requiredKeys: ['yes'] },
);

test('an operation does the same in its fourth run as in its first', async () => {
  let compiled = 0;
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('query', 'mutation'),
      selection,
      selection,
      fc.array(given, { minLength: 4, maxLength: 4 }),
      async (kind, set, below, requests) => {
        const root = kind === 'query' ? 'Query' : 'Mutation';
        // Fragments spread no others.
        const plainly = (inner: string) => inner.replaceAll(/\.\.\.[AB] /g, '__typename ');
        const fragments = [`fragment A on ${root} ${plainly(below)}`, 'fragment B on Thing { one { text } }'];
        const body = [set, ...fragments.filter((_, nth) => set.includes(nth === 0 ? '...A ' : '...B '))].join(' ');
        const used = declared.filter((definition) => body.includes(definition.split(':')[0] ?? ''));
        const document = parse(`${kind}${used.length > 0 ? `(${used.join(', ')})` : ''} ${body}`);
        fc.pre(validate(schema, document).length === 0);
        const operation = document.definitions[0] as OperationDefinitionNode;
        const [plain, executor] = [createExecutor(schema, { jit: false }), createExecutor(schema, { jit: true })];
        for (const variables of requests) {
          const run = async (one: typeof plain) => {
            calls.length = 0;
            const { data, errors } = await one.execute({ document, operation, context: {}, variables: structuredClone(variables) });
            return { data: JSON.parse(JSON.stringify(data ?? null)) as unknown, failed: errors !== undefined, calls: calls.slice() };
          };
          expect(await run(executor)).toEqual(await run(plain));
          compared += 1;
        }
        compiled += executor.compiledCount();
      },
    ),
    { numRuns: sampled(3000) },
  );
  expect(compared).toBeGreaterThan(100);
  expect(compiled).toBeGreaterThan(10);
});
