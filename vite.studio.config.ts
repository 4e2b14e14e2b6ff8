import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { notices } from './vite.cli.config.ts';

/** The worker imports the library as the package has it, from the folder `lib` next to that of the studio. */
const library = /\/src\/(index|workbench|exchange)\.ts$/;

/** The modules that a module of the built library needs, itself included. */
function libraryFiles(folder: string, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  const code = readFileSync(join(folder, name), 'utf8');
  found.add(name);
  for (const [, other] of code.matchAll(/(?:from|import\()"\.\/([\w-]+\.js)"/g)) libraryFiles(folder, other, found);
  return found;
}

/** Lists the files of the page, which `keep.js` keeps; data of samples are kept when they are opened. */
const fileList: Plugin = {
  name: 'polya-files',
  writeBundle({ dir = '' }) {
    const own = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|css)$/.test(name) && name !== 'keep.js')
      .sort();
    const entries = ['index.js', 'workbench.js', 'exchange.js'];
    const used = new Set(entries.flatMap((name) => [...libraryFiles(join(dir, '../lib'), name)]));
    const files = [...own, ...[...used].sort().map((name) => `../lib/${name}`)];
    writeFileSync(join(dir, 'files.json'), `${JSON.stringify(files)}\n`);
  },
};

/** The studio as a static folder: with `dist/lib` next to it, it runs from any web server, and `polya studio` serves it. */
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
      external: library,
      output: {
        paths: (file) => file.replace(/.*\/(\w+)\.ts$/, '../lib/$1.js'),
        assetFileNames: 'assets/[name][extname]', // the library reads the samples by name
      },
    },
  },
  logLevel: 'warn',
});
