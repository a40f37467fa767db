// Random requests to the Placement REST API, from the route table and its schemas, some of them corrupted in some places.
// Knows the format of requests; does not judge answers. Uuids and names come from small pools, so that requests meet each other's rows.
import fc, { type Arbitrary } from 'fast-check';
import type { Route } from '../../src/rest/call.ts';
import { atVersion, features, has } from '../../src/rest/microversions.ts';
import { routes } from '../../src/rest/serving/routes.ts';
import type { Schema } from '../../src/rest/validation.ts';
import { anyCharacter } from './any-character.ts';
import { uuid } from './rest.ts';
import { webHeaders } from './web-headers.ts';

export interface RandomRequest {
  readonly method: string;
  /** Relative to the mount point, with its query string, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** The minor version that the request is meant for. */
  readonly version: number;
  readonly route: Route;
}

/** Current generations by uuid. */
export interface Generations {
  readonly providers: ReadonlyMap<string, number>;
  readonly consumers: ReadonlyMap<string, number>;
}

export const pool = {
  uuids: Array.from({ length: 14 }, (_, index) => uuid(index)),
  classes: ['VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_A', 'CUSTOM_B'],
  traits: ['HW_CPU_X86_AVX2', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_A', 'CUSTOM_B'],
  names: ['one', 'two', 'three', 'four', 'p1', 'INSTANCE', 'MIGRATION'],
} as const;

const hostile = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '🦆', "'; drop table traits; --", '$1', '%_\\', '__proto__', 'constructor', 'toString', '\u202e'],
  ...['null', '-1', '0', '1e9', '9007199254740993', '99999999999999999999', 'NaN', 'in:', '!', '!in:', ':', ',', 'VCPU:1:1', '../..', '%'],
  ...[
    'A'.repeat(256),
    'x'.repeat(5000),
    `{${uuid(1)}}`,
    `urn:uuid:${uuid(1)}`,
    uuid(1).replaceAll('-', ''),
    uuid(1).toUpperCase(),
    `${uuid(1)}\n`,
  ],
];
const oneOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const known = <Value>(...sources: readonly (readonly Value[])[]) => oneOf(...sources.flat());
const often = <Value>(usual: Arbitrary<Value>, rare: Arbitrary<Value>, times = 12): Arbitrary<Value> =>
  fc.oneof({ arbitrary: usual, weight: times }, { arbitrary: rare, weight: 1 });

const anyUuid = known(pool.uuids);
const anyText = fc.oneof(known<string>(pool.names, pool.classes, pool.uuids, hostile), fc.string({ unit: anyCharacter, maxLength: 12 }));
const anyValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 2 }),
  oneOf<unknown>(null, true, -1, 0, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}, [[]]),
);

/** Values that are valid for a schema. */
function goodValue(schema: Schema, key: string): Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => goodValue(each, key)));
  const [type] = [schema.type].flat();
  if (Array.isArray(schema.type) && schema.type.includes('null')) return often(numberOf(schema), fc.constant(null), 2);
  if (type === 'object') return objectOf(schema);
  if (type === 'array') {
    const items = goodValue(schema.items ?? {}, key);
    return schema.uniqueItems
      ? fc.uniqueArray(items, { maxLength: 3 })
      : fc.array(items, { minLength: schema.minItems ?? 0, maxLength: 3 });
  }
  if (type === 'integer' || type === 'number') return numberOf(schema);
  return type === 'null' ? fc.constant(null) : textOf(schema, key);
}

function numberOf({ type, minimum = 0, maximum = 2 ** 31 }: Schema): Arbitrary<unknown> {
  const small = fc.integer({ min: minimum, max: minimum + 8 });
  return fc.oneof(
    { arbitrary: small, weight: 8 },
    oneOf(64, 1000, maximum, minimum),
    ...(type === 'number' ? [oneOf(0.5, 1.5, 16, -1)] : []),
  );
}

function textOf({ format, pattern, enum: allowed }: Schema, key: string): Arbitrary<string> {
  if (allowed) return oneOf(...allowed);
  if (format === 'uuid') return anyUuid;
  if (key === 'traits') return known(pool.traits);
  if (key === 'consumer_type') return oneOf('INSTANCE', 'MIGRATION', 'all', 'unknown');
  if (pattern) return pattern.includes('CUSTOM') ? oneOf('CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C') : known(pool.classes);
  return known(pool.names);
}

/** Keys of maps: uuids, suffixes or classes, depending on their pattern. */
function keyOf(pattern: string): Arbitrary<string> {
  if (pattern.includes('{36}')) return anyUuid;
  return pattern.includes('A-Z0-9_') ? known(pool.classes) : oneOf('_a', '1', '');
}

function objectOf({ properties = {}, patternProperties = {}, required = [], minProperties = 0 }: Schema): Arbitrary<object> {
  const fixed = fc.record(Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, goodValue(schema, key)])), {
    requiredKeys: [...required],
  });
  const [pattern] = Object.entries(patternProperties);
  if (!pattern) return fixed;
  const rows = fc.uniqueArray(fc.tuple(keyOf(pattern[0]), goodValue(pattern[1], '')), {
    minLength: minProperties,
    maxLength: 3,
    selector: ([key]) => key,
  });
  return fc.tuple(fixed, rows).map(([named, others]) => ({ ...named, ...Object.fromEntries(others) }));
}

