// The vocabulary of the contract: one name, one meaning, one type. Each rule is a function from a schema to its violations, with proof
// on a bad schema that it can find one.
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { expect, test } from 'vitest';
import { checkRules, contract, type Field, fieldsOf, type Place, type PlantedRule, places, type Rule } from '../support/schema-rules.ts';

/** What callers send: input fields and arguments. */
function said(schema: GraphQLSchema): { name: string; type: Field['type']; defaultValue: unknown; label: string }[] {
  return places(schema).flatMap(({ owner, field, label }) => {
    if (!('args' in field))
      return isInputObjectType(owner) ? [{ name: field.name, type: field.type, defaultValue: field.defaultValue, label }] : [];
    return field.args.map(({ name, type, defaultValue }) => ({ name, type, defaultValue, label: `${label}(${name})` }));
  });
}

const answered = (schema: GraphQLSchema): Place[] => places(schema).filter(({ owner }) => !isInputObjectType(owner));

/** Exceptions from the rules, with reasons. */
const excused: Record<string, string> = {
  'ReportServiceInput.service': 'a service of Nova; the gateway is serviceInfo',
  'UuidChange.before': 'the field that changed says of what',
  'UuidChange.after': 'the field that changed says of what',
  'UuidConnection.nodes': 'the field with the list says of what',
  'UuidEdge.node': 'the field with the list says of what',
};

/** Members with different types for the same field: GraphQL refuses to select both. */
const membersAgree: Rule = (schema) =>
  Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isInterfaceType(type) && !isUnionType(type)) return [];
    const types = new Map<string, Map<string, string[]>>();
    for (const member of schema.getPossibleTypes(type)) {
      for (const { name, type: own } of Object.values(member.getFields())) {
        const known = types.get(name) ?? new Map<string, string[]>();
        types.set(name, known.set(String(own), [...(known.get(String(own)) ?? []), member.name]));
      }
    }
    return [...types].filter(([, known]) => known.size > 1).map(([name]) => `${type.name}: ${name}`);
  });

const inputsSaySo: Rule = (schema) =>
  Object.values(schema.getTypeMap())
    .filter((type) => isInputObjectType(type) !== type.name.endsWith('Input') && type.name !== 'InvalidInput')
    .map(({ name }) => name);

/** Words that the contract must not use, and what to use instead. */
const abandoned: Record<string, string> = {
  provider: 'resourceProvider',
  providers: 'resourceProviders',
  complete: 'truncated',
  type: 'consumerType',
  types: 'consumerTypes',
  inTree: 'inTrees',
  service: 'serviceInfo',
  retryable: 'retry',
  destination: 'claimToken',
  order: 'orderBy',
  orderByClass: 'orderBy',
  orderClass: 'orderBy',
};

const abandonedWordsStayAway: Rule = (schema) =>
  [...said(schema), ...answered(schema).map(({ field: { name }, label }) => ({ name, label }))].flatMap(({ name, label }) =>
    Object.hasOwn(abandoned, name) && !(label in excused) ? [`${label} is called ${abandoned[name]}`] : [],
  );

const nouns = ['resourceProvider', 'consumer', 'aggregate', 'computeNode', 'instance', 'migration', 'parent', 'root'];

/** In an input a noun is its key, in an output the object; a bare key in an output says Uuid or Name. */
const nounsAreKeysInAndObjectsOut: Rule = (schema) => [
  ...said(schema)
    .filter(
      ({ name, type, label }) =>
        nouns.includes(name) && !isInputObjectType(getNamedType(type)) && String(getNullableType(type)) !== 'UUID' && !(label in excused),
    )
    .map(({ label }) => label),
  ...answered(schema)
    .filter(
      ({ owner, field: { name, type }, label }) =>
        [...nouns, 'resourceClass', 'trait'].includes(name) &&
        !isObjectType(getNamedType(type)) &&
        !(owner.name in echoes) &&
        !(label in excused),
    )
    .map(({ label }) => label),
  ...answered(schema)
    .filter(
      ({ owner, field: { name, type }, label }) =>
        getNamedType(type).name === 'UUID' &&
        name !== 'uuid' &&
        !/Uuids?(Added|Removed)?$/.test(name) &&
        !(owner.name in echoes) &&
        !(label in excused),
    )
    .map(({ label }) => label),
];

const counted =
  /^(total|reserved|minUnit|maxUnit|stepSize|amount|used|usedHere|free|freeUsable|promised|capacity|requested|available|generation|expected|actual|count|\w+Count|rootsBefore|rootsAfter)$/;
const positions = /^(first|last|limit|perRootLimit|maxDepth|place|seed|alternates|version|\w+Version|numaNode)$/;

