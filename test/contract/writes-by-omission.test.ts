// Examination. An omission never selects what to write. The test walks the contract: wherever the input of a mutation can have a filter or a clause of one, it is sent
// without a condition, as data and with a forgotten variable. The same with a condition is accepted there, so the literals are those of a caller. A mutation that gets a filter is tested without being named here.
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parseValue,
  valueFromASTUntyped,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { useDatabase } from '../support/database.ts';
import { executors, type Gateway, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import { dumpTables } from '../support/ledger.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();
let gateways: Gateway[];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 16, CUSTOM_A: 8 }, traits: ['CUSTOM_A'], aggregates: ['rack1'] });
  await seed.provider('cn2', { inventories: { VCPU: 16 } });
  gateways = await Promise.all(executors.map((name) => startGateway(database, name)));
});
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

const samples: Readonly<Record<string, string>> = {
  String: '"CUSTOM_A"',
  UUID: '"00000000-0000-4000-8000-000000000001"',
  DateTime: '"2026-01-01T00:00:00Z"',
  Boolean: 'false',
  True: 'true',
};

type Parts = Readonly<Record<string, string>>;
/** Parts that some inputs need although they may be omitted. */
const needed: Readonly<Record<string, Parts>> = {
  InventoryPatchInput: { reserved: '1' },
  PatchTraitsInput: { add: '["CUSTOM_A"]' },
  RequestGroupInput: { suffix: '"_A"', resources: '[{resourceClass: "VCPU", amount: 1}]' },
  SelectDestinationsInput: { instances: '[{instance: "00000000-0000-4000-8000-000000000002", project: "p", user: "u"}]' },
};
const isOptional = ({ type, defaultValue }: GraphQLInputField) => !isNonNullType(type) || defaultValue !== undefined;

/** A literal of a type: for an input, its required fields, or one of those that exclude each other. `parts` are literals for some fields. */
function sampleOf(type: GraphQLInputType, parts: Parts = {}): string {
  const shape = getNullableType(type);
  if (isListType(shape)) return `[${sampleOf(shape.ofType, parts)}]`;
  if (isEnumType(shape)) return String(shape.getValues()[0]?.name);
  if (!isInputObjectType(shape)) return samples[getNamedType(shape).name] ?? '1';
  const { fields: asFields, ...others } = shape.getFields();
  const required = Object.values(others).filter((field) => !isOptional(field));
  // For an input that can be given as one of Nova's objects or by its fields.
  if (asFields) required.push(asFields);
  else if (shape.isOneOf && Object.keys(parts).length === 0) required.push(...Object.values(others).slice(0, 1));
  const all = { ...Object.fromEntries(required.map((field) => [field.name, sampleOf(field.type)])), ...needed[shape.name], ...parts };
  return `{${Object.entries(all)
    .map(([name, literal]) => `${name}: ${literal}`)
    .join(', ')}}`;
}

/** A place in the input of a mutation, and the literal of that input with another literal there. */
interface Place {
  readonly mutation: string;
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
  readonly inputWith: (literal: string) => string;
}

/** All places below a field of an input; recursive types once. */
function placesBelow(place: Place, above: readonly string[] = []): Place[] {
  const named = getNamedType(place.type);
  if (!isInputObjectType(named) || above.includes(named.name)) return [place];
  const inList = isListType(getNullableType(place.type));
  const below = Object.values(named.getFields()).flatMap((field) =>
    placesBelow(
      {
        mutation: place.mutation,
        path: [...place.path, ...(inList ? ['0'] : []), field.name],
        type: field.type,
        inputWith: (literal) => place.inputWith(sampleOf(place.type, { [field.name]: literal })),
      },
      [...above, named.name],
    ),
  );
  return [place, ...below];
}

const places = Object.values(loadSchema().getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) =>
  args.flatMap((argument) => placesBelow({ mutation: name, path: [], type: argument.type, inputWith: (literal) => literal })),
);
/** Filters within filters are parts of them. */
const nests = ['and', 'or', 'not'];
/** The subject of a condition is not a condition. */
const subjects = ['scope', 'consumerType'];
const typeAt = ({ type }: Place) => getNamedType(type).name;
const filters = places.filter((place) => typeAt(place).endsWith('FilterInput') && !nests.includes(place.path.at(-1) ?? ''));
const clauses = places.filter((place) => typeAt(place).endsWith('ConditionInput') && !place.path.includes('filter'));

/** An empty value as a literal, and the same with a condition. `$forgotten` is a variable that is given only with the condition. */
interface Empty {
  readonly literal: string;
  readonly forgotten?: { readonly type: string; readonly value: string };
  readonly named: string;
}

/** A part of an input that is a condition. */
function conditionOf(type: GraphQLInputObjectType): Parts {
  const field = Object.values(type.getFields()).find((one) => isOptional(one) && !subjects.includes(one.name));
  return field ? { [field.name]: namedOf(field.type) } : {};
}

/** A literal of a type that names something. */
function namedOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  return sampleOf(type, isInputObjectType(named) ? conditionOf(named) : {});
}