/** The value with something replaced, removed or added in one place. */
function spoil(value: unknown, places: readonly number[], other: unknown, how: number): unknown {
  const [place, ...deeper] = places;
  if (place === undefined || typeof value !== 'object' || value === null) return other;
  if (Array.isArray(value)) {
    if (value.length === 0 || how === 0) return [...value, ...value, other];
    return value.map((each, index) => (index === place % value.length ? spoil(each, deeper, other, how) : each));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || how === 1) return { ...value, [typeof other === 'string' ? other : 'extra']: other };
  const chosen = place % entries.length;
  if (how === 2 && deeper.length === 0) return Object.fromEntries(entries.filter((_, index) => index !== chosen));
  return Object.fromEntries(entries.map(([key, each], index) => [key, index === chosen ? spoil(each, deeper, other, how) : each]));
}

/** Texts and bytes that are not JSON, or too much of it. */
const brokenBodies = fc.oneof(
  oneOf<string | Buffer>(
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"a":1}{"b":2}',
    '{"name":"a","name":"b"}',
    '['.repeat(20_000),
    '\ufeff{}',
    "{'a':1}",
  ),
  oneOf<string | Buffer>(
    Buffer.from([0x7b, 0xff, 0x7d]),
    Buffer.from('{"name":"\xe9"}', 'latin1'),
    `"${'x'.repeat(70_000)}"`,
    '{"__proto__":{}}',
  ),
  fc.string({ maxLength: 30 }),
);

function bodyOf(schema: Schema): Arbitrary<unknown> {
  const good = goodValue(schema, '');
  const places = fc.array(fc.nat(5), { maxLength: 5 });
  const spoilt = fc.tuple(good, places, anyValue, fc.nat(3)).map(([value, at, other, how]) => spoil(value, at, other, how));
  return fc.oneof({ arbitrary: good, weight: 5 }, { arbitrary: spoilt, weight: 3 });
}

const listOf = (words: Arbitrary<string>) => fc.array(words, { minLength: 1, maxLength: 3 }).map((all) => all.join());
const anyTrait = known(pool.traits);
/** Values of parameters by name without suffix. */
const parameters: Readonly<Record<string, Arbitrary<string>>> = {
  resources: listOf(fc.tuple(known(pool.classes), oneOf(1, 1, 1, 2, 8, 5000)).map((pair) => pair.join(':'))),
  required: fc.oneof(
    listOf(
      often(
        anyTrait,
        anyTrait.map((name) => `!${name}`),
        3,
      ),
    ),
    listOf(anyTrait).map((list) => `in:${list}`),
  ),
  member_of: fc
    .tuple(
      oneOf('', '', '!'),
      fc.oneof(
        anyUuid,
        listOf(anyUuid).map((list) => `in:${list}`),
      ),
    )
    .map((parts) => parts.join('')),
  root_required: listOf(
    often(
      anyTrait,
      anyTrait.map((name) => `!${name}`),
    ),
  ),
  same_subtree: oneOf('_a', '_a,_b', '_a,_b,_c'),
  in_tree: anyUuid,
  uuid: anyUuid,
  limit: oneOf('1', '2', '100'),
  group_policy: oneOf('none', 'isolate'),
  associated: oneOf('true', 'false', '1', 'yes'),
  consumer_type: oneOf('INSTANCE', 'all', 'unknown', 'MIGRATION'),
};

