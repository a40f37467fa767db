// The form of one kind of versioned object: its fields, its version, and the steps that convert it to older versions. Reads an object of any minor
// version from the wire and writes it for an older receiver. Knows no particular object: those are in forms/.
import { invalidInput, Refusal } from '../../../domain/errors.ts';
import type { Path } from '../../../domain/input.ts';
import { type Field, type Json, listOf, opaque, type Receiver, readRecord } from './fields.ts';
import { isBelow, parseVersion, renderVersion, type Version } from './manifest.ts';

type Fields = Readonly<Record<string, Field<unknown>>>;
export type Data = Readonly<Record<string, Json>>;

/** Receivers below a version do not understand these fields, or understand them differently. */
export interface Step {
  readonly below: string;
  readonly drop?: readonly string[];
  /** Changes what has been written so far, before fields are dropped. Refuses INVALID_INPUT for values that an old receiver cannot represent. */
  readonly change?: (data: Data, receiver: Receiver) => Data;
}

export interface Form<Name extends string = string, Own extends Fields = Fields> {
  readonly name: Name;
  /** The newest supported version. */
  readonly version: string;
  readonly fields: Own;
  /** Newest first. */
  readonly steps: readonly Step[];
}

/** An object that was read, or is to be sent. */
export interface VersionedObject<Name extends string = string, Values = Readonly<Record<string, unknown>>> {
  readonly name: Name;
  /** The sender's version, x.y: may be older than the supported one, or a newer minor version. */
  readonly version: string;
  /** Fields that are set; null is a value. */
  readonly fields: Values;
  /** Unknown fields, which are passed on unchanged. */
  readonly others: Data;
  /** Fields that the sender changed since it loaded the object. */
  readonly changes: readonly string[];
}

export type ValuesOf<Some extends Form> = {
  readonly [Name in keyof Some['fields']]?: Some['fields'][Name] extends Field<infer Value> ? Value : never;
};
export type ObjectOf<Some extends Form> = VersionedObject<Some['name'], ValuesOf<Some>>;

const namespace = 'nova';

/** Infers the types of a form's fields. */
export function defineForm<const Name extends string, Own extends Fields>(form: Form<Name, Own>): Form<Name, Own> {
  return form;
}

/** A change for receivers that do not know these values of a field. */
export function refuseValues(field: string, ...values: readonly string[]): NonNullable<Step['change']> {
  return (data) => {
    const value = data[field];
    if (typeof value === 'string' && values.includes(value)) throw invalidInput([field], `${value} cannot be sent to this receiver`);
    return data;
  };
}

/** A field that contains an object. */
export function nested<Some extends Form>(form: Some): Field<ObjectOf<Some>> {
  return { read: (json, path) => readObject(form, json, path), write: (object, receiver) => writeObject(form, object, receiver) };
}

/** A field with an object whose contents are not used here: kept as sent. It is converted for a receiver if it can be read. */
export function asSent(form: Form): Field<Json> {
  return {
    read: opaque.read,
    write(json, receiver) {
      const object = readIfKnown(form, json);
      return object ? writeObject(form, object, receiver) : json;
    },
  };
}

