// Validates JSON values against schemas: the part of JSON schema that Placement's schemas use. Clients know the messages of Python's jsonschema, so messages
// are the same, and of several faults the same one is reported.
import type { Path } from '../domain/input.ts';
import { parseUuid } from '../domain/uuid.ts';
import { inTurn } from '../operations/request/event-loop-share.ts';
import { pythonRepr } from './python-repr.ts';

export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'null';

export type Properties = Readonly<Record<string, Schema>>;

export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly properties?: Properties;
  /** By regular expression. */
  readonly patternProperties?: Properties;
  readonly additionalProperties?: false;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** In code points, like maxLength. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'uuid';
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

type Keyword = keyof Schema;

interface Fault {
  readonly keyword: Keyword;
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: Path;
  readonly schemaPath: Path;
  readonly say: () => string;
  /** For `anyOf`: why each alternative failed. */
  readonly because: readonly Fault[];
}

type Report = (fault: Fault) => void;
/** Checks a value; `checkInner` checks the values in it. */
type Check = (schema: Schema, value: unknown, path: Path, schemaPath: Path, report: Report, checkInner: Check) => void;

/** The fault of a value, in one line; null if it is valid. */
export function findFault(schema: Schema, value: unknown): string | null {
  let worst: Fault | undefined;
  check(schema, value, [], [], (fault) => {
    worst = worseOf(worst, fault);
  });
  return worst ? describeFault(deepest(worst)) : null;
}

/** The same for a large value, without holding the event loop. */
export async function findFaultInParts(schema: Schema, value: unknown): Promise<string | null> {
  let worst: Fault | undefined;
  const report = (fault: Fault) => {
    worst = worseOf(worst, fault);
  };
  // In the same order as in findFault, because of equal faults the first is reported.
  const left: (() => void)[] = [() => check(schema, value, [], [], report, later)];
  const inner: (() => void)[] = [];
  const later: Check = (...what) => inner.push(() => check(...what));
  for (let next = left.pop(); next; next = left.pop()) {
    next();
    for (let last = inner.pop(); last; last = inner.pop()) left.push(last);
    const turn = inTurn(null);
    if (turn !== null) await turn;
  }
  return worst ? describeFault(deepest(worst)) : null;
}

function worseOf(worst: Fault | undefined, fault: Fault): Fault {
  return worst === undefined || compareFaults(fault, worst) > 0 ? fault : worst;
}

/** Positive if the first fault is reported rather than the second: it is higher up, more specific, or concerns the type. */
function compareFaults(one: Fault, other: Fault): number {
  return (
    other.path.length - one.path.length ||
    Number(one.keyword !== 'anyOf') - Number(other.keyword !== 'anyOf') ||
    Number(!hasType(one)) - Number(!hasType(other))
  );
}

function hasType({ schema: { type }, value }: Fault): boolean {
  return type !== undefined && typesOf(type).some((name) => isOfType(name, value));
}

/** If no alternative matches, the fault of the closest alternative, if one is closest. */
function deepest(fault: Fault): Fault {
  const [best, second] = [...fault.because].sort(compareFaults);
  return best === undefined || (second !== undefined && compareFaults(best, second) === 0) ? fault : deepest(best);
}

function describeFault({ keyword, schema, value, path, schemaPath, say }: Fault): string {
  const where = (word: string, steps: Path) => word + steps.map((step) => `[${pythonRepr(step)}]`).join('');
  return [
    `${say()}  Failed validating ${pythonRepr(keyword)} in ${where('schema', schemaPath)}:     ${pythonRepr(schema, { sorted: true })}`,
    `On ${where('instance', path)}:     ${pythonRepr(value, { sorted: true })}`,
  ].join('  ');
}

function check(schema: Schema, value: unknown, path: Path, schemaPath: Path, report: Report, checkInner: Check = check): void {
  const fault = (keyword: Keyword, say: () => string, because: readonly Fault[] = []) =>
    report({ keyword, schema, value, path, schemaPath, say, because });
  const { type } = schema;
  if (type !== undefined && !typesOf(type).some((name) => isOfType(name, value))) {
    fault(
      'type',
      () =>
        `${pythonRepr(value)} is not of type ${typesOf(type)
          .map((name) => pythonRepr(name))
          .join(', ')}`,
    );
  }
  if (schema.anyOf) checkAlternatives(schema.anyOf, value, fault);
  if (typeof value === 'string') checkText(schema, value, fault);
  if (typeof value === 'number') checkNumber(schema, value, fault);
  if (Array.isArray(value)) checkArray(schema, value, path, schemaPath, report, fault, checkInner);
  else if (isObject(value)) checkObject(schema, value, path, schemaPath, report, fault, checkInner);
}

