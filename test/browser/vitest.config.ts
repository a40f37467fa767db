// The tests that need a real browser: kept out of the ordinary run, which needs nothing but Node and npm.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../../tools/generate-types.mjs';

const root = new URL('../../', import.meta.url);

export default defineConfig({
  root: fileURLToPath(root),
  // One copy of graphql.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', root)) }] },
  test: {
    globalSetup: ['test/support/cluster.ts', 'test/support/program.ts'],
    include: ['test/browser/**/*.test.ts'],
    pool: 'forks',
    // Files share processes, in which each module is loaded once, as in the ordinary run.
    isolate: false,
    // Pages wait for their browsers, for streams and for what was cut off.
    maxWorkers: 3,
    // A machine with other work takes several times as long: these limits end what hangs.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
