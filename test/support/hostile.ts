// Hostile values, and every place of a contract where a caller can put one: each argument of each field, and each field of each input.
// Walks a schema; knows none of its nouns, nor what a good answer is.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql';
import { parseUuid } from '../../src/domain/uuid.ts';

/** A value as JSON text, so that numbers no double can hold are sent as they are. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

const uuid = 'b0000000-0000-4000-8000-00000000000b';
const base64 = (text: string) => Buffer.from(text).toString('base64url');
const value = (name: string, what: unknown): HostileValue => ({ name, json: JSON.stringify(what) });

const texts: readonly HostileValue[] = [
  value('an empty text', ''),
  value('a blank', ' '),
  value('NUL', 'a\0b'),
  value('half a surrogate pair', 'a\ud800b'),
  value('201 characters', 'x'.repeat(201)),
  value('256 characters', 'X'.repeat(256)),
  value('a mebibyte', 'x'.repeat(1 << 20)),
  value('SQL', "'; DROP TABLE resource_providers; --"),
  value('a placeholder', '$1'),
  value('wildcards', '%_\\'),
  value('a key of every object', '__proto__'),
  value('a method of every object', 'constructor'),
  value('marks of direction', '\u202eevil\u2066'),
  value('an emoji', '🦆'),
  value('digits', '5'),
  value('a uuid in braces', `{${uuid}}`),
  value('a uuid as urn', `urn:uuid:${uuid}`),
  value('a uuid too long', `${uuid}0`),
  value('a uuid with a zero-width space', `${uuid}\u200b`),
  value('a day that does not exist', '2026-02-30T00:00:00Z'),
  value('the first year', '0001-01-01T00:00:00Z'),
  value('an id of no type', base64('Nothing:1')),
  value('an id of an event beyond all', base64('Event:999999999999999')),
  value('an id with a NUL', base64('Project:a\0b')),
  value('a cursor of another list', base64('[1,"nothing",1,2]')),
  value('a cursor of objects', base64('[1,"resourceProviders NAME ASC ",{"a":1}]')),
  value('a cursor of another key', base64('[1,"consumers","1; select 1"]')),
  value('a cursor beyond all', base64('[1,"events",9007199254740991]')),
];
const numbers = ['-1', '0', '1.5', '1e2', '2147483648', '-9007199254740991', '9007199254740992', '9007199254740993', '1e400', '5e-324'];
const others = ['true', 'false', 'null', '{}', '[]', '[null]', '[[[[[1]]]]]', '{"polluted":true}', '{"a":{"a":{"a":{}}}}'];

/** Values that are wrong for most places. */
export const hostileValues: readonly HostileValue[] = [
  ...texts,
  ...[...numbers, ...others].map((json) => ({ name: json, json })),
  value('1,001 texts', Array(1001).fill('X')),
  { name: 'a key that pollutes', json: '{"__proto__":{"polluted":true}}' },
  { name: 'a constructor that pollutes', json: '{"constructor":{"prototype":{"polluted":true}}}' },
];

/** A few of them, for places that are read by code that has met all of them elsewhere, and to be written into documents. */
export const someHostileValues: readonly HostileValue[] = hostileValues.filter(({ name }) =>
  [
    ...['an empty text', 'NUL', 'half a surrogate pair', 'SQL', 'a uuid in braces', 'a cursor of objects', 'digits'],
    ...['-1', '1.5', '2147483648', '9007199254740993', '1e400', 'true', 'null', '{}', '[[[[[1]]]]]'],
  ].includes(name),
);

/** Good values by `Type.field`, `Type.field(argument)` or by name alone; a function makes one for each use. */
export type Examples = Readonly<Record<string, unknown>>;

/** One argument, and the place within it: `['input', 'consumers', 0, 'expect']`. */
export interface Place {
  readonly field: string;
  /** The same for all uses of an input: `InventoryInput.total`; of an argument itself `Query.node(id)`. */
  readonly key: string;
  readonly path: readonly (string | number)[];
  readonly type: GraphQLInputType;
  readonly hasDefault: boolean;
  /** The operation with a variable `$v` for the whole argument. */
  readonly document: string;
  /** The operation with the value of the argument written out. */
  documentWith(json: string): string;
  /** The value of the argument, good but for the place. */
  argumentWith(json: string): string;
}

