import { logSumExp } from '../../math/logs.ts';
import { levelOffsets } from '../../stats/layout.ts';
import type { AodeTerm } from '../plan-terms.ts';
import { type Cells, dense } from './vectors.ts';

/** Adds ln Σᵢ Wᵢ p(c, xᵢ) Πⱼ p(xⱼ | c, xᵢ), or naive Bayes where no feature qualifies as the parent. */
export function addAode(term: AodeTerm, cells: Cells, score: Float64Array): void {
  const { levels, frequency, minimumFrequency, weights } = term;
  const offsets = levelOffsets(levels);
  const [features, width] = [levels.length, offsets[levels.length]];
  const row = dense(cells);
  const present = [...row.keys()].filter((j) => !Number.isNaN(row[j]));
  const level = row.map((v, j) => (v < levels[j] ? offsets[j] + v : -1));
  const parents = present.filter((j) => {
    const seen = level[j] < 0 ? 0 : frequency[level[j]];
    return seen > 0 && seen >= minimumFrequency;
  });
  const total = parents.reduce((sum, i) => sum + weights[i], 0);
  const heard = parents.filter((i) => total === 0 || weights[i] > 0);
  const share = (i: number) => (total > 0 ? weights[i] / total : 1 / parents.length);
  for (let c = 0; c < score.length; c++) {
    const alone = (j: number) =>
      level[j] < 0 ? term.logUnseenAlone[c * features + j] : term.logAlone[c * width + level[j]];
    const given = (i: number, j: number) => {
      const at = c * width + level[i];
      return level[j] < 0 ? term.logUnseen[at * features + j] : term.logGiven[at * width + level[j]];
    };
    const sums = heard.map((i) =>
      present.reduce(
        (sum, j) => (j === i ? sum : sum + given(i, j)),
        Math.log(share(i)) + term.logJoint[c * width + level[i]],
      ),
    );
    score[c] +=
      heard.length > 0
        ? logSumExp(Float64Array.from(sums))
        : present.reduce((sum, j) => sum + alone(j), term.logPrior[c]);
  }
}