function readIfKnown(form: Form, json: Json): VersionedObject | null {
  try {
    return readObject(form, json, []);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** The form of a list of objects: its only field is `objects`. */
export function defineList<const Name extends string, Some extends Form>(name: Name, version: string, form: Some) {
  return defineForm({ name, version, fields: { objects: listOf(nested(form)) }, steps: [] });
}

/**
 * Reads an object of this form. Also reads newer minor versions, because they only add fields. Refuses INVALID_INPUT at the path of the fault: another
 * object, another major version, or a field of the wrong type.
 */
export function readObject<Some extends Form>(form: Some, json: unknown, path: Path): ObjectOf<Some> {
  const wire = readRecord(json, path);
  const at = (key: string) => [...path, `nova_object.${key}`];
  if (wire['nova_object.name'] !== form.name) throw invalidInput(at('name'), `must be ${form.name}`);
  if (wire['nova_object.namespace'] !== namespace) throw invalidInput(at('namespace'), `must be ${namespace}`);
  const version = parseVersion(wire['nova_object.version'], at('version'));
  requireMajor(form, version, at('version'));
  const data = Object.entries(readRecord(wire['nova_object.data'], at('data')));
  const own = data.flatMap(([key, value]): [string, unknown][] => {
    const field = fieldOf(form, key);
    return field ? [[key, field.read(value, [...at('data'), key])]] : [];
  });
  return {
    name: form.name,
    version: renderVersion(version),
    fields: Object.fromEntries(own) as ValuesOf<Some>,
    others: Object.fromEntries(data.filter(([key]) => !fieldOf(form, key))) as Data,
    changes: readChanges(wire['nova_object.changes'], at('changes')),
  };
}

function requireMajor({ name, version: known }: Form, version: Version, path: Path): void {
  const newest = parseVersion(known, path);
  if (version.major === newest.major) return;
  const age = version.major > newest.major ? 'too new to be read' : 'too old to be read';
  throw invalidInput(path, `${name} ${renderVersion(version)} is ${age}: send ${newest.major}.x, at best ${known}`);
}

function readChanges(json: unknown, path: Path): readonly string[] {
  if (json === undefined) return [];
  if (!Array.isArray(json) || !json.every((name) => typeof name === 'string')) throw invalidInput(path, 'must be a list of names');
  return json;
}

function fieldOf({ fields }: Form, key: string): Field<unknown> | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/**
 * Writes an object for a receiver: in its own version, or in the receiver's if that is older; nested objects likewise. Fields that the older version does not
 * have are dropped. Refuses INVALID_INPUT if the receiver's major version differs, or its version cannot represent a value.
 */
export function writeObject(form: Form, object: VersionedObject, receiver: Receiver): Json {
  const path = ['nova_object.version'];
  const own = parseVersion(object.version, path);
  const known = parseVersion(Object.hasOwn(receiver.manifest, form.name) ? receiver.manifest[form.name] : object.version, path);
  if (known.major !== own.major) {
    throw invalidInput(path, `${form.name} ${renderVersion(own)} cannot be sent as ${renderVersion(known)}: the major versions differ`);
  }
  const isOlder = isBelow(known, own);
  const version = isOlder ? known : own;
  const whole = { ...writeOthers(form, object, version), ...writeFields(form, object, receiver) };
  const data = isOlder ? backport(form, whole, version, receiver) : whole;
  const changes = object.changes.filter((name) => Object.hasOwn(data, name));
  return {
    'nova_object.name': form.name,
    'nova_object.namespace': namespace,
    'nova_object.version': renderVersion(version),
    'nova_object.data': data,
    ...(changes.length > 0 ? { 'nova_object.changes': changes } : {}),
  };
}

function writeFields(form: Form, { fields }: VersionedObject, receiver: Receiver): Data {
  const written = Object.entries(fields).flatMap(([key, value]): [string, Json][] => {
    const field = fieldOf(form, key);
    return field && value !== undefined ? [[key, field.write(value, receiver)]] : [];
  });
  return Object.fromEntries(written);
}

/** The unknown fields may all have been added by the newer version, so an older receiver gets none of them; fields may be unset. */
function writeOthers(form: Form, { version, others }: VersionedObject, target: Version): Data {
  const [own, newest] = [parseVersion(version, []), parseVersion(form.version, [])];
  return isBelow(newest, own) && isBelow(target, own) ? {} : others;
}

function backport({ steps }: Form, data: Data, target: Version, receiver: Receiver): Data {
  return steps.reduce((older, { below, drop = [], change = (same) => same }) => {
    if (!isBelow(target, parseVersion(below, []))) return older;
    return Object.fromEntries(Object.entries(change(older, receiver)).filter(([key]) => !drop.includes(key)));
  }, data);
}
