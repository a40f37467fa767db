// Large JSON is parsed in parts to the value that JSON.parse gives, others get their turn in between, and what is not JSON is refused.
import { expect, test } from 'vitest';
import { parseInParts, UnwieldyJson } from '../../../src/operations/request/large-json.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { sampled } from '../../support/profile.ts';

/** Values by dice. */
function valuesFrom(number: Dice): (size: number, depth?: number) => unknown {
  const texts = ['', 'x', '"', '\\', '\\"', 'a,b', '[{', '}]', 'é\u2028😀', 'y'.repeat(20_000), '\\'.repeat(20_001), '"'.repeat(9000)];
  const leaves = [null, true, false, 0, -1.5e-7, 2 ** 53, ...texts];
  const value = (size: number, depth = 0): unknown => {
    const kind = depth > 2 ? 0 : number(3);
    if (kind === 1) return Array.from({ length: number(size) }, () => value(size, depth + 1));
    if (kind === 2)
      return Object.fromEntries(Array.from({ length: number(size) }, () => [`${number(9)}"\\${number(99)}`, value(size, depth + 1)]));
    return leaves[number(leaves.length)];
  };
  return value;
}

test('the value is that of JSON.parse, however the JSON is laid out', async () => {
  const value = valuesFrom(freshDice('layouts'));
  for (let nth = 0; nth < sampled(60); nth++) {
    const whole = [value(8), { deep: [value(8), value(3)] }];
    for (const space of [undefined, 1, '\t\r\n']) {
      const json = JSON.stringify(whole, null, space);
      expect(await parseInParts(json)).toEqual(JSON.parse(json));
    }
  }
});

test.each([
  ['a key twice', '{"a":1,"b":2,"a":3}'],
  ['a key that would be a prototype', `{"__proto__":{"a":1},"b":["${'x'.repeat(20_000)}"],"__proto__":["${'y'.repeat(20_000)}"]}`],
  ['space around', ` [ ] `],
  ['much space', `[1,${' '.repeat(40_000)}2${' '.repeat(40_000)}]`],
  ['a bare text', '"x"'],
  ['a bare number', ' 12 '],
])('so it is with %s', async (_, json) => {
  const parsed = await parseInParts(json);
  expect(parsed).toEqual(JSON.parse(json));
  expect(Object.entries(parsed as object)).toEqual(Object.entries(JSON.parse(json)));
});

const long = `"${'x'.repeat(20_000)}"`;

test.each([
  '',
  ' ',
  '[',
  '[1',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1}',
  '{"a":1]',
  '{"a"}',
  '{"a":}',
  '{a:1}',
  '[1]2',
  '[01]',
  '"',
  '"a',
  'nul',
  '{,}',
])('the text %s is refused, alone and beside a long one', async (json) => {
  for (const text of [json, `[${long},${json}`, `{"a":${long},"b":${json}`, `[[${long},${json}]`]) {
    await expect(parseInParts(text)).rejects.toThrow(SyntaxError);
  }
});

test.each([
  `[${long} ${long}]`,
  `[${long},]`,
  `{"a":${long},}`,
  `{${long}}`,
  `{${long}:${long}`,
  `[[${long}}]`,
  `{"a" ${long}}`,
  `[1,${long}`,
])('a long text in the wrong place is refused', async (json) => {
  expect(() => JSON.parse(json)).toThrow();
  await expect(parseInParts(json)).rejects.toThrow(SyntaxError);
});

test('oversized lists and objects and excessive depth are refused before they are parsed', async () => {
  let read = 0;
  const counting = (json: string): unknown => {
    read += json.length;
    return JSON.parse(json);
  };
  const members = Array.from({ length: 500_000 }, (_, index) => `"${index}":0`);
  await expect(parseInParts(`{${members.join()}}`, counting)).rejects.toThrow(UnwieldyJson);
  await expect(parseInParts(`{"list":[${'0,'.repeat(500_000)}0]}`, counting)).rejects.toThrow(UnwieldyJson);
  await expect(parseInParts(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, counting)).rejects.toThrow(UnwieldyJson);
  expect(read).toBeLessThan(400_000);
});

test('an oversized string or name is refused before it is parsed', async () => {
  const read: number[] = [];
  const counting = (json: string): unknown => {
    read.push(json.length);
    return JSON.parse(json);
  };
  const longest = 'x'.repeat(256 * 1024);
  expect(await parseInParts(`["${longest}"]`)).toEqual([longest]);
  for (const json of [`"${longest}x"`, `[1,"${longest}x"]`, `{"${longest}x":1}`, `{"a":"${'\\"'.repeat(200_000)}"}`]) {
    await expect(parseInParts(json, counting)).rejects.toThrow(/may have 262144 characters/);
  }
  expect(Math.max(0, ...read)).toBeLessThan(100);
});

test('four megabytes are parsed in small pieces, with turns for other work', async () => {
  let longest = 0;
  let turns = 0;
  let isParsing = true;
  const count = () => {
    turns += 1;
    if (isParsing) setImmediate(count);
  };
  setImmediate(count);
  const element = { name: 'x'.repeat(80), numbers: Array.from({ length: 200 }, (_, index) => index) };
  const value = Array.from({ length: 4500 }, () => element);
  const parsed = await parseInParts(JSON.stringify(value), (json) => {
    longest = Math.max(longest, json.length);
    return JSON.parse(json);
  });
  isParsing = false;
  expect(parsed).toEqual(value);
  expect(longest).toBeLessThan(17 * 1024);
  expect(turns).toBeGreaterThan(3);
});
