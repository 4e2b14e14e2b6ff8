import fc from 'fast-check';

/** Laws use the same cases in every run, so that a run can be repeated; `POLYA_SEED=7 npx vitest run` tries others. */
fc.configureGlobal({ seed: Number(process.env.POLYA_SEED ?? 1_906) });
