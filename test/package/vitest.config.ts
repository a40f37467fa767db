// The tests of the package that is released: kept out of the ordinary run, because they build and install it.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import '../../tools/generate-types.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/package/**/*.test.ts'],
    // npm unpacks the package three times to install it: minutes where files are slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
