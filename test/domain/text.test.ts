import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consumerTypeFault,
  customNameFault,
  findTextFault,
  maxNameLength,
  resourceClassNameFault,
  traitNameFault,
} from '../../src/domain/text.ts';

describe('text that can be stored', () => {
  test.each([
    ['plain words', 'compute node 1'],
    ['other scripts', 'вычислительный узел'],
    ['control characters other than NUL', 'a\u0001\n\t'],
    ['a whole surrogate pair', '😀'],
    ['as many code points as allowed, though twice as many code units', '😀'.repeat(20)],
  ])('%s', (_what, text) => {
    expect(findTextFault(text, { maxLength: 20 })).toBeNull();
  });

  test('an empty text if the bounds allow it', () => {
    expect(findTextFault('', { minLength: 0, maxLength: 20 })).toBeNull();
  });
});

describe('text that cannot be stored is refused with a reason', () => {
  test.each([
    ['a NUL byte', 'a\0b', 'must not contain a NUL character'],
    ['the first half of a pair alone', 'a\ud83d', 'must not contain half a surrogate pair'],
    ['the second half of a pair alone', '\ude00a', 'must not contain half a surrogate pair'],
    ['the halves of a pair the wrong way round', '\ude00\ud83d', 'must not contain half a surrogate pair'],
    ['nothing at all', '', 'must not be empty'],
    ['one code point too many', '😀'.repeat(21), 'must have at most 20 characters, has 21'],
  ])('%s', (_what, text, fault) => {
    expect(findTextFault(text, { maxLength: 20 })).toBe(fault);
  });

  test('fewer characters than the bounds require', () => {
    expect(findTextFault('ab', { minLength: 3, maxLength: 20 })).toBe('must have at least 3 characters, has 2');
  });

  test('exactly the texts that survive a round trip through UTF-8 and contain no NUL are accepted', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'é', '😀', '\0', '\ud83d', '\ude00')), (parts) => {
        const whole = parts.join('');
        const storable = Buffer.from(whole, 'utf8').toString('utf8') === whole && !whole.includes('\0');
        expect(findTextFault(whole, { minLength: 0, maxLength: 100 }) === null).toBe(storable);
      }),
    );
  });
});

describe.each([
  ['trait', traitNameFault],
  ['resource class', resourceClassNameFault],
  ['consumer type', consumerTypeFault],
])('the name of a %s', (_noun, fault) => {
  test.each(['A', '9', '_', 'VCPU', 'CUSTOM_GOLD', 'A'.repeat(maxNameLength)])('may be %s', (name) => {
    expect(fault(name)).toBeNull();
  });

  test.each(['', 'vcpu', 'V-CPU', 'V CPU', ' VCPU', 'VCPU\n', 'VÇPU', 'VCPU\0', '\ud800', 'A'.repeat(maxNameLength + 1)])(
    'may not be %j',
    (name) => {
      expect(fault(name)).not.toBeNull();
    },
  );
});

describe('a name that callers may create', () => {
  test.each(['CUSTOM_A', 'CUSTOM__', 'CUSTOM_CUSTOM_X', `CUSTOM_${'A'.repeat(maxNameLength - 7)}`])('may be %s', (name) => {
    expect(customNameFault(name)).toBeNull();
  });

  test.each([
    '',
    'CUSTOM_',
    'CUSTOM',
    'VCPU',
    'XCUSTOM_A',
    'custom_a',
    'CUSTOM_a',
    'CUSTOM_A\n',
    `CUSTOM_${'A'.repeat(maxNameLength - 6)}`,
  ])('may not be %j', (name) => {
    expect(customNameFault(name)).not.toBeNull();
  });
});
