// Parses query strings, and the small languages of their values (resources, traits, aggregates). Each parser throws a RestError with upstream's
// message. Does not look up names.
import { problemOf, Refusal } from '../domain/errors.ts';
import type { MembershipClause, ResourceAmount } from '../domain/provider.ts';
import { findTextFault, maxNameLength, resourceClassNameFault } from '../domain/text.ts';
import { parseUuid } from '../domain/uuid.ts';
import { has, type Microversion } from './microversions.ts';
import { RestError } from './rest-error.ts';

/** The parameters of a query string, each with its values in order. */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** Takes the text after the question mark. Throws a RestError for invalid UTF-8. */
  constructor(text: string) {
    const values = new Map<string, string[]>();
    for (const part of text.split('&')) {
      if (part === '') continue;
      const equals = part.indexOf('=');
      const name = decode(equals === -1 ? part : part.slice(0, equals));
      const value = equals === -1 ? '' : decode(part.slice(equals + 1));
      const known = values.get(name);
      if (known) known.push(value);
      else values.set(name, [value]);
    }
    this.#values = values;
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  first(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  last(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Each parameter with its last value, to be validated against a schema. */
  asObject(): Record<string, string> {
    return Object.fromEntries(this.names.map((name) => [name, this.last(name) ?? '']));
  }
}

function decode(text: string): string {
  try {
    // A percent sign that does not start an escape stands for itself.
    return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    throw new RestError(400, 'Invalid query string parameters: they are not in UTF-8');
  }
}

const resourcesForm =
  'Badly formed resources parameter. Expected resources query string parameter in form: ?resources=VCPU:2,MEMORY_MB:1024. Got: ';

/** `VCPU:2,MEMORY_MB:1024`; for a repeated class the last amount counts. */
export function parseResources(text: string): readonly ResourceAmount[] {
  if (text.trim() === '') throw new RestError(400, `${resourcesForm}empty string.`);
  const amounts = new Map<string, number>();
  for (const part of text.split(',')) {
    const [resourceClass, amount, ...rest] = part.split(':');
    if (resourceClass === undefined || amount === undefined || rest.length > 0) throw new RestError(400, `${resourcesForm}${part}.`);
    const parsed = parseAmount(resourceClass, amount);
    if (resourceClassNameFault(resourceClass)) {
      throw new RestError(400, `Invalid resource class in resources parameter: No such resource class ${resourceClass}.`);
    }
    amounts.set(resourceClass, parsed);
  }
  return [...amounts].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}

function parseAmount(resourceClass: string, text: string): number {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) {
    throw new RestError(400, `Requested resource ${resourceClass} expected positive integer amount. Got: ${text}.`);
  }
  const amount = Number(text);
  if (amount < 1) throw new RestError(400, `Requested resource ${resourceClass} requires amount >= 1. Got: ${amount}.`);
  // Larger amounts exceed every inventory anyway.
  return Math.min(amount, Number.MAX_SAFE_INTEGER);
}

const traitsForm = "Invalid query string parameters: Expected 'required' parameter value of the form: ";

/** Values of `required`: `A,!B`, and since 1.39 `in:A,B` and repetition; below 1.39 the last value counts. */
export function parseRequired(values: readonly string[], version: Microversion): MembershipClause[] {
  const counting = has(version, 'anyTraits') ? values : values.slice(-1);
  return counting.map((value) => (value.startsWith('in:') ? parseAnyTraits(value, version) : parseTraits(value, version)));
}

function parseAnyTraits(value: string, version: Microversion): MembershipClause {
  if (!has(version, 'anyTraits')) {
    throw new RestError(
      400,
      `Invalid query string parameters: The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since microversion 1.39. Got: ${value}`,
    );
  }
  const names = splitList(value.slice('in:'.length));
  if (names.includes('')) throw new RestError(400, `${traitsForm}in:HW_CPU_X86_VMX,CUSTOM_MAGIC. Got an empty trait in: ${value}`);
  if (names.some((name) => name.startsWith('!'))) {
    throw new RestError(
      400,
      `Invalid query string parameters: The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' does not support forbidden traits. Got: ${value}`,
    );
  }
  refuseImpossibleTraits(names);
  return { anyOf: [...new Set(names)] };
}

/** `A,!B` as one clause; `!` since 1.22. Repeated `!` count as one. */
export function parseTraits(value: string, version: Microversion): MembershipClause {
  const names = splitList(value);
  const noneOf = names.filter((name) => name.startsWith('!')).map((name) => name.replace(/^!+/, ''));
  const allOf = names.filter((name) => !name.startsWith('!'));
  const mayForbid = has(version, 'forbiddenTraits');
  if (names.includes('') || noneOf.includes('')) {
    const form = mayForbid ? 'HW_CPU_X86_VMX,!CUSTOM_MAGIC' : 'HW_CPU_X86_VMX,CUSTOM_MAGIC';
    throw new RestError(400, `${traitsForm}${form}. Got an empty trait in: ${value}`);
  }
  if (noneOf.length > 0 && !mayForbid) throw new RestError(400, `${traitsForm}HW_CPU_X86_VMX,CUSTOM_MAGIC. Got: ${value}`);
  refuseImpossibleTraits([...allOf, ...noneOf]);
  return { allOf: [...new Set(allOf)], noneOf: [...new Set(noneOf)] };
}

/** Refuses invalid names like unknown traits, before they reach the database. */
function refuseImpossibleTraits(names: readonly string[]): void {
  const impossible = names.filter((name) => findTextFault(name, { maxLength: maxNameLength }) !== null);
  if (impossible.length === 0) return;
  throw new Refusal(impossible.map((key) => problemOf({ code: 'NOT_FOUND', details: { noun: 'trait', key } }, ['required'])));
}

const splitList = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Values of `member_of` + suffix: a uuid, `in:` with several, and since 1.32 `!` before either. Below 1.24, only one value is allowed. */
export function parseMemberOf(values: readonly string[], version: Microversion, suffix = ''): MembershipClause[] {
  if (values.length > 1 && !has(version, 'repeatedMemberOf')) {
    throw new RestError(400, `Multiple member_of${suffix} parameters are not supported`);
  }
  return values.map((value) => {
    const clause = parseAggregates(value);
    if (clause.noneOf && !has(version, 'forbiddenAggregates')) {
      throw new RestError(400, `Forbidden member_of${suffix} parameters are not supported in the specified microversion`);
    }
    return clause;
  });
}

function parseAggregates(value: string): MembershipClause {
  const isForbidden = value.startsWith('!');
  const rest = isForbidden ? value.slice(1) : value;
  const isList = rest.startsWith('in:');
  if (value.includes(',') && !isList) {
    throw new RestError(
      400,
      `Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword using the valid microversion. Got: ${value}`,
    );
  }
  const uuids = (isList ? rest.slice('in:'.length).split(',') : [rest]).map((text) => {
    const uuid = parseUuid(text);
    if (uuid) return uuid;
    throw new RestError(400, `Invalid query string parameters: Expected 'member_of' parameter to contain valid UUID(s). Got: ${text}`);
  });
  return isForbidden ? { noneOf: uuids } : { anyOf: uuids };
}

/** The value of `in_tree`. */
export function parseInTree(value: string): string {
  const uuid = parseUuid(value.trim());
  if (uuid) return uuid;
  throw new RestError(400, `Invalid query string parameters: Expected 'in_tree' parameter to be a format of uuid. Got: ${value}`);
}
