// What a release is refused for, and that trying it changes nothing. A release that is made is in package.test.ts.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { copySources, git, version } from './sources.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-release-'));
const sources = join(home, 'sources');
const out = join(home, 'out');

beforeAll(() => copySources(sources));
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => {
  git(sources, 'checkout', '--quiet', '--', '.');
  git(sources, 'clean', '--quiet', '--force');
});

/** How `npm run release` ends. */
function release(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', 'release', '--', ...args, '--to', out], { cwd: sources }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

const unchanged = () =>
  expect([git(sources, 'status', '--porcelain'), git(sources, 'tag'), git(sources, 'log', '--format=%s')]).toEqual(['', '', 'Sources']);

test('tried only, it says what it would do and does nothing', async () => {
  const { code, said } = await release(version, '--dry-run');
  expect([code, said]).toEqual([0, expect.stringContaining(`${version} can be released`)]);
  expect(said).toContain(`releases/${version} would be stored`);
  unchanged();
});

test('it is refused without a section of the changelog, without word of the tests, and for what is no version', async () => {
  const { code, said } = await release('1.0', '--dry-run');
  expect([code, said]).toEqual([1, expect.stringContaining('name the version, such as 0.1.0, not "1.0"')]);
  expect(said).toContain('CHANGELOG.md has no section "## 1.0 (unreleased)"');
  expect(await release(version)).toEqual({ code: 1, said: expect.stringContaining('say with --tests what was run') });
  unchanged();
});

test('it is refused for a checkout with changes, and for a contract that breaks what the last release promised', async () => {
  const contract = readFileSync(join(sources, 'schema.graphql'), 'utf8');
  mkdirSync(join(sources, 'releases/9.9.8'));
  writeFileSync(join(sources, 'releases/9.9.8/contract.graphql'), contract.replace('type Query {', 'type Query {\n  gone: String'));
  const { code, said } = await release(version, '--dry-run');
  expect([code, said]).toEqual([1, expect.stringContaining('the checkout has changes')]);
  expect(said).toContain('`Query.gone`');
});
