// The tests that need a real browser: kept out of the ordinary run, which needs nothing but Node and npm.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
