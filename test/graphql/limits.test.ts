import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema, type GraphQLError, getIntrospectionQuery, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits as declared } from '../../src/domain/limits.ts';
import { createLimits, limits } from '../../src/graphql/limits.ts';

const schema = buildSchema(`
  directive @length(of: [String!], steps: [String!], usual: Int, limit: String, times: Int) on FIELD_DEFINITION
  directive @cost(limit: String!, together: Boolean) on FIELD_DEFINITION
  interface Node { id: ID! }
  type Provider implements Node {
    id: ID! name: String! parent: Provider children: [Provider!]! @length(usual: 5) inventories: [Inventory!]! @length(usual: 5) traitNames: [String!]! @length(usual: 20)
    traits: [Trait!]! @length(usual: 5) aggregates: [Aggregate!]! @length(usual: 5) allocations(first: Int = 50): AllocationConnection!
    report: [Class!]! @length(usual: 1) @cost(limit: "historyCost", together: true)
  }
  type Other implements Node { id: ID! name: String! }
  type Inventory { used: Int! resourceClass: Class! }
  type Class { name: String! }
  type Trait { name: String! }
  type Aggregate { name: String resourceProviders(first: Int = 50): ProviderConnection! }
  type Allocation { amount: Int! provider: Provider! }
  type AllocationConnection { nodes: [Allocation!]! totalCount: Int! }
  type ProviderConnection { nodes: [Provider!]! edges: [ProviderEdge!]! totalCount: Int! }
  type ProviderEdge { node: Provider! }
  input Amount { amount: Int }
  input Group { resources: [Amount!] }
  input CandidatesInput { groups: [Group!]! limit: Int = 10 }
  type Candidate { allocations: [Allocation!]! @length(of: "input.groups.resources", usual: 5) root: Provider! }
  type Candidates { candidates: [Candidate!]! @length(of: "input.limit", limit: "candidates") truncated: Boolean! }
  type Query { allocationCandidates(input: CandidatesInput!): Candidates! @cost(limit: "searchCost") resourceProviders(first: Int = 50): ProviderConnection! nodes(ids: [ID!]!): [Node]! @length(of: "ids") hello: String }
  type Mutation { claim(input: String): Provider }
  type Subscription { changed: String }
`);
const check = createLimits(schema);

function run(text: string, variables: Record<string, unknown> = {}): unknown {
  const document = parse(text);
  try {
    check(document, operationOf(text, document), variables);
    return 'allowed';
  } catch (error) {
    const { code, http } = (error as GraphQLError).extensions;
    return { code, status: (http as { status: number }).status };
  }
}

function operationOf(text: string, document = parse(text)): OperationDefinitionNode {
  const [operation] = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  if (!operation) throw new Error('no operation');
  return operation;
}

const tooComplex = { code: 'TOO_COMPLEX', status: 400 };
const tooCostly = { code: 'COST_LIMIT_EXCEEDED', status: 400 };
const badInput = { code: 'BAD_USER_INPUT', status: 400 };
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');
const nested = (depth: number) => `{ resourceProviders { nodes { ${'parent { '.repeat(depth - 2)} name ${'}'.repeat(depth)} }`;

