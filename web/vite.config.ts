import { defineConfig } from 'vite';

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    // The Content-Security-Policy allows no data: URL, so nothing may be inlined as one.
    assetsInlineLimit: 0,
    // Every browser with ES2022 has module preload; its polyfill would be dead weight.
    modulePreload: { polyfill: false },
  },
});
