// How the tests run: in Node, against one throw-away database server per run (test/support/cluster.ts). The tests that need a
// browser have a configuration of their own.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    globalSetup: 'test/support/cluster.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