/** The ways in which a value of a type can be empty. */
function emptiesOf(type: GraphQLInputType, depth = 2): Empty[] {
  const shape = getNullableType(type);
  const isList = isListType(shape);
  const inner = getNamedType(shape);
  const within = isInputObjectType(inner) && depth > 0 ? emptyObjects(inner, depth) : [];
  const inList = within.map(({ literal, named, ...empty }) => ({ ...empty, literal: `[${literal}]`, named: `[${named}]` }));
  const named = namedOf(shape);
  return [
    ...(isNonNullType(type)
      ? []
      : [
          { literal: 'null', named },
          { literal: '$forgotten', forgotten: { type: String(shape), value: named }, named: '$forgotten' },
        ]),
    ...(isList ? [{ literal: '[]', named }] : []),
    ...(inner.name === 'String' && !isList ? [{ literal: '""', named }] : []),
    ...(isList ? inList : within),
  ];
}

function emptyObjects(type: GraphQLInputObjectType, depth: number): Empty[] {
  const condition = conditionOf(type);
  const fields = Object.values(type.getFields());
  return [
    ...(fields.some(isOptional) ? [{ literal: sampleOf(type), named: sampleOf(type, condition) }] : []),
    ...fields.flatMap((field) =>
      emptiesOf(field.type, depth - (nests.includes(field.name) ? 2 : 1)).map(({ literal, named, ...empty }) => {
        const others = isOptional(field) ? {} : condition;
        return {
          ...empty,
          literal: sampleOf(type, { ...others, [field.name]: literal }),
          named: sampleOf(type, { ...(subjects.includes(field.name) ? condition : others), [field.name]: named }),
        };
      }),
    ),
    ...('scope' in type.getFields() ? [{ literal: '{scope: TREE}', named: sampleOf(type, { scope: 'TREE', ...condition }) }] : []),
  ];
}

interface Answer {
  readonly payload: { readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] }[] } | null;
}

/** Where a mutation is refused because of its input; the whole document at `document`. */
async function refusedAt(
  gateway: Gateway,
  { mutation, inputWith }: Place,
  literal: string,
  empty: Empty,
  given: boolean,
): Promise<string[]> {
  const head = empty.forgotten === undefined ? '' : `($forgotten: ${empty.forgotten.type})`;
  const document = `mutation ${head} { payload: ${mutation}(input: ${inputWith(literal)}) { userErrors { code path } } }`;
  const variables = empty.forgotten && given ? { forgotten: valueFromASTUntyped(parseValue(empty.forgotten.value)) } : {};
  const { data, errors } = await gateway.ask<Answer>(document, variables);
  const coded = data?.payload?.userErrors.filter(({ code }) => code === 'INVALID_INPUT') ?? [];
  return [...coded.map(({ path }) => path.join('.')), ...(errors?.map(({ message }) => `document: ${message}`) ?? [])];
}

test.each<[string, Place[], (place: Place) => Empty[]]>([
  ['a filter', filters, ({ type }) => emptiesOf(type, 3)],
  ['a clause of a request', clauses, ({ type }) => emptiesOf(type, 2).filter(({ literal }) => literal.includes('{'))],
])('%s without a condition is refused at its place, and nothing is written; with a condition it is accepted', async (_, found, empties) => {
  expect(found.length).toBeGreaterThan(0);
  const before = await dumpTables(database.db);
  const tried = found.flatMap((place) => empties(place).map((empty) => ({ place, empty })));
  const faults = new Set<string>();
  for (const { place, empty } of tried) {
    const parent = place.path.slice(0, -1).join('.');
    // Null in a oneOf input is refused with the whole document; an omitted variable there is refused at the latest where its value is needed.
    for (const [index, gateway] of gateways.entries()) {
      for (let hit = 0; hit <= (executors[index] === 'jit' && empty.forgotten ? hitsUntilCompiled : 0); hit += 1) {
        const at = await refusedAt(gateway, place, empty.literal, empty, false);
        const isRefused = at.some((path) => path === parent || path.startsWith(place.path.join('.')) || path.startsWith('document:'));
        if (!isRefused) faults.add(`${place.mutation} ${place.path.join('.')}: ${empty.literal}, refused at ${at}`);
      }
    }
  }
  expect([...faults]).toEqual([]);
  expect(await dumpTables(database.db)).toEqual(before);
  for (const { place, empty } of tried) {
    const at = await refusedAt(gateways[0] as Gateway, place, empty.named, empty, true);
    if (at.length > 0) faults.add(`${place.mutation} ${place.path.join('.')}: ${empty.named}, refused at ${at}`);
  }
  expect([...faults]).toEqual([]);
});

test('every mutation that takes a filter is among those that were tried', () => {
  expect(filters.map(({ mutation, path }) => `${mutation} ${path.join('.')}`)).toContain('patchTraits select.filter');
  expect(clauses.map(({ mutation, path }) => `${mutation} ${path.join('.')}`)).toContain('claim request.rootAggregates');
});
