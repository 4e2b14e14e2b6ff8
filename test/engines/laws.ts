import { afterAll, beforeAll, describe } from 'vitest';
import { fitFromEngine } from '../../src/warehouse/fit.ts';
import type { Bench, EngineUnderLaw } from './law-tools.ts';
import { countLaws } from './laws-counts.ts';
import { ensembleLaws } from './laws-ensemble.ts';
import { faultLaws } from './laws-faults.ts';
import { momentLaws } from './laws-moments.ts';
import { partLaws } from './laws-parts.ts';
import { scoreLaws } from './laws-score.ts';
import { wordLaws } from './laws-words.ts';

export { type EngineUnderLaw, expectSameCounts, refusal } from './law-tools.ts';

/** The laws of every engine. `open` returns a new engine for the suite. */
export function engineLaws(name: string, open: () => Promise<EngineUnderLaw>): void {
  describe(`${name} counts as in memory`, () => {
    let law: EngineUnderLaw;
    let number = 0;
    beforeAll(async () => {
      law = await open();
    });
    afterAll(async () => law?.close());

    const bench: Bench = {
      under: () => law,
      async learned(estimator, table, target, features, more = {}) {
        const where = await law.load(`law_${number++}`, table);
        const { engine, oneScan } = law;
        return fitFromEngine(estimator, { engine, table: where, target, features, oneScan, ...more });
      },
    };
    countLaws(bench);
    momentLaws(bench);
    wordLaws(bench);
    faultLaws(bench);
    partLaws(bench);
    scoreLaws(bench);
    ensembleLaws(bench);
  });
}
