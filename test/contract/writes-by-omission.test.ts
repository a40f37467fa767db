// An omission never selects what to write. The test walks the contract: wherever the input of a mutation can have a filter or a clause of one, it is sent
// without a condition, as data and with a forgotten variable. A mutation that gets a filter is tested without being named here.
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { useDatabase } from '../support/database.ts';
import { type Dice, freshDice } from '../support/dice.ts';
import { executors, type Gateway, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import { dumpTables } from '../support/ledger.ts';
import { sampled } from '../support/profile.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();
let gateways: Gateway[];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 16 }, traits: ['CUSTOM_A'], aggregates: ['rack1'] });
  await seed.provider('cn2', { inventories: { VCPU: 16 } });
  gateways = await Promise.all(executors.map((name) => startGateway(database, name)));
});
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

const samples: Readonly<Record<string, string>> = {
  String: '"CUSTOM_X"',
  UUID: '"00000000-0000-4000-8000-000000000001"',
  DateTime: '"2026-01-01T00:00:00Z"',
  Boolean: 'false',
  True: 'true',
};

/** A literal of a type: for an input, its required fields. `parts` are literals for some fields. */
function sampleOf(type: GraphQLInputType, parts: Readonly<Record<string, string>> = {}): string {
  const shape = getNullableType(type);
  if (isListType(shape)) return `[${sampleOf(shape.ofType, parts)}]`;
  if (isEnumType(shape)) return String(shape.getValues()[0]?.name);
  if (!isInputObjectType(shape)) return samples[getNamedType(shape).name] ?? '1';
  const { fields: asFields, ...others } = shape.getFields();
  const required = Object.values(others).filter(({ type: of, defaultValue }) => isNonNullType(of) && defaultValue === undefined);
  // For an input that can be given as one of Nova's objects or by its fields.
  if (asFields) required.push(asFields);
  const all = { ...Object.fromEntries(required.map((field) => [field.name, sampleOf(field.type)])), ...parts };
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
const typeAt = ({ type }: Place) => getNamedType(type).name;
const filters = places.filter((place) => typeAt(place).endsWith('FilterInput') && !nests.includes(place.path.at(-1) ?? ''));
const clauses = places.filter((place) => typeAt(place).endsWith('ConditionInput') && !place.path.includes('filter'));

/** An empty value as a literal; `$forgotten` stands for a variable of a type. */
interface Empty {
  readonly literal: string;
  readonly forgotten?: string;
}

/** The ways in which a value of a type can be empty. */
function emptiesOf(type: GraphQLInputType, depth = 2): Empty[] {
  const shape = getNullableType(type);
  const named = getNamedType(shape);
  const within = isInputObjectType(named) && depth > 0 ? emptyObjects(named, depth) : [];
  const inList = isListType(shape) ? within.map((empty) => ({ ...empty, literal: `[${empty.literal}]` })) : within;
  return [
    ...(isNonNullType(type) ? [] : [{ literal: 'null' }, { literal: '$forgotten', forgotten: String(shape) }]),
    ...(isListType(shape) ? [{ literal: '[]' }] : []),
    ...(named.name === 'String' && !isListType(shape) ? [{ literal: '""' }] : []),
    ...inList,
  ];
}

function emptyObjects(type: GraphQLInputObjectType, depth: number): Empty[] {
  return [
    { literal: '{}' },
    ...Object.values(type.getFields()).flatMap((field) =>
      emptiesOf(field.type, depth - (nests.includes(field.name) ? 2 : 1)).map((empty) => ({
        ...empty,
        literal: `{${field.name}: ${empty.literal}}`,
      })),
    ),
    // The subject of a condition is not a condition.
    ...('scope' in type.getFields() ? [{ literal: '{scope: TREE}' }] : []),
  ];
}
/** As many of the ways as shall be tried at a place, and at least one. */
function someOf(empties: readonly Empty[], roll: Dice): Empty[] {
  const left = [...empties];
  return Array.from({ length: sampled(empties.length) }, () => left.splice(roll(left.length), 1)).flat();
}

interface Answer {
  readonly payload: { readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] }[] } | null;
}

/** The place at which a mutation is refused because of its input, with both executors. */
async function refusedAt(gateway: Gateway, { mutation, inputWith }: Place, { literal, forgotten }: Empty): Promise<string[]> {
  const head = forgotten === undefined ? '' : `($forgotten: ${forgotten})`;
  const document = `mutation ${head} { payload: ${mutation}(input: ${inputWith(literal)}) { userErrors { code path } } }`;
  const { data, errors } = await gateway.ask<Answer>(document);
  const coded = data?.payload?.userErrors.filter(({ code }) => code === 'INVALID_INPUT') ?? [];
  // Null in a oneOf input is refused before anything runs; an omitted variable there is refused at the latest where its value is needed.
  const invalid =
    errors?.map(({ extensions: { code } }) => (/^(GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)$/.test(code) ? 'all' : code)) ?? [];
  return [...coded.map(({ path }) => path.join('.')), ...invalid];
}

test.each<[string, Place[], (place: Place) => Empty[]]>([
  ['a filter', filters, ({ type }) => emptiesOf(type, 3)],
  ['a clause of a request', clauses, ({ type }) => emptiesOf(type, 2).filter(({ literal }) => literal.includes('{'))],
])('%s without a condition is refused at its place, and nothing is written', async (what, found, empties) => {
  expect(found.length).toBeGreaterThan(0);
  const before = await dumpTables(database.db);
  const taken: string[] = [];
  const roll = freshDice(`ways to omit ${what}`);
  for (const place of found) {
    for (const empty of someOf(empties(place), roll)) {
      for (const [index, gateway] of gateways.entries()) {
        for (let hit = 0; hit <= (executors[index] === 'jit' && empty.forgotten ? hitsUntilCompiled : 0); hit += 1) {
          const at = await refusedAt(gateway, place, empty);
          const parent = place.path.slice(0, -1).join('.');
          const isRefused = at.some((path) => path === 'all' || path === parent || path.startsWith(place.path.join('.')));
          if (!isRefused) taken.push(`${place.mutation} ${place.path.join('.')}: ${empty.literal}, refused at ${at}`);
        }
      }
    }
  }
  expect([...new Set(taken)]).toEqual([]);
  expect(await dumpTables(database.db)).toEqual(before);
});

test('every mutation that takes a filter is among those that were tried', () => {
  expect(filters.map(({ mutation, path }) => `${mutation} ${path.join('.')}`)).toContain('patchTraits select.filter');
  expect(clauses.map(({ mutation, path }) => `${mutation} ${path.join('.')}`)).toContain('claim request.rootAggregates');
});