type Complain = (keyword: Keyword, say: () => string, because?: readonly Fault[]) => void;

function checkAlternatives(alternatives: readonly Schema[], value: unknown, fault: Complain): void {
  const because: Fault[] = [];
  for (const [index, alternative] of alternatives.entries()) {
    const before = because.length;
    check(alternative, value, [], [index], (reason) => because.push(reason));
    if (because.length === before) return;
  }
  fault('anyOf', () => `${pythonRepr(value)} is not valid under any of the given schemas`, because);
}

function checkText(schema: Schema, text: string, fault: Complain): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  if (text.length < minLength) fault('minLength', () => `${pythonRepr(text)} is too short`);
  // A code point is one or two UTF-16 units.
  if (text.length > maxLength && [...text].length > maxLength) fault('maxLength', () => `${pythonRepr(text)} is too long`);
  if (pattern !== undefined && !regularExpression(pattern).test(text)) {
    fault('pattern', () => `${pythonRepr(text)} does not match ${pythonRepr(pattern)}`);
  }
  if (format === 'uuid' && parseUuid(text) === null) fault('format', () => `${pythonRepr(text)} is not a 'uuid'`);
  if (schema.enum && !schema.enum.includes(text)) fault('enum', () => `${pythonRepr(text)} is not one of ${pythonRepr(schema.enum)}`);
}

function checkNumber({ minimum, maximum }: Schema, number: number, fault: Complain): void {
  if (minimum !== undefined && number < minimum) {
    fault('minimum', () => `${pythonRepr(number)} is less than the minimum of ${pythonRepr(minimum)}`);
  }
  if (maximum !== undefined && number > maximum) {
    fault('maximum', () => `${pythonRepr(number)} is greater than the maximum of ${pythonRepr(maximum)}`);
  }
}

function checkArray(
  schema: Schema,
  list: readonly unknown[],
  path: Path,
  schemaPath: Path,
  report: Report,
  fault: Complain,
  checkInner: Check,
): void {
  if (list.length < (schema.minItems ?? 0)) fault('minItems', () => `${pythonRepr(list)} is too short`);
  const { items } = schema;
  if (items)
    for (const [index, element] of list.entries())
      checkInner(items, element, [...path, index], [...schemaPath, 'items'], report, checkInner);
  if (schema.uniqueItems && new Set(list).size < list.length) {
    fault('uniqueItems', () => `${pythonRepr(list)} has non-unique elements`);
  }
}

function checkObject(
  schema: Schema,
  object: Readonly<Record<string, unknown>>,
  path: Path,
  schemaPath: Path,
  report: Report,
  fault: Complain,
  checkInner: Check,
): void {
  const { properties = {}, patternProperties, required = [], minProperties = 0 } = schema;
  const patterns = Object.entries(patternProperties ?? {}).map(([source, inner]) => ({ source, inner, form: regularExpression(source) }));
  const keys = Object.keys(object);
  const extra: string[] = [];
  if (keys.length < minProperties) fault('minProperties', () => `${pythonRepr(object)} does not have enough properties`);
  for (const [name, inner] of Object.entries(properties)) {
    if (Object.hasOwn(object, name))
      checkInner(inner, object[name], [...path, name], [...schemaPath, 'properties', name], report, checkInner);
  }
  for (const key of keys) {
    const matching = patterns.filter(({ form }) => form.test(key));
    for (const { source, inner } of matching) {
      checkInner(inner, object[key], [...path, key], [...schemaPath, 'patternProperties', source], report, checkInner);
    }
    if (matching.length === 0 && !Object.hasOwn(properties, key)) extra.push(key);
  }
  for (const name of required) {
    if (!Object.hasOwn(object, name)) fault('required', () => `${pythonRepr(name)} is a required property`);
  }
  if (schema.additionalProperties === false && extra.length > 0) fault('additionalProperties', () => describeExtra(extra.sort(), schema));
}

function describeExtra(extra: readonly string[], { patternProperties }: Schema): string {
  const names = pythonRepr(extra).slice(1, -1);
  const isOne = extra.length === 1;
  if (!patternProperties) return `Additional properties are not allowed (${names} ${isOne ? 'was' : 'were'} unexpected)`;
  const patterns = pythonRepr(Object.keys(patternProperties).sort()).slice(1, -1);
  return `${names} ${isOne ? 'does' : 'do'} not match any of the regexes: ${patterns}`;
}

const typesOf = (type: JsonType | readonly JsonType[]): readonly JsonType[] => (typeof type === 'string' ? [type] : type);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function isOfType(type: JsonType, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

const compiled = new Map<string, RegExp>();

function regularExpression(source: string): RegExp {
  let form = compiled.get(source);
  if (form === undefined) {
    form = new RegExp(source);
    compiled.set(source, form);
  }
  return form;
}
