import { describe, expect, test } from 'vitest';
import { pythonRepr } from '../../src/rest/python-repr.ts';
import { findFault, findFaultInParts, type Schema } from '../../src/rest/validation.ts';

/** The text before the schema. */
const wordsOf = (schema: Schema, value: unknown) => findFault(schema, value)?.split('  Failed validating')[0];

const uuid = '10000000-0000-4000-8000-000000000001';

describe('a value that violates a schema is reported with the message of jsonschema', () => {
  test.each<[Schema, unknown, string]>([
    [{ type: 'integer' }, 'x', "'x' is not of type 'integer'"],
    [{ type: 'integer' }, 1.5, "1.5 is not of type 'integer'"],
    [{ type: 'integer' }, true, "True is not of type 'integer'"],
    [{ type: ['integer', 'null'] }, {}, "{} is not of type 'integer', 'null'"],
    [{ type: 'number' }, null, "None is not of type 'number'"],
    [{ type: 'object' }, [], "[] is not of type 'object'"],
    [{ type: 'array' }, { a: 1 }, "{'a': 1} is not of type 'array'"],
    [{ minimum: 1 }, 0, '0 is less than the minimum of 1'],
    [{ maximum: 3.40282e38 }, 1e39, '1e+39 is greater than the maximum of 3.40282e+38'],
    [{ minLength: 1 }, '', "'' is too short"],
    [{ maxLength: 2 }, 'abc', "'abc' is too long"],
    [{ pattern: '^[A-Z0-9_]+$' }, 'vcpu', "'vcpu' does not match '^[A-Z0-9_]+$'"],
    [{ format: 'uuid' }, 'x', "'x' is not a 'uuid'"],
    [{ enum: ['none', 'isolate'] }, 'bogus', "'bogus' is not one of ['none', 'isolate']"],
    [{ minItems: 1 }, [], '[] is too short'],
    [{ uniqueItems: true }, ['a', 'a'], "['a', 'a'] has non-unique elements"],
    [{ minProperties: 1 }, {}, '{} does not have enough properties'],
    [{ required: ['total'] }, {}, "'total' is a required property"],
    [{ additionalProperties: false }, { b: 1 }, "Additional properties are not allowed ('b' was unexpected)"],
    [{ additionalProperties: false }, { b: 1, a: 1 }, "Additional properties are not allowed ('a', 'b' were unexpected)"],
    [{ patternProperties: { '^x': {} }, additionalProperties: false }, { a: 1 }, "'a' does not match any of the regexes: '^x'"],
    [
      { patternProperties: { '^x': {}, '^w': {} }, additionalProperties: false },
      { b: 1, a: 1 },
      "'a', 'b' do not match any of the regexes: '^w', '^x'",
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, '5 is not valid under any of the given schemas'],
    [{ anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] }, 'x', "'x' is not a 'uuid'"],
  ])('%j is violated by %j', (schema, value, words) => {
    expect(wordsOf(schema, value)).toBe(words);
  });

  test('with the paths in the schema and in the value, and both of these', () => {
    const schema: Schema = { type: 'object', properties: { total: { type: 'integer', minimum: 1 } } };
    expect(findFault(schema, { total: 0, b: 'x', a: null })).toBe(
      "0 is less than the minimum of 1  Failed validating 'minimum' in schema['properties']['total']:     {'minimum': 1, 'type': 'integer'}  On instance['total']:     0",
    );
  });

  test('inside lists and keys that match a pattern, with the path', () => {
    const schema: Schema = { patternProperties: { '^A$': { type: 'array', items: { type: 'string' } } } };
    expect(findFault(schema, { A: ['x', 1] })).toContain(
      "Failed validating 'type' in schema['patternProperties']['^A$']['items']:     {'type': 'string'}  On instance['A'][1]:     1",
    );
  });
});

