// Field types of versioned objects, and the JSON that each allows. A missing field is unset, which is different from null; form.ts, which reads whole
// objects, handles that. Knows no object.
import { invalidInput } from '../../../domain/errors.ts';
import type { Path } from '../../../domain/input.ts';
import { parseUuid } from '../../../domain/uuid.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What the receiver of an object understands. */
export interface Receiver {
  /** The newest version that it understands, by object name; objects that are not listed are sent unchanged. */
  readonly manifest: Readonly<Record<string, string>>;
  /** Finds the id of a host's service, for old receivers that require the field. */
  readonly serviceIdOf: (host: string) => number | undefined;
}

/** How one field is read from JSON, refusing INVALID_INPUT at `path`, and written for a receiver. */
export interface Field<Value> {
  read(json: unknown, path: Path): Value;
  write(value: Value, receiver: Receiver): Json;
}

/** Values that are their own JSON form. */
function plain<Value extends Json>(called: string, matches: (json: unknown) => json is Value): Field<Value> {
  return {
    read(json, path) {
      if (!matches(json)) throw invalidInput(path, `must be ${called}`);
      return json;
    },
    write: (value) => value,
  };
}

const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export const text = plain('text', (json): json is string => typeof json === 'string');
export const boolean = plain('true or false', (json): json is boolean => typeof json === 'boolean');
export const integer = plain('a whole number', (json): json is number => Number.isSafeInteger(json));
export const float = plain('a number', (json): json is number => typeof json === 'number');

/** Text such as 2026-08-21T21:01:48Z. */
export const dateTime = plain(
  'a time such as 2026-08-21T21:01:48Z',
  (json): json is string => typeof json === 'string' && dateTimePattern.test(json) && !Number.isNaN(Date.parse(json)),
);

/** In canonical form after reading. */
export const uuid: Field<string> = {
  read(json, path) {
    const parsed = typeof json === 'string' ? parseUuid(json) : null;
    if (parsed === null) throw invalidInput(path, 'must be a uuid');
    return parsed;
  },
  write: (value) => value,
};

/** Passed through unchanged: objects whose contents are not used here. */
export const opaque = plain('JSON', (json): json is Json => json !== undefined);

export function nullable<Value>(field: Field<Value>): Field<Value | null> {
  return {
    read: (json, path) => (json === null ? null : field.read(json, path)),
    write: (value, receiver) => (value === null ? null : field.write(value, receiver)),
  };
}

export function listOf<Value>(field: Field<Value>): Field<readonly Value[]> {
  return {
    read(json, path) {
      if (!Array.isArray(json)) throw invalidInput(path, 'must be a list');
      return json.map((element, index) => field.read(element, [...path, index]));
    },
    write: (values, receiver) => values.map((value) => field.write(value, receiver)),
  };
}

export function dictOf<Value>(field: Field<Value>): Field<Readonly<Record<string, Value>>> {
  return {
    read: (json, path) => mapValues(readRecord(json, path), (value, key) => field.read(value, [...path, key])),
    write: (values, receiver) => mapValues(values, (value) => field.write(value, receiver)),
  };
}

/** A JSON object whose values have not been checked yet. */
export function readRecord(json: unknown, path: Path): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalidInput(path, 'must be an object');
  return json as Record<string, unknown>;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From, key: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
