import { logSumExp } from '../../math/logs.ts';
import { levelOffsets } from '../../stats/layout.ts';
import { dense } from '../cells.ts';
import { number, numbers, places, table, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

type Owner = { readonly levels: Int32Array };
const total = ({ levels }: Owner) => levels.reduce((sum, count) => sum + count, 0);

const shape = term(
  'aode',
  {
    levels: places,
    logPrior: numbers,
    frequency: numbers,
    weights: numbers,
    minimumFrequency: number,
    // c · L + u, (c · L + u) · L + v, (c · L + u) · J + j, c · L + v and c · J + j
    logJoint: table(2, ({ classes }, own: Owner) => [classes, total(own)]),
    logGiven: table(3, ({ classes }, own: Owner) => [classes, total(own), total(own)]),
    logUnseen: table(3, ({ classes, features }, own: Owner) => [classes, total(own), features]),
    logAlone: table(2, ({ classes }, own: Owner) => [classes, total(own)]),
    logUnseenAlone: table(2, ({ classes, features }) => [classes, features]),
  },
  'ln Σᵢ Wᵢ exp(logJoint[c][uᵢ] + Σ{j ≠ i} logGiven[c][uᵢ][uⱼ]) over features whose level was seen minimumFrequency times and at all, W ' +
    'normalised; a missing feature of which some level was is summed over all its levels; levels u are numbered over all features, and logUnseen[c][uᵢ][j] is for unknown ones. Where none qualifies, ' +
    'logPrior[c] + Σ logAlone[c][uⱼ].',
);

/** Averaged one-dependence estimators. Levels are numbered over all features, L in all; −1 is an unknown level. */
export type AodeTerm = ValueOf<typeof shape>;

const run: Add<AodeTerm> = (own, cells, score) => {
  const { levels, frequency, minimumFrequency, weights } = own;
  const offsets = levelOffsets(levels);
  const [features, width] = [levels.length, offsets[levels.length]];
  const x = dense(cells);
  const present = [...x.keys()].filter((j) => !Number.isNaN(x[j]));
  const level = x.map((v, j) => (v < levels[j] ? offsets[j] + v : -1));
  const isFrequent = (u: number) => frequency[u] > 0 && frequency[u] >= minimumFrequency;
  const levelsFor = (j: number) =>
    Number.isNaN(x[j]) ? Array.from({ length: levels[j] }, (_, v) => offsets[j] + v) : [level[j]];
  const parents = [...x.keys()].filter((j) => levelsFor(j).some((u) => u >= 0 && isFrequent(u)));
  const all = parents.reduce((sum, i) => sum + weights[i], 0);
  const share = (i: number) => (all > 0 ? weights[i] / all : 1 / parents.length);
  const heard = parents.filter((i) => share(i) > 0);
  for (let c = 0; c < score.length; c++) {
    const alone = (j: number) =>
      level[j] < 0 ? own.logUnseenAlone[c * features + j] : own.logAlone[c * width + level[j]];
    if (heard.length === 0) {
      score[c] += present.reduce((sum, j) => sum + alone(j), own.logPrior[c]);
      continue;
    }
    const sums = heard.flatMap((i) =>
      levelsFor(i).map((u) => {
        const at = c * width + u;
        let sum = Math.log(share(i)) + own.logJoint[at];
        for (const j of present) {
          if (j !== i) sum += level[j] < 0 ? own.logUnseen[at * features + j] : own.logGiven[at * width + level[j]];
        }
        return sum;
      }),
    );
    score[c] += logSumExp(Float64Array.from(sums));
  }
};

export const aodeTerm: TermOperation<AodeTerm> = { shape, run };
