// This project answers as Nova does: to random inputs of every kind that make.py has put to an installed Nova. Each difference has a reason.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  cellDifferences,
  deviceDifferences,
  extraSpecDifferences,
  flavorDifferences,
  hintDifferences,
  hostDifferences,
  objectDifferences,
} from './differences.ts';
import { answerToExtraSpec, answerToFlavor } from './flavor-answers.ts';
import { answerToCells, answerToDevices, answerToGroup, answerToHint, answerToHosts } from './host-answers.ts';
import { answerToObject } from './object-answers.ts';
import { compare, type Difference, readVectors, whenever } from './vectors.ts';

interface Kind {
  readonly called: string;
  readonly head: { readonly nova: string; readonly vectors: number };
  readonly differences: readonly { readonly because: string }[];
  readonly play: () => ReturnType<typeof compare>;
}

function kind<Given extends object, Answer extends object>(
  called: string,
  file: string,
  answer: (given: Given) => Answer,
  differences: readonly Difference<Given, Answer>[],
): Kind {
  const { head, vectors } = readVectors<Given, Answer>(file);
  return { called, head: { ...head, vectors: vectors.length }, differences, play: () => compare(vectors, answer, differences) };
}

const kinds = [
  kind('flavors with images', 'flavors', answerToFlavor, flavorDifferences),
  kind('extra specs', 'extra-specs', answerToExtraSpec, extraSpecDifferences),
  kind('cells of guests in cells of hosts', 'cells', answerToCells, cellDifferences),
  kind('requests for PCI devices', 'devices', answerToDevices, deviceDifferences),
  kind('objects for older receivers', 'objects-on-the-wire', answerToObject, objectDifferences),
  kind('states and weights of hosts', 'hosts', answerToHosts, hostDifferences),
  kind('server groups', 'groups', answerToGroup, []),
  kind('hosts near an address', 'hints', answerToHint, hintDifferences),
];

/** Lists each kind with its counts, and each reason. */
const page = readFileSync(new URL('../../../docs/founding-documents.md', import.meta.url), 'utf8');

describe('what Nova answers is answered here, except for the listed reasons, to', () => {
  test.each(kinds.map((one) => [one.called, one] as const))('%s', (called, { head, differences, play }) => {
    const { counts, unexplained } = play();
    expect(unexplained.slice(0, 3)).toEqual([]);
    const reasons = differences.map(({ because }) => because);
    expect(reasons.filter((because) => counts[because] === undefined)).toEqual([]);
    const rows = [
      `| ${called} | ${head.vectors} | ${counts.equal} |`,
      ...reasons.map((because) => `| ${called} | ${because} | ${counts[because]} |`),
    ];
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});

test('at least 5,000 vectors are kept, all from one release of Nova', () => {
  expect([...new Set(kinds.map(({ head }) => head.nova))]).toEqual(['26.2.2']);
  expect(kinds.reduce((sum, { head }) => sum + head.vectors, 0)).toBeGreaterThanOrEqual(5000);
});

test('an answer that differs without a reason is noticed, and one that only part of a reason explains', () => {
  const vectors = [
    { number: 1, says: { sum: 1 } },
    { number: 2, says: { refused: 'TooMuch' } },
    { number: 3, says: { sum: 4 } },
  ];
  type Given = { readonly number: number };
  const tooLarge = whenever<Given, { sum: number }>('too large', ({ number }) => number === 2);
  const odd: Difference<Given, { sum: number }> = { because: 'odd', without: (_, { number }) => (number % 2 === 1 ? { sum: 1 } : null) };
  const { counts, unexplained } = compare(vectors, ({ number }) => ({ sum: number * 2 }), [tooLarge, odd]);
  expect(counts).toEqual({ equal: 0, 'too large': 1, odd: 1 });
  expect(unexplained).toEqual([{ given: { number: 3 }, nova: { sum: 4 }, own: { sum: 6 } }]);
});