function queryOf({ properties = {}, patternProperties = {}, required = [] }: Schema, route: Route): Arbitrary<[string, string][]> {
  const named = Object.keys(properties);
  const grouped = Object.keys(patternProperties).map((pattern) => /^\^(\w+?)\(/.exec(pattern)?.[1] ?? '');
  const parameter = (name: string, suffix: string) => {
    const good = route.path === '/traits' && name === 'name' ? oneOf('startswith:CUSTOM', 'in:CUSTOM_A,VCPU') : parameters[name];
    return fc.tuple(fc.constant(name + suffix), often(good ?? known(pool.names), anyText));
  };
  const free = fc.constantFrom(...named, ...grouped, 'nonsense');
  const suffixes = grouped.length > 0 ? oneOf('', '', '1', '2', '_a', '_b', '_c', '-') : fc.constant('');
  const any = fc.tuple(free, suffixes).chain(([name, suffix]) => parameter(name, named.includes(name) ? '' : suffix));
  const must = [...required, ...(grouped.length > 0 ? ['resources'] : [])];
  return fc
    .tuple(
      often(fc.tuple(...must.map((name) => parameter(name, ''))), fc.constant<[string, string][]>([])),
      fc.array(any, { maxLength: 4 }),
    )
    .map(([a, b]) => [...a, ...b]);
}

/** Encoded as in a browser. The client would resolve dot segments itself; a text that cannot be encoded becomes a lone surrogate. */
function encode(text: string): string {
  if (/^\.{1,2}$/.test(text)) return '...';
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}

function pathOf(route: Route, version: number): Arbitrary<string> {
  const parts = route.path.split('/').map((part): Arbitrary<string> => {
    if (part === '') return fc.constant('');
    if (!part.startsWith('{')) return often(fc.constant(part), anyText.map(encode), 60);
    const good = part.includes('uuid')
      ? anyUuid
      : part === '{resource_class}'
        ? known(pool.classes)
        : oneOf('CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', 'VCPU', 'HW_CPU_X86_AVX2');
    return often(good, fc.oneof(anyText.map(encode), oneOf('%', '%zz', '%00', '%ff', '%2f', 'a'.repeat(300))));
  });
  const path = fc.tuple(...parts).map((all) => all.join('/'));
  const schema = route.query && atVersion(route.query, version);
  const pairs = schema
    ? queryOf(schema, route)
    : often(fc.constant<[string, string][]>([]), fc.array(fc.tuple(anyText, anyText), { maxLength: 2 }), 20);
  const written = pairs.map((all) => all.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'));
  const query = often(written, oneOf('&&=&', '%', '%ff=1', 'a', '=', '?', `a=${'b'.repeat(9000)}`), 40);
  // The root with anything appended is a different path.
  const tail = often(fc.constant(''), route.path === '' ? fc.constant('/') : oneOf('/', '//', '/x', ';a=b'), 60);
  return fc.tuple(path, tail, query).map(([base, end, text]) => `${base}${end}${text === '' ? '' : `?${text}`}`);
}

const newest = Math.max(...Object.values(features));

/** Headers that differ from those of an ordinary request; an empty string removes one. */
const strangeHeaders = fc.oneof(
  oneOf('', 'nobody', 'user:project', ':', 'admin:', 'a,b', 'x'.repeat(300)).map((token) => ({ 'x-auth-token': token })),
  oneOf(
    '',
    'placement',
    'placement 1.',
    'placement 1.x',
    'placement 2.0',
    'placement 1.40',
    'placement latest',
    'compute 2.1, placement 1.20',
  ).map((version) => ({ 'openstack-api-version': version })),
  oneOf(
    '',
    'text/plain',
    'application/json; charset=latin-1',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    ';;',
    'multipart/form-data',
  ).map((type) => ({ 'content-type': type })),
  oneOf('', '*/*', 'text/html', 'text/plain', 'application/json;q=0', ';q=', 'a/b;q=x, */*;q=0.1', ','.repeat(500)).map((accept) => ({
    accept,
  })),
  oneOf('gzip', 'identity', 'br, gzip').map((encoding) => ({ 'content-encoding': encoding })),
  oneOf('bad', 'req-1', 'x'.repeat(3000)).map((id) => ({ 'x-openstack-request-id': id })),
  oneOf('', 'a b', '[::', '%').map((host) => ({ host })),
);

/** A request to one route at one version, mostly well-formed, possibly with several faults. */
const requestTo = (route: Route): Arbitrary<RandomRequest> =>
  often(
    fc.integer({ min: features[route.since], max: route.until ? features[route.until] - 1 : newest }),
    fc.integer({ min: 0, max: newest }),
  ).chain((version) => {
    const schema = route.body && has(version, route.since) ? atVersion(route.body, version) : undefined;
    const good = schema ? bodyOf(schema).map((value) => JSON.stringify(value)) : fc.constant(undefined);
    return fc.record({
      route: fc.constant(route),
      version: fc.constant(version),
      method: often(
        fc.constant<string>(route.method),
        oneOf('GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'),
        30,
      ),
      path: pathOf(route, version),
      headers: fc
        .tuple(webHeaders, often(fc.constant<Record<string, string>>({}), strangeHeaders, 8))
        .map(([web, own]) => ({ ...web, ...own })),
      body: often<string | Buffer | undefined>(good, brokenBodies, schema ? 12 : 40),
    });
  });

/** Requests to all routes, equally often. */
export const randomRequests: Arbitrary<RandomRequest> = fc.oneof(...routes.map(requestTo));

/** The body as sent: small generations are replaced by the current ones, because otherwise hardly any write would succeed. */
export function withCurrentGenerations({ path, body }: RandomRequest, current: Generations): string | Buffer | undefined {
  if (typeof body !== 'string') return body;
  try {
    return JSON.stringify(refresh(JSON.parse(body), uuidForm.exec(path)?.[0] ?? '', current));
  } catch {
    return body;
  }
}

const uuidForm = /[0-9a-f-]{36}/;

function refresh(value: unknown, subject: string, current: Generations): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => refresh(each, subject, current));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => {
      const isOld = each !== null && !(typeof each === 'number' && each >= 0 && each < 7);
      if (key === 'resource_provider_generation' && !isOld) return [key, current.providers.get(subject) ?? each];
      if (key === 'consumer_generation' && !isOld) return [key, current.consumers.get(subject) ?? null];
      return [key, refresh(each, uuidForm.test(key) ? key : subject, current)];
    }),
  );
}