export interface Contract {
  readonly schema: GraphQLSchema;
  readonly examples: Examples;
  /** How to reach an object of a type: `resourceProvider(name: "cn1") { … }` around what is asked of it. */
  readonly reach: Readonly<Record<string, (inner: string) => string>>;
}

/** Every place of one type's fields: `Query`, `Mutation`, or a type that can be reached. */
export function placesOf(contract: Contract, typeName: string): Place[] {
  const type = contract.schema.getType(typeName);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.flatMap((argument) => placesOfArgument(contract, type, field, argument)),
  );
}

function placesOfArgument(
  contract: Contract,
  owner: GraphQLNamedType,
  field: GraphQLField<unknown, unknown>,
  argument: GraphQLArgument,
): Place[] {
  const { schema, examples, reach } = contract;
  const keyOf = (name: string) => `${owner.name}.${field.name}(${name})`;
  const operation = owner === schema.getMutationType() ? 'mutation' : 'query';
  const around = reach[owner.name] ?? ((inner: string) => inner);
  const siblings = field.args.flatMap((other) => {
    const isGiven = isRequiredArgument(other) || `${keyOf(argument.name)} ${other.name}` in examples;
    if (other === argument || !isGiven) return [];
    return [`${other.name}: ${writeLiteral(exampleOf(contract, other, keyOf(other.name)), other.type)}`];
  });
  const write = (text: string) => around(`${field.name}(${[...siblings, `${argument.name}: ${text}`].join(', ')}) ${selectionOf(field)}`);
  return placesWithin(argument, [argument.name], keyOf(argument.name)).map(({ path, place, key }) => {
    const marked = () => wrap(contract, argument, path.slice(1), exampleOf(contract, argument, keyOf(argument.name)));
    return {
      field: `${owner.name}.${field.name}`,
      key,
      path,
      type: place.type,
      hasDefault: place.defaultValue !== undefined,
      document: `${operation} ($v: ${argument.type}) { ${write('$v')} }`,
      argumentWith: (json) => JSON.stringify(marked()).replace(`"${mark}"`, () => json),
      documentWith: (json) =>
        `${operation} { ${write(writeLiteral(marked(), argument.type).replace(`"${mark}"`, () => writeLiteral(JSON.parse(json), place.type, json)))} }`,
    };
  });
}

type Input = GraphQLArgument | GraphQLInputField;
const mark = '\u2620';

/** The argument itself, and every field within it; of a list the first element, too. */
function placesWithin(
  place: Input,
  path: readonly (string | number)[],
  key: string,
  around: readonly GraphQLNamedType[] = [],
): (Pick<Place, 'path' | 'key'> & { place: Input })[] {
  const isList = isListType(getNullableType(place.type));
  const inside = isList ? [...path, 0] : path;
  const here = [{ path, key, place }];
  if (isList) here.push({ path: inside, key: `${key}[0]`, place: { ...place, type: elementOf(place.type), defaultValue: undefined } });
  const named = getNamedType(place.type);
  // A filter holds filters: they are looked at once.
  if (!isInputObjectType(named) || around.includes(named)) return here;
  const fields = Object.values(named.getFields());
  return [
    ...here,
    ...fields.flatMap((field) => placesWithin(field, [...inside, field.name], `${named.name}.${field.name}`, [...around, named])),
  ];
}

/** A good value with a mark at the place that the path leads to. */
function wrap(contract: Contract, place: Input, path: readonly (string | number)[], good: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return mark;
  if (typeof step === 'number') {
    const [first, ...others] = good as unknown[];
    return [wrap(contract, { ...place, type: elementOf(place.type) }, rest, first), ...others];
  }
  const named = getNamedType(place.type);
  const field = isInputObjectType(named) ? named.getFields()[step] : undefined;
  if (!isInputObjectType(named) || !field) throw new Error(`${place.name} has no ${step}`);
  const known = (good as Record<string, unknown>)[step] ?? exampleOf(contract, field, `${named.name}.${step}`);
  return { ...(named.isOneOf ? {} : (good as object)), [step]: wrap(contract, field, rest, known) };
}

function elementOf(type: GraphQLInputType): GraphQLInputType {
  const nullable = getNullableType(type);
  return isListType(nullable) ? (nullable.ofType as GraphQLInputType) : type;
}

