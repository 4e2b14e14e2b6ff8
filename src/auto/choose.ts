import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import type { CurveMethod, PosteriorCalibration } from '../evaluate/posterior-calibration.ts';
import { chooseEnsemble, floorOf, type HeldOutScores, lift, scoreOf, scoresAlone } from './ensemble.ts';
import type { Pool } from './pool.ts';
import { type Candidate, leaders, type Raced, race, type Trial, type Watch } from './race.ts';

/** One model that was tried, with its out-of-fold scores at the best temperature; the last one is the ensemble, which has no weight. */
export interface Tried {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
  readonly chosen: boolean;
  /** How much it counts in the ensemble. */
  readonly weight?: number;
}

/** Members that were chosen and fitted to all rows, how they are combined, and how they did. */
export interface Choice<Member> {
  readonly members: readonly Member[];
  readonly pool: Pool;
  readonly calibration: PosteriorCalibration | undefined;
  /** The least probability of a class where nothing is calibrated; 0 for none. */
  readonly floor: number;
  readonly tried: readonly Tried[];
  /** The rows that were held out, and their log-posteriors by ensembles that were fitted to other folds. */
  readonly held: Int32Array;
  readonly logProba: Matrix;
}

/** How members are chosen. */
export interface ChoiceOptions extends Watch {
  readonly seed: number;
  /** What the ensemble may be calibrated by. */
  readonly method: CurveMethod;
  readonly most?: number | undefined;
  /** Whether no class gets less than half a row's share of the held-out rows, unless calibrated. */
  readonly floored: boolean;
}

/**
 * Chooses members by their scores of held-out rows, of one split into folds or of several: candidates race, what the first split leaves
 * goes on to the next, and those that are best together are weighted, calibrated and fitted to all rows.
 */
export function chooseMembers<Member extends { readonly name: string }>(
  candidates: readonly Candidate<Member>[],
  splits: readonly (readonly Trial[])[],
  codes: Int32Array,
  options: ChoiceOptions,
): Choice<Member> {
  const raced: Raced<Member>[] = [];
  for (const [k, trials] of splits.entries()) {
    const onProgress: Watch['onProgress'] = (done, all, what) =>
      options.onProgress(k * all + done, splits.length * all, what);
    raced.push(race(k === 0 ? candidates : survivors(raced[0]), trials, codes, { ...options, onProgress }));
  }
  const [first] = raced;
  if (first.entries.length === 0) refuse('E_CLASS_TOO_SMALL', 'no model can learn these rows');
  const inAll = (name: string) => raced.every(({ entries }) => entries.some((own) => own.name === name));
  const common = first.entries.map(({ name }) => name).filter(inAll);
  // of very few rows, what the first split leaves may be impossible to fit in another
  const used = common.length > 0 ? raced.map((own) => heldOutOf(own, common)) : [heldOutOf(first)];
  const names = common.length > 0 ? common : first.entries.map(({ name }) => name);
  const chosen = chooseEnsemble(used, { ...options, everyone: heldOutOf(first) });
  const { kept, pool, calibration } = chosen;
  const wanted = new Set(kept.map((m) => names[m]));
  const entries = first.entries.filter(({ name }) => wanted.has(name));
  const fitted = [...new Set(entries.map(({ candidate }) => candidate))].flatMap((candidate) => {
    options.check();
    return candidate.fit(wanted); // members of one candidate share their counts
  });
  const floor = options.floored && !calibration ? floorOf(first.codes.length, pool.bias.length) : 0;
  const logProba = floor > 0 ? lift(chosen.logProba, floor) : chosen.logProba;
  const weightOf = (name: string) => (wanted.has(name) ? pool.weights[kept.findIndex((m) => names[m] === name)] : 0);
  const alone = used.map(scoresAlone);
  const together = names.map((name, m) => {
    const logLoss = alone.reduce((total, own) => total + own[m].logLoss, 0) / used.length;
    return { name, logLoss, accuracy: alone[0][m].accuracy };
  });
  const left = first.entries.filter(({ name }) => !names.includes(name));
  const leftAlone = scoresAlone({ scores: left.map(({ scores }) => scores), codes: first.codes });
  const others = [...first.dropped, ...left.map(({ name }, k) => ({ name, ...leftAlone[k] }))];
  const tried = [...together, ...others]
    .sort((a, b) => a.logLoss - b.logLoss)
    .map((own): Tried => ({ ...own, chosen: wanted.has(own.name), weight: weightOf(own.name) }));
  const name = `pool of ${kept.length}${calibration ? `, ${calibration.method}` : ''}`;
  return {
    ...{ pool, calibration, floor, logProba, held: first.rows },
    members: kept.map((m) => fitted.find((member) => member.name === names[m])!),
    tried: [...tried, { name, ...scoreOf(logProba, first.codes), chosen: true }],
  };
}

/** The candidates that the first split leaves in the race, for the further ones. */
function survivors<Member>({ entries, codes }: Raced<Member>): Candidate<Member>[] {
  const stay = leaders(entries, codes);
  return [...new Set(stay.map(({ candidate }) => candidate))].map((candidate) => {
    const names = new Set(stay.filter((own) => own.candidate === candidate).map(({ name }) => name));
    return { ...candidate, score: (trial) => candidate.score(trial, names) };
  });
}

/** The scores of all members, or of some in this order. */
function heldOutOf<Member>({ entries, codes, folds }: Raced<Member>, names?: readonly string[]): HeldOutScores {
  const own = names ? names.map((name) => entries.find((entry) => entry.name === name)!) : entries;
  return { scores: own.map(({ scores }) => scores), codes, folds };
}

/** The log-posteriors of all rows: those of held-out rows as given, the class prior for the others. */
export function overAllRows(logProba: Matrix, held: Int32Array, rows: number, logPrior: Float64Array): Matrix {
  const out = new Matrix(rows, logPrior.length);
  for (let i = 0; i < rows; i++) out.row(i).set(logPrior);
  held.forEach((i, k) => {
    out.row(i).set(logProba.row(k));
  });
  return out;
}