describe('the shape of an operation', () => {
  test('objects within objects are allowed 14 deep, not 15', () => {
    expect(run(nested(limits.depth))).toBe('allowed');
    expect(run(nested(limits.depth + 1))).toEqual(tooComplex);
  });

  test('depth that is hidden in fragments is counted', () => {
    const text = (depth: number) =>
      `query { resourceProviders { nodes { ...A } } } fragment A on Provider { ${'parent { '.repeat(depth - 2)} name ${'}'.repeat(depth - 2)} }`;
    expect(run(text(limits.depth))).toBe('allowed');
    expect(run(text(limits.depth + 1))).toEqual(tooComplex);
  });

  test('the standard introspection query of the explorer passes', () => {
    expect(run(getIntrospectionQuery())).toBe('allowed');
    expect(run(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, specifiedByUrl: true, schemaDescription: true }))).toBe(
      'allowed',
    );
  });

  test('50 aliases are allowed, 51 are not, and neither __typename nor a mutation is an exception', () => {
    const aliased = (count: number) => `{ resourceProviders { nodes { ${times(count, (index) => `a${index}: name`)} } } }`;
    expect(run(aliased(limits.aliases))).toBe('allowed');
    expect(run(aliased(limits.aliases + 1))).toEqual(tooComplex);
    expect(run(`{ ${times(101, (index) => `a${index}: __typename`)} }`)).toEqual(tooComplex);
    expect(run(`mutation { ${times(1000, (index) => `a${index}: claim { name }`)} }`)).toEqual(tooComplex);
  });

  test('20 root fields are allowed, 21 are not, even if one is repeated', () => {
    expect(run(`{ ${times(20, (index) => `a${index}: hello`)} }`)).toBe('allowed');
    expect(run(`{ ${times(21, () => 'hello')} }`)).toEqual(tooComplex);
  });

  test('fifty directives are allowed, more are not', () => {
    const directed = (count: number) => `{ resourceProviders { nodes { ${times(count, () => 'name @include(if: true)')} } } }`;
    expect(run(directed(50))).toBe('allowed');
    expect(run(directed(51))).toEqual(tooComplex);
  });

  test('a subscription is measured like other operations', () => {
    expect(run('subscription { changed }')).toBe('allowed');
  });

  test('fragments are counted as often as they are spread', () => {
    const spread = (count: number) =>
      `{ resourceProviders { nodes { ${times(count, () => '...A')} } } } fragment A on Provider { ${times(limits.aliases / 2, (index) => `a${index}: name`)} }`;
    expect(run(spread(2))).toBe('allowed');
    expect(run(spread(3))).toEqual(tooComplex);
  });
});

