import { defineConfig } from 'vite';

/**
 * The thread that counts words, as one file: it starts in the time that a few thousand lines take, not the whole library. With the mode
 * `levels`, the one that counts cells of tables.
 */
export default defineConfig(({ mode }) => ({
  build: {
    outDir: 'dist/cli',
    emptyOutDir: false,
    target: 'node20',
    minify: true,
    ssr: true,
    rolldownOptions: {
      input:
        mode === 'levels'
          ? { 'level-worker': 'src/node/level-worker.ts' }
          : { 'word-worker': 'src/node/word-worker.ts' },
      external: [/^node:/],
      output: { entryFileNames: '[name].js', codeSplitting: false },
    },
  },
  ssr: { noExternal: true, external: [] },
  logLevel: 'warn',
}));
