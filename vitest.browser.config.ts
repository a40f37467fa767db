// The tests that need a real browser: kept out of the ordinary run, which needs nothing but Node and npm.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As in vitest.config.ts: one copy of graphql.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }] },
  test: {
    globalSetup: 'test/support/cluster.ts',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
