import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUuid } from '../../src/domain/uuid.ts';

const canonical = '4e8e5957-649f-477b-9e5b-f1f75b21c03c';

describe('after parsing, a uuid has one spelling', () => {
  test.each([
    ['lower case with dashes', canonical],
    ['upper case with dashes', canonical.toUpperCase()],
    ['mixed case', '4E8e5957-649F-477b-9e5b-f1f75B21c03c'],
    ['lower case without dashes', '4e8e5957649f477b9e5bf1f75b21c03c'],
    ['upper case without dashes', '4E8E5957649F477B9E5BF1F75B21C03C'],
  ])('%s', (_spelling, text) => {
    expect(parseUuid(text)).toBe(canonical);
  });

  test('version and variant bits do not matter: the all-zero uuid is one', () => {
    expect(parseUuid('00000000000000000000000000000000')).toBe('00000000-0000-0000-0000-000000000000');
  });

  test('every 128-bit number survives any spelling, and parsing twice changes nothing', () => {
    const digits = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((number) => number.toString(16).padStart(32, '0'));
    fc.assert(
      fc.property(digits, fc.boolean(), fc.boolean(), (hex, dashes, upper) => {
        const dashed = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
        const text = dashes ? dashed : hex;
        const parsed = parseUuid(upper ? text.toUpperCase() : text);
        expect(parsed).toBe(dashed);
        expect(parseUuid(parsed ?? '')).toBe(parsed);
      }),
    );
  });
});

test.each([
  ['nothing', ''],
  ['braces', `{${canonical}}`],
  ['a urn', `urn:uuid:${canonical}`],
  ['space before', ` ${canonical}`],
  ['a trailing line end', `${canonical}\n`],
  ['one digit too few', canonical.slice(1)],
  ['one digit too many', `${canonical}0`],
  ['a letter that is not hexadecimal', canonical.replace('e', 'g')],
  ['only some of the dashes', '4e8e5957-649f477b9e5bf1f75b21c03c'],
  ['dashes in other places', '4e8e-5957649f477b-9e5b-f1f7-5b21c03c'],
  ['digits of another script', `٤${canonical.slice(1)}`],
  ['a NUL byte', `${canonical}\0`],
])('%s is not a uuid', (_fault, text) => {
  expect(parseUuid(text)).toBeNull();
});
