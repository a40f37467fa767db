// The parts of the contract name limits and do not spell them: a limit that changes in src/domain/limits.ts changes in the contract.
import { readdirSync, readFileSync } from 'node:fs';
import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { statedNumbers, withNumbers } from '../../tools/contract-numbers.ts';

const folder = new URL('../../src/graphql/schema/', import.meta.url);
const contract = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

/** Below this, numbers are mostly no limits: 0 for none, 1 for the first, 2 for both. */
const leastTelling = 3;

/** Numbers that only happen to be those of a limit, with the words around them, by why they stand there. */
const noLimits: Readonly<Record<string, readonly string[]>> = {
  'an example': ['weight: 4096', 'as much as 4 GiB', 'lack only 4,096 MEMORY_MB', '4.0 offers each physical unit'],
  'a measurement': ['some 30 bytes for each host'],
  'what Nova takes when nothing is set': ['4 for cpu and 1 otherwise'],
};

const readNumber = (number: string) => Number(number.replaceAll(',', ''));
const stated = new Set([...statedNumbers].map(readNumber));

/** Numbers that equal one that has a name, in descriptions and defaults. One within a word, a version, a uuid or a PCI address is none. */
function spelledNumbers(document: DocumentNode): string[] {
  const found: string[] = [];
  const excused = Object.values(noLimits).flat();
  const look = (text: string) => {
    for (const [number] of text.matchAll(/(?<![\w.:^<-])\d+(,\d{3})*(\.\d+)?(e\d+)?(?![\w:^-]|\.\d)/g)) {
      if (readNumber(number) >= leastTelling && stated.has(readNumber(number))) found.push(`${number}: ${text}`);
    }
  };
  const enter = (node: ASTNode) => {
    if ('description' in node && node.description)
      look(excused.reduce((left, words) => left.replaceAll(words, ''), node.description.value));
    if (node.kind === Kind.INPUT_VALUE_DEFINITION && node.defaultValue) look(print(node.defaultValue));
  };
  visit(document, { enter });
  return found;
}

describe('a number of a limit', () => {
  test.each(readdirSync(folder))('is spelled nowhere in %s', (file) => {
    expect(spelledNumbers(parse(readFileSync(new URL(file, folder), 'utf8')))).toEqual([]);
  });

  test('is noticed wherever it is spelled', () => {
    const part = parse(`"At most 1,000; 50 when omitted. Version 1.50, 0000:50:00.0, of 50x, <<pageSize>>, 1 or 2."
      type A { "For 30 seconds, at most 3.40282e38." a("At most 2147483647." b: Int = 100, c: Int = pageSize): Int }`);
    expect(spelledNumbers(part).map((line) => line.split(':')[0])).toEqual(['1,000', '50', '30', '3.40282e38', '2147483647', '100']);
  });

  test.each(Object.values(noLimits).flat())('is not meant by the words %s, which stand in the contract', (words) => {
    expect(contract).toContain(words);
  });
});

describe('the name of a limit', () => {
  const filled = (text: string) => print(withNumbers(parse(text), 'a.graphql'));

  test('becomes its value, with separators in a description and without in a default or a directive', () => {
    const part = '"At most <<planMoves>>, <<amount>>." type A { a(b: Int = planMoves, c: D = UP): [Int] @length(usual: planMoves) }';
    expect(filled(part)).toBe(
      print(parse('"At most 1,000, 2147483647." type A { a(b: Int = 1000, c: D = UP): [Int] @length(usual: 1000) }')),
    );
    expect(limits.planMoves).toBe(1000);
  });

  test.each(['"At most <<planMove>>." type A { a: Int }', 'type A { a(b: Int = planMove): Int }'])(
    'fails the generation when there is none such: %s',
    (part) => {
      expect(() => filled(part)).toThrow(
        /^a\.graphql names \S*planMove\S*, which is neither a limit of src\/domain\/limits\.ts nor a number/,
      );
    },
  );
});

test('no name is left in the contract', () => {
  expect(contract).not.toMatch(/<<|>>/);
});
