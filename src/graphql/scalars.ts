// The custom scalars of the contract: UUID, DateTime, SafeInt, True, and the columns of the map of the cloud, with their notation in input and output.
// Knows no range or meaning beyond the notation. Variables and literals are checked alike.
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { parseUuid } from '../domain/uuid.ts';

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Input: 32 hexadecimal digits in any case, with all four dashes or none. Output, and for resolvers: lower case with dashes. */
export const uuidScalar = new GraphQLScalarType({
  name: 'UUID',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4122',
  serialize: canonicalOr(readUuid),
  parseValue: canonicalOr(readUuid),
  parseLiteral: withPlace((node) => readUuid(stringOf(node))),
});

/** Skips reading uuids that are already canonical: nearly all are, and a large request or answer has thousands. */
function canonicalOr(read: (value: unknown) => string): (value: unknown) => string {
  return (value) => (typeof value === 'string' && canonicalUuid.test(value) ? value : read(value));
}

function readUuid(value: unknown): string {
  const uuid = typeof value === 'string' ? parseUuid(value) : null;
  return uuid ?? refuse('UUID must be 32 hexadecimal digits, with or without the four dashes.');
}

/** Input: RFC 3339 with an offset. Output, and for resolvers: the same moment in UTC, with at most six fractional digits. */
export const dateTimeScalar = new GraphQLScalarType({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: writeDateTime,
  parseValue: readDateTime,
  parseLiteral: withPlace((node) => readDateTime(stringOf(node))),
});

const rfc3339 = /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const postgresTimestamp = /^(\S+) (\S+?)([+-]\d\d)(:\d\d)?$/;

function readDateTime(value: unknown): string {
  const time = typeof value === 'string' ? inUtc(value) : null;
  return time ?? refuse('DateTime must be a moment as in RFC 3339, such as 2026-01-31T12:00:00Z.');
}

/** A timestamp as Postgres formats it in a UTC session, in a year that RFC 3339 has. An answer may have tens of thousands of them. */
const storedMoment = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** Resolvers return a Date, RFC 3339, or a timestamp as Postgres formats it. */
function writeDateTime(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' && storedMoment.test(value)) return `${value.slice(0, 10)}T${value.slice(11, -3)}Z`;
  const text =
    typeof value === 'string'
      ? value.replace(postgresTimestamp, (_, day, time, hours, minutes = ':00') => `${day}T${time}${hours}${minutes}`)
      : null;
  return (text === null ? null : inUtc(text)) ?? refuse('DateTime cannot represent this value.');
}

/** The moment in UTC; null if the text is not RFC 3339 or the day does not exist. */
function inUtc(text: string): string | null {
  const [, day = '', time = '', fraction, offset = ''] = rfc3339.exec(text) ?? [];
  // JavaScript parses 30 February as 2 March.
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  const moment = new Date(`${day}T${time}${offset.toUpperCase()}`);
  const year = moment.getUTCFullYear();
  if (year < 1 || year > 9999) return null;
  // The fraction bypasses Date, which keeps only three digits.
  return `${moment.toISOString().slice(0, 19)}${fraction ? `.${fraction.slice(0, 6)}` : ''}Z`;
}

/** Integers from -(2^53 - 1) to 2^53 - 1, as numbers: never strings, never rounded. */
export const safeIntScalar = new GraphQLScalarType({
  name: 'SafeInt',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  serialize: writeSafeInt,
  parseValue: readSafeInt,
  parseLiteral: withPlace((node) => readSafeInt(node.kind === Kind.INT ? Number(node.value) : null)),
});

function readSafeInt(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : refuse('SafeInt must be a whole number of at most 53 bits.');
}

/** Resolvers return a number, or a bigint as Postgres formats it. */
function writeSafeInt(value: unknown): number {
  return readSafeInt(typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value);
}

/** A flag that can only be set. */
export const trueScalar = new GraphQLScalarType({
  name: 'True',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-3',
  serialize: readTrue,
  parseValue: readTrue,
  parseLiteral: withPlace((node) => readTrue(node.kind === Kind.BOOLEAN && node.value)),
});

function readTrue(value: unknown): true {
  return value === true || refuse('True can only be true.');
}

/** Long lists of plain values, each as a single leaf: an executor takes microseconds for every element of a list. For answers only. */
export const columnScalars = Object.fromEntries(['IntColumn', 'TextColumn', 'IntListColumn'].map((name) => [name, columnScalar(name)]));

function columnScalar(name: string): GraphQLScalarType {
  const never = () => refuse(`${name} is only for answers.`);
  return new GraphQLScalarType({
    name,
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-5',
    serialize: (value) => value,
    parseValue: never,
    parseLiteral: never,
  });
}

function stringOf(node: ValueNode): string | null {
  return node.kind === Kind.STRING ? node.value : null;
}

/** Parses a literal; a refusal includes its line and column. */
function withPlace<Value>(read: (node: ValueNode) => Value): (node: ValueNode) => Value {
  return (node) => {
    try {
      return read(node);
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error;
    }
  };
}

function refuse(message: string): never {
  throw new GraphQLError(message);
}