/** A good value for an argument or field: from the table, else made of its fields. */
function exampleOf(contract: Contract, place: Input, key: string): unknown {
  const { examples } = contract;
  for (const known of [key, place.name]) {
    if (known in examples) {
      const example = examples[known];
      return typeof example === 'function' ? example() : example;
    }
  }
  const nullable = getNullableType(place.type);
  if (isListType(nullable)) return [exampleOf(contract, { ...place, type: elementOf(place.type), name: '' }, '')];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (!isInputObjectType(nullable)) throw new Error(`no example for ${key}`);
  const fields = Object.values(nullable.getFields()).filter(({ type }) => getNamedType(type) !== nullable);
  const isMade = ({ name, type }: Input) => `${nullable.name}.${name}` in examples || isInputObjectType(type);
  const chosen = nullable.isOneOf ? fields.filter(isMade).slice(0, 1) : fields;
  return Object.fromEntries(chosen.map((field) => [field.name, exampleOf(contract, field, `${nullable.name}.${field.name}`)]));
}

/** A value as GraphQL writes it. `json`: the text of a number that a double cannot hold. */
function writeLiteral(what: unknown, type: GraphQLInputType | undefined, json?: string): string {
  const nullable = type && getNullableType(type);
  if (Array.isArray(what)) {
    return `[${what.map((each) => writeLiteral(each, type && elementOf(type))).join(', ')}]`;
  }
  if (typeof what === 'object' && what !== null) {
    const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
    return `{${Object.entries(what)
      .map(([name, each]) => `${name}: ${writeLiteral(each, fields[name]?.type)}`)
      .join(', ')}}`;
  }
  if (typeof what === 'string' && what !== mark && isEnumType(type && getNamedType(type)) && /^[A-Z_]+$/.test(what)) return what;
  return typeof what === 'number' && json ? json : JSON.stringify(what);
}

function selectionOf({ type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  const fields = isObjectType(named) ? Object.keys(named.getFields()) : [];
  if (fields.includes('userErrors')) return '{ __typename userErrors { __typename code message path retry } }';
  if (fields.includes('explanation')) return '{ candidates { claimToken } truncated explanation { summary } }';
  if (fields.includes('nodes'))
    return `{ nodes { __typename } pageInfo { endCursor } ${fields.includes('totalCount') ? 'totalCount' : ''} }`;
  return '{ __typename }';
}

/** Exactly what a type does not take, whatever the rules of the field: the contract promises that it is refused. */
export function isNoValueOf(type: GraphQLInputType, json: string, hasDefault: boolean): boolean {
  const what: unknown = JSON.parse(json);
  const nullable = getNullableType(type);
  if (what === null) return isNonNullType(type) && !hasDefault;
  if (isListType(nullable)) {
    // One value stands for a list of it.
    const elements = Array.isArray(what) ? what : [what];
    return elements.some((element) => isNoValueOf(elementOf(type), JSON.stringify(element) ?? 'null', false));
  }
  if (isInputObjectType(nullable)) {
    if (typeof what !== 'object' || Array.isArray(what)) return true;
    const keys = Object.keys(what);
    const fields = nullable.getFields();
    if (nullable.isOneOf && keys.length !== 1) return true;
    return (
      keys.some((key) => !(key in fields)) ||
      Object.values(fields).some((field) => isNonNullType(field.type) && field.defaultValue === undefined && !keys.includes(field.name))
    );
  }
  if (isEnumType(nullable)) return !nullable.getValues().some(({ name }) => name === what);
  return isScalarType(nullable) && !(scalarRules[nullable.name]?.(what) ?? false);
}

const isText = (what: unknown) => typeof what === 'string';
const scalarRules: Readonly<Record<string, (what: unknown) => boolean>> = {
  String: isText,
  ID: (what) => isText(what) || Number.isInteger(what),
  Boolean: (what) => typeof what === 'boolean',
  Int: (what) => Number.isInteger(what) && Math.abs(what as number) < 2 ** 31,
  Float: (what) => Number.isFinite(what),
  True: (what) => what === true,
  SafeInt: (what) => Number.isSafeInteger(what),
  UUID: (what) => isText(what) && parseUuid(what as string) !== null,
  DateTime: (what) => what === '0001-01-01T00:00:00Z',
};

/** Texts that no column can hold. */
export function isUnstorable(json: string): boolean {
  const what: unknown = JSON.parse(json);
  return typeof what === 'string' && (what.includes('\0') || /\p{Surrogate}/u.test(what));
}
