// How the tests run: in Node. Files that use a database share one throw-away server per run (test/support/cluster.ts); files that use none start
// without it; the examination is a project of its own. The tests that need a browser or a Keystone, and those of the package, have configurations of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';
import './tools/generate-types.mjs';

/** Tests with a configuration of their own. */
const elsewhere = /^test\/(browser|keystone|package|pairs)\//;

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((file) => file.endsWith('.test.ts') && !elsewhere.test(file));

/**
 * The examination: random histories, fuzz, floods, cut-off calls, servers and gateways that are killed, and whatever starts processes. It takes most of the time
 * of all tests, and `.ci/run` makes it (`npm run test:examination`); `npm test` leaves it out. The first line of these files says so.
 */
const isExamination = (file: string) => /^\/\/ Examination(, waiting)?\. /.test(readFileSync(file, 'utf8'));
/** Those that wait most of the time, for processes and timers: `.ci/run` runs them beside the others. */
const isWaiting = (file: string) => readFileSync(file, 'utf8').startsWith('// Examination, waiting. ');
/** Tests of which `npm test` makes a tenth of the attempts (test/support/profile.ts): the examination makes all. */
const isSampled = (file: string) => /\b(sampled|historiesOf)\(/.test(readFileSync(file, 'utf8'));

const known = new Map<string, boolean>();
/** Whether a file, or something in `test/` that it imports, connects to the server of the run. */
function usesDatabase(file: string): boolean {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  // Two files that import each other: the first one decides.
  known.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path ?? ''));
  const uses =
    text.includes("inject('cluster')") || imported.some((path) => path.startsWith('test/') && existsSync(path) && usesDatabase(path));
  known.set(file, uses);
  return uses;
}

/** Of the dice of tests (test/support/dice.ts): another one in each run, unless it is given. */
const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31));

const ordinary = files.filter((file) => !isExamination(file));
const globalSetup = 'test/support/cluster.ts';
const examined = files.filter((file) => isExamination(file) || (process.env.TEST_PROFILE !== undefined && isSampled(file)));
// Many of these tests start servers of their own, which takes a busy machine long. The limits end what hangs.
const ofExamination = { globalSetup: [globalSetup, 'test/support/program.ts'], testTimeout: 400_000, hookTimeout: 400_000 };
const project = (name: string, include: readonly string[], rest: InlineConfig) => ({
  extends: true as const,
  test: { ...rest, name, include: [...include] },
});

export default defineConfig({
  // One copy of graphql for our code and for the tools, which load the CommonJS one: two would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }] },
  test: {
    environment: 'node',
    env: { RUN_SEED: seed },
    setupFiles: 'test/support/failed-dice.ts',
    pool: 'forks',
    // Files share processes, in which each module is loaded once: what a file starts, it stops (test/tidy.test.ts).
    isolate: false,
    // One more than the cores that a small machine has: tests wait for servers and processes.
    maxWorkers: 3,
    // Everything may take long on a machine that is busy. The limits end what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      project(
        'pure',
        ordinary.filter((file) => !usesDatabase(file)),
        {},
      ),
      project('database', ordinary.filter(usesDatabase), { globalSetup }),
      project(
        'examination',
        examined.filter((file) => !isWaiting(file)),
        ofExamination,
      ),
      project('examination-waiting', examined.filter(isWaiting), ofExamination),
    ],
  },
});