describe('the nodes of an answer', () => {
  const dashboard = `query ($first: Int) { resourceProviders(first: $first) { totalCount nodes {
    name parent { name } inventories { used resourceClass { name } } traits { name } traitNames aggregates { name }
  } } }`;

  test("the dashboard's page of a thousand providers with their lists passes", () => {
    expect(run(dashboard, { first: 1000 })).toBe('allowed');
    expect(run(dashboard.replace('$first)', '1000)').replace('($first: Int)', ''))).toBe('allowed');
  });

  test('a thousand of a thousand of a thousand does not, whether by literal, variable or default', () => {
    const text = (first: string, variable = '') => `query ${variable} { resourceProviders(first: ${first}) { nodes { aggregates {
      resourceProviders(first: ${first}) { edges { node { allocations(first: ${first}) { nodes { amount } } } } } } } } }`;
    expect(run(text('1000'))).toEqual(tooCostly);
    expect(run(text('$n', '($n: Int)'), { n: 1000 })).toEqual(tooCostly);
    expect(run(text('$n', '($n: Int = 1000)'))).toEqual(tooCostly);
    expect(run(text('$n', '($n: Int = 1000)'), { n: 2 })).toBe('allowed');
  });

  test.each(['constructor', 'toString'])('a variable named %s counts by its default, as any other', (name) => {
    const text = (first: number) => `query ($${name}: Int = ${first}) { resourceProviders(first: $${name}) { nodes { name } } }`;
    expect(run(text(1000))).toBe('allowed');
    expect(run(text(1001))).toEqual(badInput);
    expect(run(text(1001), { [name]: 5 })).toBe('allowed');
  });

  test('lists count alike in literals, in variables within them, and in variables', () => {
    const fields = '{ candidates { allocations { amount } } }';
    const cost = (text: string, variables: Record<string, unknown> = {}) => check(parse(text), operationOf(text), variables).cost;
    const amounts = [{ amount: 1 }, { amount: 2 }, { amount: 3 }];
    const literal = cost(
      `{ allocationCandidates(input: { groups: [{ resources: [{ amount: 1 }, { amount: 2 }, { amount: 3 }] }], limit: 7 }) ${fields} }`,
    );
    const of = (declared: string, input: string) => `query (${declared}) { allocationCandidates(input: ${input}) ${fields} }`;
    expect(literal).toBeGreaterThan(7 * 3);
    expect(cost(of('$input: CandidatesInput!', '$input'), { input: { groups: [{ resources: amounts }], limit: 7 } })).toBe(literal);
    expect(cost(of('$groups: [Group!]!', '{ groups: $groups, limit: 7 }'), { groups: [{ resources: amounts }] })).toBe(literal);
    expect(cost(of('$one: Group!, $limit: Int', '{ groups: [$one], limit: $limit }'), { one: { resources: amounts }, limit: 7 })).toBe(
      literal,
    );
    expect(cost(of('$all: [Amount!], $limit: Int = 7', '{ groups: { resources: $all }, limit: $limit }'), { all: amounts })).toBe(literal);
  });

  test('the estimate of a short document with ten thousand selections is not kept', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const often = (text: string) => times(20, () => text);
    const amounts = times(1650, () => '{ amount: 1 }');
    const asked = [1, 2, 3].map((limit) => {
      const text = `{ allocationCandidates(input: { groups: { resources: [${amounts}] }, limit: ${limit} }) { candidates { ...C } } }
        fragment A on Candidate { ${often('allocations { amount }')} } fragment B on Candidate { ${often('...A')} } fragment C on Candidate { ${often('...B')} }`;
      const document = parse(text);
      return { document, operation: operationOf(text, document) };
    });
    collect();
    const before = process.memoryUsage().heapUsed;
    for (const { document, operation } of asked) expect(() => check(document, operation, {})).toThrow(/about \d+ nodes/);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect(asked).toHaveLength(3);
  });

  test('the same document is counted anew with other variables', () => {
    const text = 'query ($n: Int) { resourceProviders(first: $n) { nodes { allocations(first: $n) { nodes { amount } } } } }';
    const document = parse(text);
    const operation = operationOf(text, document);
    expect(() => check(document, operation, { n: 10 })).not.toThrow();
    expect(() => check(document, operation, { n: 1000 })).toThrow('about 1002001 nodes');
    expect(() => check(document, operation, { n: 10 })).not.toThrow();
  });

  test('nodes that only fragments select are counted', () => {
    expect(
      run(
        'query { ...A } fragment A on Query { resourceProviders(first: 1000) { nodes { allocations(first: 1000) { nodes { amount } } } } }',
      ),
    ).toEqual(tooCostly);
  });

  test('a count without nodes costs nothing', () => {
    expect(run('{ resourceProviders(first: 1000) { totalCount } }')).toBe('allowed');
  });

  test('ten plain values of an object count as one: once under each name, and those of one type only', () => {
    const names = (count: number, from = 0) => times(count, (index) => `a${from + index}: name`);
    const cost = (fields: string, root = 'resourceProviders(first: 100) { nodes') => {
      const document = parse(`{ ${root} { ${fields} } ${root.includes('{') ? '}' : ''} }`);
      return check(document, operationOf('', document), {}).cost;
    };
    expect([9, 10, 19, 20, 45].map((count) => cost(names(count)))).toEqual([101, 201, 201, 301, 501]);
    expect(cost(`${names(9)} ${names(9)}`)).toBe(101);
    expect(cost(`${names(5)} ... on Provider { ${names(5, 5)} }`)).toBe(201);
    const node = 'nodes(ids: ["1"])';
    expect(cost(`... on Provider { ${names(9)} } ... on Other { ${names(9)} }`, node)).toBe(1);
    expect(cost(`... on Provider { ${names(9)} } id`, node)).toBe(2);
  });

  test('work that is done once for all objects of a list counts once', () => {
    const cost = (first: number, field: string) => {
      const document = parse(`{ resourceProviders(first: ${first}) { nodes { ${field} } } }`);
      return check(document, operationOf('', document), {}).cost;
    };
    expect(cost(100, 'report { name }')).toBe(cost(100, 'children { name }') - 400 + declared.historyCost);
    expect(cost(100, 'a: report { name } b: report { name }') - cost(100, 'report { name }')).toBe(100 + declared.historyCost);
  });

  test('objects requested by key count one for each key', () => {
    const text = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Provider { allocations(first: 1000) { nodes { amount } } } } }';
    expect(run(text, { ids: Array.from({ length: 100 }, String) })).toBe('allowed');
    expect(run(text, { ids: Array.from({ length: 1000 }, String) })).toEqual(tooCostly);
  });

  test('introspection that goes in circles is counted like any query', () => {
    const circle = (depth: number): string => (depth === 0 ? 'name' : `fields { type { ${circle(depth - 1)} } }`);
    expect(run(`{ __schema { types { ${circle(1)} } } }`)).toBe('allowed');
    expect(run(`{ __schema { types { ${circle(6)} } } }`)).toEqual(tooCostly);
  });

  test.each([-1, 1001, 99_999_999])('first: %i is refused, not clamped', (first) => {
    expect(run(`{ resourceProviders(first: ${first}) { totalCount } }`)).toEqual(badInput);
    expect(run('query ($n: Int) { resourceProviders(first: $n) { totalCount } }', { n: first })).toEqual(badInput);
  });

  test('first may be 0, null or absent', () => {
    expect(run('{ resourceProviders(first: 0) { nodes { name } } }')).toBe('allowed');
    expect(run('{ resourceProviders(first: null) { nodes { name } } }')).toBe('allowed');
    expect(run('query ($n: Int) { resourceProviders(first: $n) { nodes { name } } }', { n: null })).toBe('allowed');
  });

  describe('of a search', () => {
    // 12 nodes a candidate, and 7 for each amount of the request.
    const fields =
      '{ candidates { root { inventories { used } traits { name } } allocations { amount provider { inventories { used } } } } }';
    const ask = (input: string, variables = '') => `query ${variables} { allocationCandidates(input: ${input}) ${fields} }`;
    const groups = (count: number, resources = [{ amount: 1 }]) => Array.from({ length: count }, () => ({ resources }));
    const whole = '($input: CandidatesInput!)';

    test('count as many as its limit, by literal, variable or default', () => {
      const aliased = (input: string, variables = '') =>
        `query ${variables} { ${times(20, (index) => `a${index}: allocationCandidates(input: ${input}) ${fields}`)} }`;
      expect(run(aliased('{ groups: { resources: { amount: 1 } }, limit: 100 }'))).toBe('allowed');
      expect(run(aliased('{ groups: { resources: { amount: 1 } }, limit: 1000 }'))).toEqual(tooCostly);
      expect(run(aliased('{ groups: [], limit: $limit }', '($limit: Int)'), { limit: 1000 })).toEqual(tooCostly);
      expect(run(aliased('{ groups: [], limit: $limit }', '($limit: Int = 1000)'))).toEqual(tooCostly);
      expect(run(aliased('$input', whole), { input: { groups: [], limit: 1000 } })).toEqual(tooCostly);
      expect(run(aliased('$input', '($input: CandidatesInput! = { groups: [], limit: 1000 })'))).toEqual(tooCostly);
      expect(run(aliased('$input', whole), { input: { groups: [] } })).toBe('allowed');
    });

    test('count more the more amounts a candidate has', () => {
      expect(run(ask('$input', whole), { input: { groups: groups(5), limit: 1000 } })).toBe('allowed');
      expect(run(ask('$input', whole), { input: { groups: groups(128), limit: 1000 } })).toEqual(tooCostly);
      expect(run(ask('$input', whole), { input: { groups: groups(1, Array(128).fill({ amount: 1 })), limit: 1000 } })).toEqual(tooCostly);
      expect(run(ask('{ groups: $groups, limit: 1000 }', '($groups: [Group!]!)'), { groups: groups(128) })).toEqual(tooCostly);
      expect(run(ask('$input', whole), { input: { groups: groups(128), limit: 10 } })).toBe('allowed');
    });

    test.each([null, 5, 'x', [], { groups: null }, { groups: 5, limit: 'x' }, { groups: [null, { resources: null }] }])(
      'do not count if the input is invalid: %j is refused later',
      (input) => {
        expect(run(ask('$input', whole), { input })).toBe('allowed');
      },
    );
  });
});
