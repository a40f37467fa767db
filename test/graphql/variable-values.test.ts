// Limits of the variables of a request: the number of values, their depth and the length of lists, counted at once or in parts.
import type { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/graphql/limits.ts';
import { checkValues, checkValuesInParts } from '../../src/graphql/variable-values.ts';

const ways: readonly (readonly [string, (variables: Record<string, unknown>) => void | Promise<void>])[] = [
  ['at once', checkValues],
  ['in parts', checkValuesInParts],
];

describe.each(ways)('the variables of a request, counted %s,', (_, check) => {
  const ask = async (input: unknown) => {
    try {
      await check({ input });
      return 'allowed';
    } catch (error) {
      const { code, measure } = (error as GraphQLError).extensions;
      return [code, measure];
    }
  };
  const listsOf = <Value>(count: number, value: Value): Value[][] =>
    count > 10_000 ? [Array<Value>(10_000).fill(value), ...listsOf(count - 10_000, value)] : [Array<Value>(count).fill(value)];

  test('may be 32 levels deep, not one more', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : { not: nested(levels - 1) });
    const tooDeep = ['TOO_COMPLEX', 'variableDepth'];
    expect(await ask(nested(limits.variableDepth - 1))).toBe('allowed');
    expect(await ask(nested(limits.variableDepth))).toEqual(tooDeep);
    expect(await ask(nested(5000))).toEqual(tooDeep);
  });

  test('may hold 10,000 elements in one list, not one more', async () => {
    const hold = (length: number) => ask({ lists: [Array(length).fill(null)] });
    expect([await hold(10_000), await hold(10_001)]).toEqual(['allowed', ['TOO_COMPLEX', 'listLength']]);
  });

  test('may hold 100,000 values in all, however deep, not one more', async () => {
    expect(await ask({ lists: [...listsOf(limits.values - 1, 'x'), [null]] })).toBe('allowed');
    expect(await ask({ lists: [...listsOf(limits.values, 'x'), [null]] })).toEqual(['TOO_COMPLEX', 'values']);
  });

  test('may contain as many lists and objects, empty or not', async () => {
    // The variables, the input, ten lists in a list, and their elements.
    const around = 2 + 1 + 10;
    expect(await ask(listsOf(limits.values - around, []))).toBe('allowed');
    expect(await ask(listsOf(limits.values - around + 2, {}))).toEqual(['TOO_COMPLEX', 'values']);
  });
});

test('other work gets turns while many values are counted', async () => {
  let turns = 0;
  let counting = true;
  const count = () => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const lists = Array.from({ length: 99 }, () => Array.from({ length: 900 }, () => ({ value: 1 })));
  await checkValuesInParts({ lists });
  counting = false;
  expect(turns).toBeGreaterThan(2);
});
