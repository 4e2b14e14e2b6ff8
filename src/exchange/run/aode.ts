import { logSumExp } from '../../math/logs.ts';
import { levelOffsets } from '../../stats/layout.ts';
import type { AodeTerm } from '../plan-terms.ts';
import { type Cells, dense } from './vectors.ts';

/** Adds ln Σᵢ Wᵢ p(c, xᵢ) Πⱼ p(xⱼ | c, xᵢ), summed over a missing parent, or naive Bayes where no feature qualifies as the parent. */
export function addAode(term: AodeTerm, cells: Cells, score: Float64Array): void {
  const { levels, frequency, minimumFrequency, weights } = term;
  const offsets = levelOffsets(levels);
  const [features, width] = [levels.length, offsets[levels.length]];
  const row = dense(cells);
  const present = [...row.keys()].filter((j) => !Number.isNaN(row[j]));
  const level = row.map((v, j) => (v < levels[j] ? offsets[j] + v : -1));
  const isFrequent = (u: number) => frequency[u] > 0 && frequency[u] >= minimumFrequency;
  const levelsFor = (j: number) =>
    Number.isNaN(row[j]) ? Array.from({ length: levels[j] }, (_, v) => offsets[j] + v) : [level[j]];
  const parents = [...row.keys()].filter((j) => levelsFor(j).some((u) => u >= 0 && isFrequent(u)));
  const total = parents.reduce((sum, i) => sum + weights[i], 0);
  const heard = parents.filter((i) => total === 0 || weights[i] > 0);
  const share = (i: number) => (total > 0 ? weights[i] / total : 1 / parents.length);
  for (let c = 0; c < score.length; c++) {
    const alone = (j: number) =>
      level[j] < 0 ? term.logUnseenAlone[c * features + j] : term.logAlone[c * width + level[j]];
    const given = (u: number, j: number) => {
      const at = c * width + u;
      return level[j] < 0 ? term.logUnseen[at * features + j] : term.logGiven[at * width + level[j]];
    };
    const sums = heard.flatMap((i) =>
      levelsFor(i).map((u) =>
        present.reduce(
          (sum, j) => (j === i ? sum : sum + given(u, j)),
          Math.log(share(i)) + term.logJoint[c * width + u],
        ),
      ),
    );
    score[c] +=
      heard.length > 0
        ? logSumExp(Float64Array.from(sums))
        : present.reduce((sum, j) => sum + alone(j), term.logPrior[c]);
  }
}
