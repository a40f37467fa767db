// The tests with a real Keystone: kept out of the ordinary run, which needs nothing but Node and npm.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../../tools/generate-types.mjs';

const root = new URL('../../', import.meta.url);

export default defineConfig({
  root: fileURLToPath(root),
  // One copy of graphql.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', root)) }] },
  test: {
    globalSetup: 'test/support/cluster.ts',
    include: ['test/keystone/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
