// The files that documents name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The paths that a document names: those that begin with a directory of the project. */
function pathsIn(text: string): string[] {
  const path = /(?<![\w/.-])(?:\.ci|bench|bin|docs|drizzle|releases|src|test|tools)\/(?:[\w./-]*\w)?/g;
  return [...text.matchAll(path)].map(([found]) => found);
}

const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...readdirSync(new URL('../../docs', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe.each(documents)('%s', (document) => {
  test('names only files that exist', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const paths = pathsIn(readFileSync(`${root}${document}`, 'utf8'));
    expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
  });
});

test('a missing path is noticed', () => {
  const text = 'As src/domain/a.ts, `test/` and src.ts say (https://a.example/docs/a): `npx vitest run test/a.test.ts`.';
  expect(pathsIn(text)).toEqual(['src/domain/a.ts', 'test/', 'test/a.test.ts']);
});
