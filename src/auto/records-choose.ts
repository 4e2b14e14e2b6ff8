import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { meanAccuracy, meanLogLoss } from '../evaluate/log-proba.ts';
import { sum } from '../math/arrays.ts';
import { Random } from '../math/random.ts';
import { ordinaryCount } from './observed.ts';
import { applyPool, type Pool } from './pool.ts';
import { chooseCurves, crossFit, floorOf, lift } from './pool-calibrate.ts';
import { averagePool, poolsByFold } from './pool-folds.ts';
import { countCells, type Frame, groupRows } from './records.ts';
import { type Contender, type Deal, dealAll, lossesAlone, scoreDeal, takeModels } from './records-deal.ts';
import type { ColumnScore } from './records-families.ts';
import type { Lesson } from './records-lesson.ts';
import { ColumnPool } from './records-pool.ts';

/** One model that was tried, with its out-of-fold scores at the best temperature. */
export interface Tried {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
  readonly chosen: boolean;
  /** How much it counts in the pool. */
  readonly weight?: number;
}

/** How columns are chosen for. */
export interface ChooseColumnsOptions {
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Rows of one group are never on both sides of a fold; without it, rows that are alike. */
  readonly groups?: Int32Array | undefined;
  readonly onProgress?: ((done: number, all: number, what: string) => void) | undefined;
}

/** What was chosen, and how it fared. */
export interface ChosenColumns {
  readonly model: ColumnPool;
  readonly tried: readonly Tried[];
  /** What each column alone says. */
  readonly columns: readonly ColumnScore[];
  /** ln p(c | x) of the training rows, each from models that have not learned it; of rows never judged, the prior. */
  readonly outOfFold: Matrix;
}

/** Rows that are alike stay together, unless most are: then the columns have no more to say, and it is not copying. */
function groupsOf(frame: Frame): Int32Array {
  const groups = groupRows(frame);
  return new Set(groups).size >= frame.rows / 2 ? groups : groups.map((_, i) => i);
}

/**
 * Chooses a model of columns by five-fold out-of-fold log-loss on these rows alone: a family for every column, the models
 * that are best together, their weights, and isotonic curves where they help; then learns the chosen from all rows.
 */
export function chooseColumns(lesson: Lesson, options: ChooseColumnsOptions = {}): ChosenColumns {
  const { seed = 0, signal, onProgress = () => {} } = options;
  const check = () => {
    if (signal?.aborted) refuse('E_CANCELLED', 'the choice of a model was cancelled', {}, signal.reason);
  };
  const assignments = dealAll(lesson, options.groups ?? groupsOf(lesson.frame), seed);
  if (assignments[0].every((fold) => fold < 0))
    refuse('E_CLASS_TOO_SMALL', 'no class has two different rows: there is nothing to choose by');
  const deals = assignments.map((assignment, k) => {
    const tell = (done: number, all: number, what: string) =>
      onProgress(k * all + done, assignments.length * all, what);
    return scoreDeal(lesson, assignment, { check, onProgress: tell });
  });
  const common = new Set(
    deals[0].contenders
      .map(({ name }) => name)
      .filter((name) => deals.every(({ contenders }) => contenders.some((own) => own.name === name))),
  );
  if (common.size === 0) refuse('E_CLASS_TOO_SMALL', 'no model can learn these rows');
  return settle(
    lesson,
    deals.map((deal) => takeModels(deal, common)),
    seed,
    check,
  );
}

/** A member that counts less than this, of all that count, is not worth its work. */
const LEAST_SHARE = 0.01;

/** The members of a pool that count, and their weights. */
function heard({ weights, bias }: Pool, contenders: readonly Contender[]) {
  const least = LEAST_SHARE * sum(weights);
  const kept = [...weights.keys()].filter((m) => weights[m] > 0 && weights[m] >= least);
  return {
    team: kept.map((m) => contenders[m]),
    pool: { weights: Float64Array.from(kept, (m) => weights[m]), bias },
  };
}

function settle(lesson: Lesson, deals: readonly Deal[], seed: number, check: () => void): ChosenColumns {
  const losses = deals.map(lossesAlone);
  const alone = losses[0].map((_, m) => losses.reduce((total, own) => total + own[m], 0) / deals.length);
  const best = new Set(bestVariants(deals[0].contenders, alone).map((m) => deals[0].contenders[m].name));
  const among = deals.map((deal) => takeModels(deal, best));
  const [first] = among;
  const average = averagePool(among, new Random(seed), check);
  const { team, pool } = heard(average, first.contenders);
  const members = team.map(({ name, candidate }) => {
    check();
    return candidate.fit(lesson, name).find((member) => member.name === name)!;
  });
  const { scores } = takeModels(first, new Set(team.map(({ name }) => name)));
  const curves = chooseCurves(applyPool(pool, scores), first.codes, first.folds);
  const floor = floorOf(first.codes.length, lesson.classes);
  const ordinary = ordinaryCount(countCells(lesson.frame));
  const model = new ColumnPool(members, pool, curves, { floor, ordinary });
  const judged = crossFit(first, poolsByFold(first, average, check), curves !== undefined);
  const final = curves ? judged : lift(judged, floor);
  const name = `pool of ${members.length}${curves ? ', isotonic' : ''}`;
  const whole = {
    name,
    logLoss: meanLogLoss(final, first),
    accuracy: meanAccuracy(final, first),
    chosen: true,
  };
  const tried = deals[0].contenders.map(({ name }, m): Tried => {
    const k = team.findIndex((own) => own.name === name);
    const weight = k >= 0 ? { weight: pool.weights[k] } : {};
    const accuracy = meanAccuracy(deals[0].scores[m], first);
    return { name, logLoss: alone[m], accuracy, chosen: k >= 0, ...weight };
  });
  const outOfFold = spread(final, lesson, first.rows);
  return { columns: first.columns, model, tried: [...sortTried(tried), whole], outOfFold };
}

/** Of a grid, the best two points. */
function bestVariants(contenders: readonly Contender[], alone: readonly number[]): number[] {
  const order = [...alone.keys()].sort((a, b) => alone[a] - alone[b]);
  return order.filter((m, at) => {
    const { candidate } = contenders[m];
    return (
      !candidate.grid || order.slice(0, at).filter((other) => contenders[other].candidate === candidate).length < 2
    );
  });
}

const sortTried = (tried: readonly Tried[]) => [...tried].sort((a, b) => a.logLoss - b.logLoss);

function spread(final: Matrix, lesson: Lesson, judged: Int32Array): Matrix {
  const out = new Matrix(lesson.frame.rows, lesson.classes);
  const prior = lesson.logPrior;
  for (let i = 0; i < out.rows; i++) out.row(i).set(prior);
  judged.forEach((i, k) => {
    out.row(i).set(final.row(k));
  });
  return out;
}