const numbersAreByKind: Rule = (schema) =>
  [...said(schema), ...answered(schema).map(({ field: { name, type }, label }) => ({ name, type, label }))].flatMap(
    ({ name, type, label }) => {
      const scalar = getNamedType(type).name;
      if (label in excused || isListType(getNullableType(type))) return [];
      if (counted.test(name) && (scalar === 'Int' || scalar === 'Float')) return [`${label} is a SafeInt`];
      return positions.test(name) && scalar === 'SafeInt' ? [`${label} is an Int`] : [];
    },
  );

const listsAreAskedForInOneForm: Rule = (schema) =>
  said(schema).flatMap(({ name, type, defaultValue, label }) => {
    if ((name === 'first' || name === 'last') && (String(type) !== 'Int' || defaultValue !== undefined))
      return [`${label} is an Int without default`];
    if (name === 'filter' && !/^\w+FilterInput$/.test(String(type))) return [`${label} is a …FilterInput`];
    return name === 'orderBy' && !/^\[\w+OrderInput!\]$/.test(String(type)) ? [`${label} is a list of …OrderInput`] : [];
  });

/** Connections without a filter or an order, with reasons. */
const inTheirOwnOrder: Record<string, string> = {
  'Query.eventFeed': 'a feed has the one order in which it can be followed',
  'Event.consumerUuids': 'the subjects of one write, in the order of the ledger; `events` has the filters',
  'Event.resourceProviderUuids': 'the subjects of one write, in the order of the ledger; `events` has the filters',
  'Event.changes': 'the changes of one write, by noun and key; `events` has the filters',
  'PastResourceProvider.holders': 'the holders at that moment, by uuid',
  'Fit.byRoot': 'a ranking, which its request narrows',
  'Fit.byAggregate': 'a ranking, which its request narrows',
};

/** Connections that cannot be paged backward, with reasons. */
const onlyForward: Record<string, string> = {
  'Query.eventFeed': 'a feed is read from its beginning',
  'Fit.byRoot': 'a ranking, counted again for each page',
  'Fit.byAggregate': 'a ranking, counted again for each page',
};

/** Lists with pages are paged in both directions, and have a filter and an order, or, if they have only one, its direction. */
const connectionsAreAskedForInOneForm: Rule = (schema) =>
  answered(schema).flatMap(({ field, label }) => {
    if (!getNamedType(field.type).name.endsWith('Connection') || !('args' in field)) return [];
    const given = field.args.map(({ name }) => name);
    const backward = label in onlyForward ? [] : ['last', 'before'];
    const ordered = label in inTheirOwnOrder ? [] : ['filter', given.includes('direction') ? 'direction' : 'orderBy'];
    return ['first', 'after', ...backward, ...ordered].filter((name) => !given.includes(name)).map((name) => `${label} has no ${name}`);
  });

const orderFields = ['field', 'direction', 'resourceClass', 'weights', 'scope', 'tolerance', 'seed', 'consumerType'];

/** A sort key has a field, a direction with a default, and the subjects of some fields. */
const ordersAreAlike: Rule = (schema) =>
  Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isInputObjectType(type) || !type.name.endsWith('OrderInput')) return [];
    const { field, direction, ...others } = type.getFields();
    return [
      ...(String(field?.type) === `${type.name.replace(/Input$/, 'Field')}!` ? [] : [`${type.name}.field`]),
      ...(String(direction?.type) === 'OrderDirection!' && direction?.defaultValue === 'ASC' ? [] : [`${type.name}.direction`]),
      ...Object.keys(others).flatMap((name) => (orderFields.includes(name) ? [] : [`${type.name}.${name}`])),
    ];
  });

/** Requests as data: their parts have the names of the input that they can be passed to. */
const echoes: Record<string, string> = {
  CandidatesRequest: 'CandidatesInput',
  CandidatesRequestGroup: 'RequestGroupInput',
  RequestedAmount: 'ResourceAmountInput',
  TraitCondition: 'TraitConditionInput',
  AggregateCondition: 'AggregateConditionInput',
  SameSubtree: 'SameSubtreeInput',
  Property: 'PropertyInput',
};

const echoesSayWhatInputsTake: Rule = (schema) =>
  Object.entries(echoes).flatMap(([name, inputName]) => {
    const [output, input] = [schema.getType(name), schema.getType(inputName)];
    if (!isObjectType(output)) return [];
    const taken = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    return Object.keys(output.getFields())
      .filter((field) => !taken.includes(field))
      .map((field) => `${name}.${field}`);
  });

const alternativesAreNotFlags: Rule = (schema) =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isInputObjectType(type) && type.isOneOf
      ? Object.values(type.getFields())
          .filter((field) => getNamedType(field.type).name === 'Boolean')
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );

/** Names whose meaning depends on the type that has them. */
const generic: Record<string, string> = {
  nodes: 'of a page, whatever it lists',
  edges: 'of a page, whatever it lists',
  node: 'of an edge, whatever the page lists',
  before: 'of a change, whatever changed',
  after: 'of a change, whatever changed',
  changes: 'what a write or the feed changed, each in its own terms',
  kind: 'out of the list of kinds of its owner',
  code: 'out of the list of codes of its owner',
  value: 'of a limit a number, of a property a text',
  version: 'of the gateway its release, of a service a number that counts up',
};

/** Groups of types that may reuse names, such as those about the past or in columns: within a group each name has one type. */
function telling(type: GraphQLNamedType): string {
  // An echo has the names of its input, with which other inputs need not agree.
  if (type.name in echoes) return `what ${type.name} asks for`;
  if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'EventChange')) return 'what changed';
  if (type.name === 'Subscription') return 'what comes';
  if (/^CloudMap/.test(type.name)) return 'what is of all hosts';
  if (/^Past|^UsageSample$/.test(type.name)) return 'what was';
  return /^(AllocationCandidate|CandidateAllocation)$/.test(type.name) ? 'what would be' : 'what is';
}

/** One or many of a noun: a page for many, a list for few. Whether it may be null depends on the place. */
function meaningOf(type: Field['type']): string {
  const named = getNamedType(type);
  const nodes = named.name.endsWith('Connection') ? fieldsOf(named).find(({ name }) => name === 'nodes') : undefined;
  return `${nodes || isListType(getNullableType(type)) ? 'many ' : ''}${nodes ? getNamedType(nodes.type) : named}`;
}

const namesHaveOneType: Rule = (schema) => {
  const meanings = new Map<string, Set<string>>();
  for (const { owner, field } of answered(schema)) {
    if (field.name in generic) continue;
    const key = `${telling(owner)}: ${field.name}`;
    meanings.set(key, (meanings.get(key) ?? new Set()).add(meaningOf(field.type)));
  }
  return [...meanings].filter(([, known]) => known.size > 1).map(([key, known]) => `${key} is ${[...known].toSorted().join(' or ')}`);
};

const payloadsHaveTheirParts: Rule = (schema) =>
  Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ type, args }) => {
    const lacking = (owner: GraphQLNamedType | undefined, parts: Record<string, string>) => {
      const fields = isObjectType(owner) || isInputObjectType(owner) ? owner.getFields() : {};
      return Object.entries(parts)
        .filter(([name, expected]) => String(fields[name]?.type) !== expected)
        .map(([name, expected]) => `${owner?.name} must have ${name}: ${expected}`);
    };
    return [
      ...lacking(getNamedType(type), { event: 'Event', userErrors: '[UserError!]!', replayed: 'Boolean!' }),
      ...lacking(args[0] && getNamedType(args[0].type), { idempotencyKey: 'String' }),
    ];
  });

const warningsAreTyped: Rule = (schema) =>
  answered(schema)
    .filter(({ field: { name, type } }) => name === 'warnings' && String(type) !== '[Warning!]')
    .map(({ label }) => label);

