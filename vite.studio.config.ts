import { defineConfig } from 'vite';
import { notices } from './vite.cli.config.ts';

/** Packages that users install themselves where they want them. */
const optional = [/^@node-rs\/jieba/, 'snowball-stemmers'];

/** The studio as a static folder: it runs from any web server, and `polya studio` serves it. */
export default defineConfig({
  root: 'studio',
  base: './',
  build: {
    outDir: '../dist/studio',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [notices('The page of the studio')],
  worker: {
    format: 'es',
    rolldownOptions: {
      external: optional,
      output: { assetFileNames: 'assets/[name][extname]' }, // the library reads the samples by name
    },
    plugins: () => [notices('The worker of the studio', 'assets/THIRD-PARTY-NOTICES')],
  },
  logLevel: 'warn',
});