describe('of several faults', () => {
  test('the one higher up is reported', () => {
    const schema: Schema = { properties: { a: { type: 'integer' } }, required: ['b'] };
    expect(wordsOf(schema, { a: 'x' })).toBe("'b' is a required property");
  });

  test('the wrong type is reported before a wrong value', () => {
    const schema: Schema = { properties: { a: { minimum: 1, type: 'integer' }, b: { type: 'integer' } } };
    expect(wordsOf(schema, { a: 0, b: 'x' })).toBe("'x' is not of type 'integer'");
  });
});

describe('a valid value', () => {
  test.each<[Schema, unknown]>([
    [{ type: 'integer' }, 1],
    [{ maxLength: 2 }, '😀😀'],
    [{ format: 'uuid' }, uuid],
    [{ format: 'uuid' }, uuid.replaceAll('-', '').toUpperCase()],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ type: 'object', properties: {}, additionalProperties: false }, {}],
  ])('%j accepts %j', (schema, value) => {
    expect(findFault(schema, value)).toBeNull();
  });

  test('has own properties only: inherited properties of objects neither count nor are allowed', () => {
    expect(wordsOf({ required: ['constructor'] }, {})).toBe("'constructor' is a required property");
    expect(wordsOf({ properties: {}, additionalProperties: false }, JSON.parse('{"__proto__": 1}'))).toBe(
      "Additional properties are not allowed ('__proto__' was unexpected)",
    );
  });
});

describe('values as Python shows them', () => {
  test.each<[unknown, string]>([
    ["it's", `"it's"`],
    [`"it's"`, `'"it\\'s"'`],
    ['a\\b\n\t\u0001é\u200b😀', String.raw`'a\\b\n\t\x01é\u200b😀'`],
    [[true, false, null, 1.5, -0], '[True, False, None, 1.5, 0]'],
    [{ b: { a: [] } }, "{'b': {'a': []}}"],
    [1e-7, '1e-07'],
  ])('%j', (value, shown) => {
    expect(pythonRepr(value)).toBe(shown);
  });

  test('are truncated, however long or deep they are', () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    for (const value of ['x'.repeat(1_000_000), new Array(100_000).fill('x'), deep]) expect(pythonRepr(value).length).toBeLessThan(5000);
  });
});

describe('a large value is checked in parts', () => {
  const item: Schema = {
    type: 'object',
    properties: { n: { type: 'integer' }, t: { anyOf: [{ type: 'null' }, { format: 'uuid' }] } },
    required: ['n'],
  };
  const schema: Schema = {
    type: 'object',
    properties: { list: { type: 'array', items: item, uniqueItems: true } },
    patternProperties: { '^p': item },
    additionalProperties: false,
  };
  const list = (change: Readonly<Record<number, unknown>>) => Array.from({ length: 3000 }, (_, n) => change[n] ?? { n });

  test.each<[string, unknown]>([
    ['nothing', { list: list({}) }],
    ['an element', { list: list({ 7: { n: 'x' } }) }],
    ['two elements, the first of which is reported', { list: list({ 7: { n: 'x' }, 9: { n: 'y' } }) }],
    ['an element and the object around it', { list: list({ 7: { n: 'x' } }), other: 1 }],
    ['an alternative', { p1: { n: 1, t: 'x' }, list: list({}) }],
    ['several kinds', { p2: {}, p1: { n: [] }, list: list({ 1: {}, 2: 4 }) }],
  ])('and is refused for the same fault: %s', async (_, value) => {
    expect(await findFaultInParts(schema, value)).toBe(findFault(schema, value));
  });

  test('other work gets turns meanwhile', async () => {
    let turns = 0;
    let isChecking = true;
    const count = () => {
      turns += 1;
      if (isChecking) setImmediate(count);
    };
    setImmediate(count);
    expect(
      await findFaultInParts(
        { type: 'array', items: schema },
        Array.from({ length: 30 }, () => ({ list: list({}) })),
      ),
    ).toBe(null);
    isChecking = false;
    expect(turns).toBeGreaterThan(3);
  });
});
