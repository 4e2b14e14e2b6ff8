import { type Insight, realCells, ticks } from '../core/insight.ts';
import { emptyTelling } from '../core/telling.ts';
import { Generator } from '../math/generator.ts';
import { logSumExp } from '../math/logs.ts';
import type { NaturalSums } from '../stats/natural-sums.ts';
import type { ColumnModel, ColumnOptions, Columns } from './column-model.ts';

/** The number of draws to estimate the information of a column. */
const DRAWS = 1000;

/** Insights into columns with a distribution. */
export function columnInsight({
  distribution,
}: Pick<ColumnModel, 'distribution'>): Insight<NaturalSums, Columns, ColumnOptions> {
  const width = distribution.parameters.length;
  const own = ({ classes, values }: Columns, c: number, j: number) =>
    values.subarray((j * classes + c) * width, (j * classes + c + 1) * width);
  const draws = (params: Columns, c: number, j: number) => {
    const random = new Generator(0);
    return Float64Array.from({ length: DRAWS }, () => distribution.sample(own(params, c, j), random));
  };
  return {
    cells: () => realCells,

    /** The divergence from the mixture of the other classes, as the mean of ln p(x | c) − ln p(x | others) over draws. */
    telling(params) {
      const { classes, features, logPrior } = params;
      const telling = emptyTelling(params);
      for (let j = 0; j < features; j++) {
        for (let c = 0; c < classes; c++) {
          const others = Array.from({ length: classes }, (_, k) => k).filter((k) => k !== c && logPrior[k] > -Infinity);
          if (others.length === 0) continue;
          const logMass = logSumExp(Float64Array.from(others, (k) => logPrior[k]));
          const logOthers = (x: number) =>
            logSumExp(Float64Array.from(others, (k) => logPrior[k] + distribution.logDensity(own(params, k, j), x)));
          const gaps = draws(params, c, j).map(
            (x) => distribution.logDensity(own(params, c, j), x) - (logOthers(x) - logMass),
          );
          telling.nats[c * features + j] = Math.max(0, gaps.reduce((total, gap) => total + gap, 0) / DRAWS);
        }
      }
      return telling;
    },

    typicalValue: (params, c, j) => distribution.mean?.(own(params, c, j)) ?? Number.NaN,

    points(params, j) {
      let [low, high] = [Infinity, -Infinity];
      for (let c = 0; c < params.classes; c++) {
        for (const x of draws(params, c, j)) [low, high] = [Math.min(low, x), Math.max(high, x)];
      }
      return ticks(low, high);
    },

    contribution(params, j, value, out) {
      for (let c = 0; c < params.classes; c++) {
        out[c] = Number.isNaN(value) ? 0 : distribution.logDensity(own(params, c, j), value);
      }
    },
  };
}
