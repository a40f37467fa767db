// Hostile values, and every place of a contract where a caller can put one: each argument of each field, and each field of each input.
// Traverses a schema; knows neither its nouns nor the right answers.
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

/** A value as JSON text, so that numbers beyond doubles are sent as they are. */
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
  value('bidirectional control characters', '\u202eevil\u2066'),
  value('an emoji', '🦆'),
  value('digits', '5'),
  value('a uuid in braces', `{${uuid}}`),
  value('a uuid as urn', `urn:uuid:${uuid}`),
  value('a uuid too long', `${uuid}0`),
  value('a uuid with a zero-width space', `${uuid}\u200b`),
  value('a day that does not exist', '2026-02-30T00:00:00Z'),
  value('the first year', '0001-01-01T00:00:00Z'),
  value('an id of no type', base64('Nothing:1')),
  value('an id of an event beyond the last', base64('Event:999999999999999')),
  value('an id with a NUL', base64('Project:a\0b')),
  value('a cursor of another list', base64('[1,"nothing",1,2]')),
  value('a cursor of objects', base64('[1,"resourceProviders NAME ASC ",{"a":1}]')),
  value('a cursor of another key', base64('[1,"consumers","1; select 1"]')),
  value('a cursor beyond the last', base64('[1,"events",9007199254740991]')),
];
const numbers = ['-1', '0', '1.5', '1e2', '2147483648', '-9007199254740991', '9007199254740992', '9007199254740993', '1e400', '5e-324'];
const others = ['true', 'false', 'null', '{}', '[]', '[null]', '[[[[[1]]]]]', '{"polluted":true}', '{"a":{"a":{"a":{}}}}'];

/** Values that are invalid in most places. */
export const hostileValues: readonly HostileValue[] = [
  ...texts,
  ...[...numbers, ...others].map((json) => ({ name: json, json })),
  value('1,001 texts', Array(1001).fill('X')),
  { name: 'a key that pollutes', json: '{"__proto__":{"polluted":true}}' },
  { name: 'a constructor that pollutes', json: '{"constructor":{"prototype":{"polluted":true}}}' },
];

/** A few of them, for places whose code is tested with all of them elsewhere, and for literals in documents. */
export const someHostileValues: readonly HostileValue[] = hostileValues.filter(({ name }) =>
  [
    ...['an empty text', 'NUL', 'half a surrogate pair', 'SQL', 'a uuid in braces', 'a cursor of objects', 'digits'],
    ...['-1', '1.5', '2147483648', '9007199254740993', '1e400', 'true', 'null', '{}', '[[[[[1]]]]]'],
  ].includes(name),
);

/** The worst of them, for an input that is already attacked where it is first used. */
export const worstHostileValues: readonly HostileValue[] = someHostileValues.filter(({ name }) =>
  ['NUL', 'half a surrogate pair', '9007199254740993', '{}'].includes(name),
);

/** Valid values by `Type.field`, `Type.field(argument)` or just by name; a function makes a new one for each use. */
export type Examples = Readonly<Record<string, unknown>>;

/** An argument and a path within it: `['input', 'consumers', 0, 'expect']`. */
export interface Place {
  readonly field: string;
  /** The same for all uses of an input: `InventoryInput.total`; for an argument itself `Query.node(id)`. */
  readonly key: string;
  readonly path: readonly (string | number)[];
  readonly type: GraphQLInputType;
  readonly hasDefault: boolean;
  /** The operation with the variable `$v` for the whole argument. */
  readonly document: string;
  /** The operation with the argument as a literal. */
  documentWith(json: string): string;
  /** The value of the argument, valid except at the place. */
  argumentWith(json: string): string;
}

export interface Contract {
  readonly schema: GraphQLSchema;
  readonly examples: Examples;
  /** Selects an object of a type: wraps a selection, as in `resourceProvider(name: "cn1") { … }`. */
  readonly reach: Readonly<Record<string, (inner: string) => string>>;
}

/** All places in the fields of a type: `Query`, `Mutation`, or a reachable type. */
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

/** The argument itself, and every field within it; for lists also the first element. */
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
  // Filters contain filters: visit them once.
  if (!isInputObjectType(named) || around.includes(named)) return here;
  const fields = Object.values(named.getFields());
  return [
    ...here,
    ...fields.flatMap((field) => placesWithin(field, [...inside, field.name], `${named.name}.${field.name}`, [...around, named])),
  ];
}

/** A valid value with a mark at the path. */
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

/** A valid value for an argument or field: from the table, otherwise built from its fields. */
function exampleOf(contract: Contract, place: Input, key: string): unknown {
  const { examples } = contract;
  for (const known of [key, place.name]) {
    if (known in examples) {
      const example = examples[known];
      return typeof example === 'function' ? example() : example;
    }
  }
  const nullable = getNullableType(place.type);
  if (isListType(nullable)) return [exampleOf(contract, { ...place, type: elementOf(place.type), name: '' }, key)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (!isInputObjectType(nullable)) throw new Error(`no example for ${key}`);
  const fields = Object.values(nullable.getFields()).filter(({ type }) => getNamedType(type) !== nullable);
  const isMade = ({ name, type }: Input) => `${nullable.name}.${name}` in examples || isInputObjectType(type);
  const chosen = nullable.isOneOf ? fields.filter(isMade).slice(0, 1) : fields;
  return Object.fromEntries(chosen.map((field) => [field.name, exampleOf(contract, field, `${nullable.name}.${field.name}`)]));
}

/** A value as a GraphQL literal. `json`: the text of a number beyond doubles. */
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

/** The values that the contract says a type refuses, regardless of the field's rules. */
export function isNoValueOf(type: GraphQLInputType, json: string, hasDefault: boolean): boolean {
  const what: unknown = JSON.parse(json);
  const nullable = getNullableType(type);
  if (what === null) return isNonNullType(type) && !hasDefault;
  if (isListType(nullable)) {
    // A single value is coerced to a list.
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

/** Strings that no column can store. */
export function isUnstorable(json: string): boolean {
  const what: unknown = JSON.parse(json);
  return typeof what === 'string' && (what.includes('\0') || /\p{Surrogate}/u.test(what));
}
