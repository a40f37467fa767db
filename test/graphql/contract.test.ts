// The conventions of schema.graphql. Each is a function from a schema to its violations, with a bad schema that proves that it can find one.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { standardResourceClasses } from '../../src/domain/standard-resource-classes.ts';
import { standardTraits } from '../../src/domain/standard-traits.ts';
import { fieldsOfFeatures } from '../../src/graphql/features.ts';
import { type DeclaredLength, declaredLength } from '../../src/graphql/lengths-of-schema.ts';
import { everythingNeedsSomething, rulesAreKnown, writesAreForTheWholeCloud } from '../support/permission-rules.ts';
import { checkRules, contract, type Field, fieldsOf, ownTypes, type PlantedRule, places, type Rule } from '../support/schema-rules.ts';

const argumentsOf = (field: Field): readonly GraphQLArgument[] => ('args' in field ? field.args : []);

/** Everything that has a type and a name: fields, input fields and arguments. */
function typed(schema: GraphQLSchema): { name: string; label: string; type: GraphQLType }[] {
  return places(schema).flatMap(({ label, field }) => [
    { name: field.name, label, type: field.type },
    ...argumentsOf(field).map((argument) => ({ name: argument.name, label: `${label}(${argument.name})`, type: argument.type })),
  ]);
}

function hasList(type: GraphQLType): boolean {
  return isListType(type) || (isNonNullType(type) && hasList(type.ofType));
}

function hasListOfLists(type: GraphQLType): boolean {
  if (isNonNullType(type)) return hasListOfLists(type.ofType);
  return isListType(type) && (hasList(type.ofType) || hasListOfLists(type.ofType));
}

