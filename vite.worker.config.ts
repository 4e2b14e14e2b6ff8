import { defineConfig } from 'vite';

/** The thread that counts words, as one file: it starts in the time that a few thousand lines take, not the whole library. */
export default defineConfig({
  build: {
    outDir: 'dist/cli',
    emptyOutDir: false,
    target: 'node20',
    minify: true,
    ssr: true,
    rolldownOptions: {
      input: { 'word-worker': 'src/node/word-worker.ts' },
      external: [/^node:/],
      output: { entryFileNames: '[name].js', codeSplitting: false },
    },
  },
  ssr: { noExternal: true, external: [] },
  logLevel: 'warn',
});
