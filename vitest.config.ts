// How the tests run: in Node, against one throw-away database server per run (test/support/cluster.ts). The tests that need a
// browser or a Keystone, and those of the package, have configurations of their own.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql for our code and for the tools, which load the CommonJS one: two would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }] },
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/keystone/**', 'test/package/**'],
    globalSetup: 'test/support/cluster.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for may take long on a machine that is busy; the default is one second.
    expect: { poll: { timeout: 20_000 } },
  },
});