const everythingIsDescribed: Rule = (schema) => {
  const described = ownTypes(schema).flatMap((type) => [
    { label: type.name, description: type.description },
    ...(isEnumType(type) ? type.getValues().map((value) => ({ label: `${type.name}.${value.name}`, description: value.description })) : []),
    ...fieldsOf(type).flatMap((field) => [
      { label: `${type.name}.${field.name}`, description: field.description },
      ...argumentsOf(field).map(({ name, description }) => ({ label: `${type.name}.${field.name}(${name})`, description })),
    ]),
  ]);
  const all = [{ label: 'schema', description: schema.description }, ...described];
  return all.filter(({ description }) => !/^[\w`].*[.:]$/s.test(description ?? '')).map(({ label }) => label);
};

/** Groups of conditions contain conditions; their depth is checked where they are read. */
const isGroup = (owner: GraphQLNamedType, { name, type }: Field) => /^(and|or|not)$/.test(name) && getNamedType(type) === owner;

/** Clients must know whether to expect values that they were not built with. */
const enumsSayWhetherTheyGrow: Rule = (schema) => {
  const answered = new Set(
    ownTypes(schema).flatMap((type) => (isInputObjectType(type) ? [] : fieldsOf(type).map((field) => getNamedType(field.type).name))),
  );
  return ownTypes(schema).flatMap((type) => {
    if (!isEnumType(type)) return [];
    const isOpen = type.astNode?.directives?.some(({ name }) => name.value === 'open') === true;
    const growth = isOpen ? 'Open:' : answered.has(type.name) ? 'Closed:' : 'Only sent by callers:';
    return type.description?.includes(growth) ? [] : [`${type.name} must say ${growth}`];
  });
};

const inputsAreFlat: Rule = (schema) => {
  const reaches = (from: GraphQLNamedType, target: GraphQLNamedType, seen: Set<GraphQLNamedType>): boolean =>
    fieldsOf(from).some((field) => {
      const next = getNamedType(field.type);
      if (isGroup(from, field)) return false;
      if (next === target) return true;
      if (!isInputObjectType(next) || seen.has(next)) return false;
      seen.add(next);
      return reaches(next, target, seen);
    });
  return ownTypes(schema)
    .filter((type) => isInputObjectType(type) && reaches(type, type, new Set()))
    .map((type) => type.name);
};

const listsSayHowLong: Rule = (schema) =>
  places(schema)
    .filter(({ owner, field }) => {
      if (isInputObjectType(owner) || !hasList(field.type)) return false;
      if (owner.name.endsWith('Connection') && (field.name === 'nodes' || field.name === 'edges')) return false;
      return !saysHowLong(schema, declaredLength(owner, field as GraphQLField<unknown, unknown>));
    })
    .map(({ label }) => label);

/** Whether a length remains if an input is omitted, and everything that is named exists. */
function saysHowLong(schema: GraphQLSchema, length: DeclaredLength | null): boolean {
  if (!length) return false;
  const { of = [], steps = [], usual, limit } = length;
  const inputs = [...of.map((path) => path.split('.')), ...steps.map((name) => [name])];
  const knows = ([argument = '', ...path]: readonly string[]): boolean =>
    places(schema)
      .flatMap(({ field }) => ('args' in field ? field.args : []))
      .some(({ name, type }) => name === argument && leadsOn(type, path));
  if (limit !== undefined && !(limit in limits)) return false;
  return inputs.length > 0 ? inputs.every(knows) : usual !== undefined || limit !== undefined;
}

function leadsOn(type: GraphQLInputType, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const input = getNamedType(type);
  const inner = isInputObjectType(input) ? input.getFields()[name] : undefined;
  return inner !== undefined && leadsOn(inner.type, rest);
}

const connectionsAreComplete: Rule = (schema) =>
  ownTypes(schema)
    .filter((type) => type.name.endsWith('Connection'))
    .flatMap((type) => {
      const fields = new Map(fieldsOf(type).map((field) => [field.name, field]));
      const wanted = ['nodes', 'edges', 'pageInfo', ...(type.name === 'EventConnection' ? [] : ['totalCount'])];
      const missing = wanted.filter((name) => !fields.has(name)).map((name) => `${type.name} lacks ${name}`);
      const edges = fields.get('edges');
      const edgeFields = edges ? fieldsOf(getNamedType(edges.type)).map(({ name }) => name) : ['cursor', 'node'];
      const bareEdges = ['cursor', 'node'].filter((name) => !edgeFields.includes(name)).map((name) => `${type.name}.edges lacks ${name}`);
      return [...missing, ...bareEdges];
    });

/** Payloads of several mutations, and what they have in common. An input is never shared: a field added for one mutation would have to make sense for all. */
const sharedPayloads: Record<string, string> = {
  ResourceProviderPayload: 'a provider after a write of one of its parts',
  PatchPayload: 'the changes of a selection of providers',
  AllocationsPayload: 'consumers and providers after a write of the allocations between them',
  DeletePayload: 'the global id of what is gone',
  InstancePayload: 'an instance, and its migration during a move',
};

const mutationsTakeOneInputAndReturnOnePayload: Rule = (schema) =>
  Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) => {
    const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    const payload = getNamedType(field.type);
    const [input, ...others] = field.args;
    const faults: string[] = [];
    if (input?.name !== 'input' || String(input.type) !== `${name}Input!` || others.length > 0) {
      faults.push(`${field.name} must take input: ${name}Input! and nothing else`);
    }
    const payloads = [`${name}Payload`, ...Object.keys(sharedPayloads)];
    if (!payloads.includes(payload.name) || hasList(field.type)) faults.push(`${field.name} must return ${name}Payload`);
    const userErrors = fieldsOf(payload).find((candidate) => candidate.name === 'userErrors');
    if (String(userErrors?.type) !== '[UserError!]!') faults.push(`${payload.name} must have userErrors: [UserError!]!`);
    return faults;
  });

const namesFollowTheConventions: Rule = (schema) =>
  [
    ...ownTypes(schema).map(({ name }) => ({ name, label: name, style: /^[A-Z][A-Za-z0-9]*$/ })),
    ...typed(schema).map(({ name, label }) => ({ name, label, style: /^[a-z][A-Za-z0-9]*$/ })),
    ...ownTypes(schema)
      .filter(isEnumType)
      .flatMap((type) =>
        type.getValues().map(({ name }) => ({ name, label: `${type.name}.${name}`, style: /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/ })),
      ),
  ]
    .filter(({ name, style }) => !style.test(name))
    .map(({ label }) => label);

const whatUsersCanAddIsNoEnum: Rule = (schema) => {
  const vocabulary = new Set([...standardTraits, ...standardResourceClasses.map(({ name }) => name), 'INSTANCE', 'MIGRATION']);
  return [
    ...ownTypes(schema)
      .filter(isEnumType)
      .flatMap((type) =>
        type
          .getValues()
          .filter(({ name }) => vocabulary.has(name))
          .map(({ name }) => `${type.name}.${name}`),
      ),
    ...typed(schema)
      .filter(({ name, type }) => /^(resourceClass(es)?|traits?|consumerTypes?)$/.test(name) && isEnumType(getNamedType(type)))
      .map(({ label }) => label),
  ];
};

const noListsOfLists: Rule = (schema) =>
  typed(schema)
    .filter(({ type }) => hasListOfLists(type))
    .map(({ label }) => label);

const isNode = (type: GraphQLNamedType) =>
  type.name === 'Node' || (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'));

/** Whether an object that cannot be read makes the field of this type fail, too. */
function fallsWith(schema: GraphQLSchema, type: GraphQLType, above: readonly GraphQLNamedType[] = []): boolean {
  if (!isNonNullType(type)) return false;
  if (isListType(type.ofType)) return fallsWith(schema, type.ofType.ofType, above);
  const named = getNamedType(type);
  if (isNode(named)) return true;
  if (above.includes(named)) return false;
  const members = isInterfaceType(named) ? schema.getPossibleTypes(named) : [named];
  return members.some((member) =>
    fieldsOf(member).some((field) => !isInputObjectType(member) && fallsWith(schema, field.type as GraphQLType, [...above, named])),
  );
}

const payloadsOutliveReads: Rule = (schema) =>
  Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) => [
    ...(isNonNullType(field.type) ? [`Mutation.${field.name}`] : []),
    ...fieldsOf(getNamedType(field.type))
      .filter(({ type }) => fallsWith(schema, type as GraphQLType))
      .map(({ name }) => `${getNamedType(field.type).name}.${name}`),
  ]);

const formsOfOneThingExclude: Rule = (schema) =>
  ownTypes(schema)
    .filter((type) => isInputObjectType(type) && ['object', 'fields'].every((name) => name in type.getFields()) && !type.isOneOf)
    .map(({ name }) => name);

const listedWordsAreEnums: Rule = (schema) =>
  typed(schema)
    .filter(
      ({ name, type }) =>
        /^(codes?|kinds?|noun|retry|action|verdict|reason|state|scope|direction)$/.test(name) && !isEnumType(getNamedType(type)),
    )
    .map(({ label }) => label);

const namesAreFoundByParts: Rule = (schema) =>
  ownTypes(schema)
    .filter((type) => isInputObjectType(type) && type.name.endsWith('FilterInput'))
    .flatMap((type) => {
      const given = fieldsOf(type).map(({ name }) => name);
      const keys = ['name', 'externalId'].filter((key) => given.includes(`${key}s`));
      return keys.flatMap((key) =>
        ['Contains', 'StartsWith'].flatMap((end) => (given.includes(key + end) ? [] : [`${type.name} lacks ${key}${end}`])),
      );
    });

const accessDirectives = `directive @access(rule: String!) on OBJECT | INTERFACE | FIELD_DEFINITION | ARGUMENT_DEFINITION | ENUM_VALUE
  directive @partOfParent on OBJECT | INTERFACE directive @public on OBJECT | FIELD_DEFINITION`;

/** Each rule with a schema that breaks it, and the places it must name. */
const rules: readonly PlantedRule[] = [
  [
    'the schema and every type, field, argument, enum value and input field are described in sentences',
    everythingIsDescribed,
    `"*A cloud." schema { query: Query } type Query { "An a." a: Int "A b." b(c: Int): E } "An e" enum E { V } "An i." input I { x: Int } "  " scalar S`,
    ['schema', 'Query', 'Query.b(c)', 'E', 'E.V', 'I.x', 'S'],
  ],
  [
    'every enum says whether it may gain values',
    enumsSayWhetherTheyGrow,
    `directive @open on ENUM type Query { a(c: C): A b: B d: D } "Open: values may be added." enum A @open { X } "Open: values may be added." enum B { X } enum C { X } "Closed." enum D { X }`,
    ['B must say Closed:', 'C must say Only sent by callers:', 'D must say Closed:'],
  ],
  [
    'no input type contains itself at any distance, except groups of conditions',
    inputsAreFlat,
    'type Query { a(i: A, d: D, e: E): Int } input A { b: [B!] } input B { a: A c: C } input C { x: Int } input D { d: D and: [D!] } input E { and: [E!] or: [E!] not: E }',
    ['A', 'B', 'D'],
  ],
  [
    'a list is a connection, or declares its length',
    listsSayHowLong,
    `directive @length(of: [String!], steps: [String!], usual: Int, limit: String) on FIELD_DEFINITION input I { x: [Int] }
     type Query { a: [Int!]! b(i: I): [Int] @length(of: "i.x") c: XConnection d: [Int] @length(of: "i.y") e: [Int] @length(limit: "none") }
     type XConnection { nodes: [Int] extra: [X] } type X { y: Int z: [Int] @length }
     interface Y { a: [Int] @length(usual: 3) } type Z implements Y { a: [Int] b: [Int] @length(steps: ["i", "j"]) c: [Int] @length(limit: "pageSize") }`,
    ['Query.a', 'Query.d', 'Query.e', 'XConnection.extra', 'X.z', 'Z.b'],
  ],
  [
    'a connection has nodes, edges, pageInfo and totalCount, and its edges a cursor and a node',
    connectionsAreComplete,
    `type Query { a: AConnection b: EventConnection } type AConnection { nodes: [Int] edges: [AEdge] } type AEdge { node: Int }
     type EventConnection { nodes: [Int] edges: [EEdge] pageInfo: Int } type EEdge { node: Int cursor: Int }`,
    ['AConnection lacks pageInfo', 'AConnection lacks totalCount', 'AConnection.edges lacks cursor'],
  ],
  [
    'a mutation takes exactly one input of its name and returns a payload of its name, or a shared one, with user errors',
    mutationsTakeOneInputAndReturnOnePayload,
    `type Query { a: Int } interface UserError { code: Int } input DoItInput { a: Int } type DoItPayload { userErrors: [UserError!]! }
     type Mutation { doIt(input: DoItInput!): DoItPayload! redo(input: DoItInput!, force: Boolean): DoItPayload! undo: UndoPayload! } type UndoPayload { a: Int }`,
    [
      'redo must take input: RedoInput! and nothing else',
      'redo must return RedoPayload',
      'undo must take input: UndoInput! and nothing else',
      'UndoPayload must have userErrors: [UserError!]!',
    ],
  ],
  [
    'parts that cannot be read after the commit leave the refusals, the event and the replay in the payload',
    payloadsOutliveReads,
    `interface Node { id: ID! } type A implements Node { id: ID! self: A! } type Part { a: A! part: Part } interface UserError { code: Int } type InUse implements UserError { code: Int by: [A!]! }
     type Query { a: A! } type Mutation { good: GoodPayload bad: BadPayload! } type GoodPayload { a: A all: [A]! part: Part parts: [Part]! count: Int! }
     type BadPayload { a: A! all: [A!]! part: Part! parts: [Part!] userErrors: [UserError!]! }`,
    ['Mutation.bad', 'BadPayload.a', 'BadPayload.all', 'BadPayload.part', 'BadPayload.userErrors'],
  ],
  [
    'an object of Nova is given whole or field by field, and the type says so',
    formsOfOneThingExclude,
    'type Query { a(a: AInput, b: BInput, c: CInput): Int } input AInput @oneOf { object: String fields: CInput } input BInput { object: String fields: CInput } input CInput { object: String! }',
    ['BInput'],
  ],
  [
    'a word from a fixed list is an enum',
    listedWordsAreEnums,
    'type Query { code: String! kind: K a(codes: [String!], scope: K): Int } enum K { X } input I { reason: ID retry: K }',
    ['Query.code', 'Query.a(codes)', 'I.reason'],
  ],
  [
    'an object that is found by name is also found by a part and by the beginning of its name',
    namesAreFoundByParts,
    'type Query { a(a: AFilterInput, b: BFilterInput): Int } input AFilterInput { names: [ID!] nameContains: ID nameStartsWith: ID externalIds: ID } input BFilterInput { names: ID uuids: ID }',
    [
      'AFilterInput lacks externalIdContains',
      'AFilterInput lacks externalIdStartsWith',
      'BFilterInput lacks nameContains',
      'BFilterInput lacks nameStartsWith',
    ],
  ],
  [
    'names are PascalCase, camelCase and SCREAMING_CASE',
    namesFollowTheConventions,
    'type Query { a_b: Int ok(Arg: Int): e } enum e { fine GOOD_1 BAD_ }',
    ['e', 'Query.a_b', 'Query.ok(Arg)', 'e.fine', 'e.BAD_'],
  ],
  [
    'nothing that users can extend is an enum',
    whatUsersCanAddIsNoEnum,
    'type Query { a(resourceClass: Kind): Int trait: Kind order: Kind } enum Kind { NAME VCPU } enum Type { INSTANCE HW_NUMA_ROOT }',
    ['Kind.VCPU', 'Type.INSTANCE', 'Type.HW_NUMA_ROOT', 'Query.a(resourceClass)', 'Query.trait'],
  ],
  [
    'inputs and answers have no lists of lists',
    noListsOfLists,
    'type Query { a: [[Int!]!]! b(c: [[Int]]): [Int!]! } input I { d: [[Int]!] e: [Int] }',
    ['Query.a', 'Query.b(c)', 'I.d'],
  ],
  [
    'every field declares its access, itself or by its type',
    everythingNeedsSomething,
    `${accessDirectives} type Query { a: A @access(rule: "placement:usages") b: B c: Int } type A { x: Int @public y: Int } interface B @partOfParent { x: Int }
     interface C { x: Int } type D @access(rule: "placement:usages") { x: Int }`,
    ['Query.b', 'Query.c', 'A.y', 'C.x'],
  ],
  [
    'every rule is in the table of rules',
    rulesAreKnown,
    `${accessDirectives} type Query { a(b: Int @access(rule: "placement:nothing")): Int @access(rule: "placement:usages") }
     type A @access(rule: "placement:usage") { x: Int } enum E { V @access(rule: "rule:usages") }`,
    ['Query.a(b): placement:nothing', 'A: placement:usage', 'E.V: rule:usages'],
  ],
  [
    'writes do not depend on the project of the caller',
    writesAreForTheWholeCloud,
    `${accessDirectives} type Query { a: Int } type Mutation { a: Int @access(rule: "placement:graphql:consumers:read") b: Int @access(rule: "placement:usages") }`,
    ['Mutation.a'],
  ],
];

checkRules(rules);

test('every field of Query and Mutation belongs to exactly one feature of serviceInfo, and no unknown field does', () => {
  const fields = [contract.getQueryType(), contract.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {}));
  expect(Object.values(fieldsOfFeatures).flat().toSorted()).toEqual(fields.toSorted());
});

test('every shared payload is that of several mutations', () => {
  const payloads = Object.values(contract.getMutationType()?.getFields() ?? {}).map(({ type }) => String(type));
  for (const shared of Object.keys(sharedPayloads)) expect(payloads.filter((name) => name === shared).length).toBeGreaterThan(1);
});
