// The dashboard's bounds are those of the contract.
import { expect, test } from 'vitest';
import { limits } from '../../../../src/domain/limits.ts';
import { bounds } from '../../../../src/ui/dashboard/data/bounds.ts';

test('pages ask for as much as the contract allows, and for no more', () => {
  expect(limits).toMatchObject(bounds);
});
