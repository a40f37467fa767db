// What a list shows, in its address.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printQuery, readQuery } from '../../../../src/ui/dashboard/formats/query-state.ts';

describe('the address of a list', () => {
  test('contains only what is chosen, and gives it back', () => {
    expect(printQuery({ kind: '', project: 'web-shop', until: '2026-11-21T12:00:00Z' })).toBe(
      'project=web-shop&until=2026-11-21T12:00:00Z',
    );
    const keys = ['kind', 'project'] as const;
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (kind, project) => {
        expect(readQuery(keys, printQuery({ kind, project }))).toEqual({ kind, project });
      }),
    );
  });
});
