// Bundles the web pages. Only src/ui/build-if-stale.mjs uses Vite.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('../src/ui/explorer', import.meta.url)),
  base: '/explorer/',
  plugins: [react()],
  build: {
    outDir: '../../../dist/ui',
    // The compiler may have put modules of src/ui there; the build script removes Vite's own output.
    emptyOutDir: false,
    // Monaco is large, but comes from the same host.
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
  },
});
