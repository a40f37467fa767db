// How the tests run: in Node, against one throw-away database server per run (test/support/cluster.ts). The tests that need a
// browser or a Keystone, and those of the package, have configurations of their own.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Of rooms that keep nothing in the process beside their database: their files share processes, in which each module is loaded once. */
const sharing = ['commands', 'db', 'docs', 'domain', 'nova', 'operations', 'rest', 'tools', 'ui'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

const elsewhere = ['test/browser/**', 'test/keystone/**', 'test/package/**'];

export default defineConfig({
  // One copy of graphql for our code and for the tools, which load the CommonJS one: two would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }] },
  test: {
    environment: 'node',
    globalSetup: 'test/support/cluster.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The whole examination tries what failed once more, and tells it: what fails by chance is not hidden, and does not hide the rest.
    retry: Number(process.env.TEST_RETRIES ?? 0),
    // What is waited for may take long on a machine that is busy; the default is one second.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: [...sharing, ...elsewhere] } },
    ],
  },
});
