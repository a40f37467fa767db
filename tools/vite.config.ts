// Bundles the web pages: the dashboard and the explorer, one for each mode. Only src/ui/build-if-stale.mjs uses Vite.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(`../src/ui/${mode}`, import.meta.url)),
  base: mode === 'explorer' ? '/explorer/' : '/',
  plugins: [react()],
  // Class names are readable in the browser, and the same in every build of the same sources.
  css: { modules: { generateScopedName: '[name]-[local]' } },
  build: {
    outDir: `../../../dist/pages/${mode}`,
    emptyOutDir: true,
    // The policy of the dashboard refuses inline scripts and images; the polyfill is for browsers that cannot show the page anyway.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    license: { fileName: 'licences.md' },
    // Vite would only warn of a package that is not installed, but the page could not load then.
    rolldownOptions: {
      // What the first page needs comes in one file: a browser requests six files at a time, and each of a dozen would be some hundred bytes.
      ...(mode === 'dashboard' && {
        output: {
          codeSplitting: {
            groups: [{ name: 'shared', tags: ['$initial'], test: /dashboard\/(data|formats|parts|shell|theme|sign-in|map)/ }],
          },
        },
      }),
      onLog: (level, log, handle) => handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
    },
    // Monaco is large, but comes from the same host.
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
  },
}));
