import { fc } from '@fast-check/vitest';
fc.configureGlobal({ numRuns: 1500, interruptAfterTimeLimit: 25000 });
await import(process.env.STRESS!);
