import { defineConfig } from 'vitest/config';

/** The suites on real servers. The scripts `test:clickhouse`, `test:spark` and `test:postgres` start the servers and then this. */
export default defineConfig({
  test: {
    include: ['test/engines/*/*.suite.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 600_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
