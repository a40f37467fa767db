// Weights that are updated for single elements equal those of a new table of the included elements.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Weigher, WeightTable } from '../../../src/domain/candidates/weights.ts';

interface Host {
  readonly memory: number;
  readonly disk: number;
  readonly factor: number;
}

const weighers: Weigher<Host>[] = [
  { weightOf: ({ memory }) => memory, multiplier: 2, least: 0 },
  { weightOf: ({ disk }) => -disk, multiplier: ({ factor }) => factor },
  { weightOf: ({ memory, disk }) => memory * disk, multiplier: 0 },
];

const amount = fc.integer({ min: -5, max: 50 });
const hosts = fc.array(fc.record({ memory: amount, disk: amount, factor: fc.integer({ min: -3, max: 3 }) }), {
  minLength: 1,
  maxLength: 12,
});

test('an updated table gives the same weights as a new one of the included elements', () => {
  fc.assert(
    fc.property(
      hosts,
      fc.array(fc.tuple(fc.nat(), amount, amount), { maxLength: 8 }),
      fc.array(fc.boolean()),
      (given, changes, excluded) => {
        const now = [...given];
        const table = new WeightTable(now, weighers);
        for (const [number, memory, disk] of changes) {
          const place = number % now.length;
          now[place] = { ...(now[place] as Host), memory, disk };
          table.update(place, now[place] as Host);
        }
        const places = [...now.keys()].filter((place) => !excluded[place]);
        const included = Uint8Array.from(now, (_, place) => (excluded[place] ? 0 : 1));
        const sums = table.sums(included);
        const anew = new WeightTable(
          places.map((place) => now[place] as Host),
          weighers,
        ).sums();
        expect(places.map((place) => sums[place])).toEqual([...anew]);
      },
    ),
    { numRuns: 500 },
  );
});
