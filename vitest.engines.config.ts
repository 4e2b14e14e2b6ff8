import { defineConfig } from 'vitest/config';

/** The suites on real servers. The scripts `test:clickhouse`, `test:spark` and `test:postgres` start the servers and then this. */
export default defineConfig({
  test: {
    include: ['test/engines/*/*.suite.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
