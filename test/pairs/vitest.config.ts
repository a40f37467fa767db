// The tests that run gateways of the last release and of this one on one database: kept out of the ordinary run, because they build both.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/pairs/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts', 'test/pairs/builds.ts'],
    // Builds run as they are installed, not as sources of this one.
    server: { deps: { external: [/placement-pairs-/] } },
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
});
