import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: [
      { find: /^polya$/, replacement: new URL('./src/index.ts', import.meta.url).pathname },
      { find: /^polya\/engines$/, replacement: new URL('./src/engines.ts', import.meta.url).pathname },
      { find: /^polya\/engines\/(\w+)$/, replacement: new URL('./src/engines/$1/index.ts', import.meta.url).pathname },
      { find: /^polya\/client$/, replacement: new URL('./src/client.ts', import.meta.url).pathname },
      { find: /^polya\/exchange$/, replacement: new URL('./src/exchange.ts', import.meta.url).pathname },
      { find: /^polya\/predict$/, replacement: new URL('./src/predict.ts', import.meta.url).pathname },
      { find: /^polya\/node$/, replacement: new URL('./src/node.ts', import.meta.url).pathname },
      { find: /^polya\/server$/, replacement: new URL('./src/server.ts', import.meta.url).pathname },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000, // the slowest take ten seconds; a machine may be far slower, and stop for a while
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 600_000,
    isolate: false, // files share the modules that they import: loading them again took two thirds of the time
    maxWorkers: '100%', // the default leaves one core to a watcher that is not there
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95, branches: 90 },
    },
  },
});
