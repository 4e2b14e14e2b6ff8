import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { toSparse } from '../data/batch.ts';
import { Random } from '../math/random.ts';
import { scoreLinear } from './linear.ts';

const cases = fc.record({
  classes: fc.integer({ min: 1, max: 21 }),
  features: fc.integer({ min: 1, max: 12 }),
  rows: fc.integer({ min: 0, max: 4 }),
  seed: fc.nat(),
});

test.prop([cases])('linear scores add the cells in the order of the columns, dense or sparse', (shape) => {
  const { classes, features, rows, seed } = shape;
  const random = new Random(seed);
  const draw = (length: number) => Float64Array.from({ length }, () => -random.uniform());
  const linear = { classes, logPrior: draw(classes), weights: draw(classes * features) };
  linear.weights[0] = -Infinity;
  const x = Float64Array.from({ length: rows * features }, () => (random.integer(2) ? random.uniform() : 0));
  const wanted = new Float64Array(rows * classes).map((_, at) => {
    const [i, c] = [Math.floor(at / classes), at % classes];
    let sum = linear.logPrior[c];
    for (let j = 0; j < features; j++) {
      if (x[i * features + j] !== 0) sum += x[i * features + j] * linear.weights[j * classes + c];
    }
    return sum;
  });
  const dense = { rows, features, x };
  for (const given of [dense, toSparse(dense)]) {
    const out = new Float64Array(rows * classes);
    scoreLinear(linear, given, out);
    expect(out).toEqual(wanted);
  }
});