/** Each rule with a schema that breaks it, and the places it must name. */
const rules: readonly PlantedRule[] = [
  [
    'any two members of an interface or union can be selected together',
    membersAgree,
    `type Query { a: N b: U } interface N { id: ID! } type A implements N { id: ID! name: String! size: Int } type B implements N { id: ID! name: String size: Int }
     union U = C | D type C { list: [Int!]! } type D { list: [Int!] }`,
    ['N: name', 'U: list'],
  ],
  [
    'input types, and only they, end in Input',
    inputsSaySo,
    'type Query { a(f: Filter, g: GoodInput): OddInput } input Filter { x: Int } input GoodInput { x: Int } type OddInput { x: Int }',
    ['Filter', 'OddInput'],
  ],
  [
    'abandoned words do not occur',
    abandonedWordsStayAway,
    'type Query { service: Int a(inTree: ID): B } type B { complete: Boolean resourceProvider: Int } input C { providers: [ID!] }',
    [
      'Query.service is called serviceInfo',
      'Query.a(inTree) is called inTrees',
      'B.complete is called truncated',
      'C.providers is called resourceProviders',
    ],
  ],
  [
    'a noun is its key in an input and the object in an output, and a bare key says so',
    nounsAreKeysInAndObjectsOut,
    `scalar UUID type Query { a(consumer: ID, parent: UUID): B } type B { consumer: UUID! aggregate: B owner: UUID ownerUuid: UUID movedUuids: [UUID!] resourceClass: String }
     input C { instance: String root: UUID! }`,
    ['Query.a(consumer)', 'C.instance', 'B.consumer', 'B.consumer', 'B.owner', 'B.resourceClass'],
  ],
  [
    'amounts and counts are SafeInt; page sizes, limits and versions are Int',
    numbersAreByKind,
    'scalar SafeInt type Query { a(first: SafeInt, limit: Int): B } type B { used: Int total: SafeInt rowCount: Float version: SafeInt } input C { amount: Int! }',
    ['Query.a(first) is an Int', 'C.amount is a SafeInt', 'B.used is a SafeInt', 'B.rowCount is a SafeInt', 'B.version is an Int'],
  ],
  [
    'all lists have the same form of arguments',
    listsAreAskedForInOneForm,
    `type Query { a(first: Int = 50, last: Int): Int b(filter: String, orderBy: AOrderInput): Int c(filter: AFilterInput, orderBy: [AOrderInput!]): Int }
     input AFilterInput { x: Int } input AOrderInput { x: Int }`,
    ['Query.a(first) is an Int without default', 'Query.b(filter) is a …FilterInput', 'Query.b(orderBy) is a list of …OrderInput'],
  ],
  [
    'lists with pages have filter and orderBy',
    connectionsAreAskedForInOneForm,
    `type Query { a(first: Int, after: String, last: Int, before: String, filter: Int, orderBy: Int): AConnection b(first: Int, after: String, last: Int): AConnection!
     eventFeed(first: Int, after: String): AConnection c: A e(first: Int, after: String, last: Int, before: String, direction: Int): AConnection } type AConnection { x: Int } type A { d(first: Int, last: Int, before: String, filter: Int, orderBy: Int): AConnection }`,
    ['Query.b has no before', 'Query.b has no filter', 'Query.b has no orderBy', 'Query.e has no filter', 'A.d has no after'],
  ],
  [
    'the keys of all orders are alike',
    ordersAreAlike,
    `type Query { a(b: AOrderInput, c: BOrderInput): Int } enum AOrderField { X } enum OrderDirection { ASC DESC }
     input AOrderInput { field: AOrderField!, direction: OrderDirection! = ASC, resourceClass: String }
     input BOrderInput { field: AOrderField!, direction: OrderDirection, byClass: String }`,
    ['BOrderInput.field', 'BOrderInput.direction', 'BOrderInput.byClass'],
  ],
  [
    'a request as data can be passed on unchanged',
    echoesSayWhatInputsTake,
    'type Query { a(i: ResourceAmountInput): RequestedAmount } input ResourceAmountInput { resourceClass: String } type RequestedAmount { resourceClass: String size: Int }',
    ['RequestedAmount.size'],
  ],
  [
    'an alternative cannot be given and denied at once',
    alternativesAreNotFlags,
    'type Query { a(i: I): Int } input I @oneOf { isNew: Boolean generation: Int } input J { isNew: Boolean }',
    ['I.isNew'],
  ],
  [
    'a name in answers has one type within each group',
    namesHaveOneType,
    `type Query { host: Host hosts: HostConnection size: Int past: PastHost } type HostConnection { nodes: [Host!]! edges: [Int] } type Host { hosts: [Host!]! size: String root: [Host] }
     type Rack { root: Host nodes: [Rack] } interface EventChange { id: ID } type HostChange implements EventChange { id: ID size: Float } type PastHost { size: Boolean host: Host }
     type PastRack { host: PastHost } input SizeInput { size: Boolean }`,
    ['what is: size is Int or String', 'what is: root is Host or many Host', 'what was: host is Host or PastHost'],
  ],
  [
    'every payload has its event, its refusals and whether it is a replay, and every input accepts a key',
    payloadsHaveTheirParts,
    `type Query { a: Int } interface UserError { code: Int } type Event { at: Int } input AInput { a: Int } input BInput { idempotencyKey: String }
     type Mutation { a(input: AInput!): APayload b(input: BInput!): BPayload } type APayload { event: Event! userErrors: [UserError!]! } type BPayload { event: Event userErrors: [UserError] replayed: Boolean! }`,
    [
      'APayload must have event: Event',
      'APayload must have replayed: Boolean!',
      'AInput must have idempotencyKey: String',
      'BPayload must have userErrors: [UserError!]!',
    ],
  ],
  [
    'warnings have one type',
    warningsAreTyped,
    'type Query { a: A b: B } type A { warnings: [String!] } type B { warnings: [Warning!]! } type C { warnings: [Warning!] } type Warning { code: Int }',
    ['A.warnings', 'B.warnings'],
  ],
];

checkRules(rules);

test('every generic name occurs in answers with several types', () => {
  const types = (word: string) =>
    new Set(answered(contract).flatMap(({ field: { name, type } }) => (name === word ? meaningOf(type) : [])));
  expect(Object.keys(generic).filter((word) => types(word).size < 2)).toEqual([]);
});

test('every exception exists', () => {
  const labels = new Set([...places(contract), ...said(contract)].map(({ label }) => label));
  expect(Object.keys({ ...excused, ...inTheirOwnOrder, ...onlyForward }).filter((label) => !labels.has(label))).toEqual([]);
});
