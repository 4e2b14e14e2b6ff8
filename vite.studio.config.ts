import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { notices } from './vite.cli.config.ts';

/** Packages that users install themselves where they want them. */
const optional = [/^@node-rs\/jieba/, 'snowball-stemmers'];

/** Lists the files of the page, which `keep.js` keeps; data of samples are kept when they are opened. */
const fileList: Plugin = {
  name: 'polya-files',
  writeBundle({ dir = '' }) {
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|css|wasm)$/.test(name) && name !== 'keep.js')
      .sort();
    writeFileSync(join(dir, 'files.json'), `${JSON.stringify(files)}\n`);
  },
};

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
  plugins: [notices('The page of the studio'), fileList],
  worker: {
    format: 'es',
    rolldownOptions: {
      external: optional,
      // exports name the classes of models, and the library reads the samples by name
      output: { keepNames: true, assetFileNames: 'assets/[name][extname]' },
    },
    plugins: () => [notices('The worker of the studio', 'assets/THIRD-PARTY-NOTICES')],
  },
  logLevel: 'warn',
});
