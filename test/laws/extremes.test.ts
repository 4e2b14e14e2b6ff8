import { expect, test } from 'vitest';
import { PolyaError } from '../../src/errors.ts';
import { type Estimator, estimators } from '../../src/estimators/load.ts';
import { Random } from '../../src/math/random.ts';

const DATASETS = 60;
const sizes = [0, 1, 2, 3, 0.5, 1e-10, 1e-300, 5e-324, 1e10, 1e100, 1e150];
const levels = [0, 1, 2];

/** The cells of a family: levels if it counts levels, otherwise numbers of any size. */
const cellsOf = (kind: string) => (/Categorical|Tree|Averaged|Mixed/.test(kind) ? levels : sizes);

test.each(Object.entries(estimators))('%s: finite input never gives an invalid probability', (kind, Class) => {
  const random = new Random(3);
  const labels = new Class().capabilities.multiclass ? ['a', 'b', 'c'] : ['a', 'b'];
  let answered = 0;
  for (let dataset = 0; dataset < DATASETS; dataset++) {
    const cells = cellsOf(kind);
    const features = 1 + random.integer(4);
    const row = () => Array.from({ length: features }, () => cells[random.integer(cells.length)]);
    const X = Array.from({ length: 1 + random.integer(8) }, row);
    const y = X.map(() => labels[random.integer(labels.length)]);
    const questions = [...X, ...Array.from({ length: 3 }, row)];
    const estimator = new Class() as Estimator;
    try {
      estimator.fit(X as never, y);
    } catch (error) {
      expect(error).toBeInstanceOf(PolyaError); // too few rows, or counts too large to be exact
      continue;
    }
    answered++;
    try {
      for (const p of estimator.predictProba(questions as never).data)
        expect(p >= 0 && p <= 1, `${kind}: ${p}`).toBe(true);
      for (const joint of estimator.predictJointLogProba(questions as never).data) expect(joint).not.toBeNaN();
      for (const evidence of estimator.logEvidence(questions as never)) expect(evidence).not.toBeNaN();
    } catch (error) {
      if (!(error instanceof PolyaError)) throw error;
      expect(error.code).toMatch(/E_VALUE_RANGE|E_CLASS/);
    }
  }
  expect(answered).toBeGreaterThan(0);
});
