import { byClass, type Linear } from '../../core/linear.ts';
import { refuse } from '../../errors.ts';
import { BernoulliNB } from '../../estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../../estimators/categorical-nb.ts';
import { ComplementNB } from '../../estimators/complement-nb.ts';
import { GaussianNB } from '../../estimators/gaussian-nb.ts';
import { MultinomialNB } from '../../estimators/multinomial-nb.ts';
import { restore } from '../../estimators/restore.ts';
import { sum } from '../../math/arrays.ts';
import {
  type Entries,
  finite,
  flag,
  list,
  matrix,
  number,
  orNull,
  type Read,
  refuseFormat,
  vector,
} from './entries.ts';
import { agrees, countedState, type Known, readKnown, readPriors, requireAgreement, weight } from './known.ts';
import { withParameters } from './restored.ts';

const alpha: Read<number | readonly number[]> = (value, where) =>
  Array.isArray(value) ? list(weight)(value, where) : weight(value, where);

/** Releases before 1.4 had 'warn' for a default that is false. */
const forceAlpha: Read<boolean> = (value, where) => (value === 'warn' ? false : flag(value, where));

/** What the four smoothed families share. */
function smoothing(params: Entries, { classes }: Known) {
  return {
    forceAlpha: params.take('force_alpha', forceAlpha),
    fitPrior: params.take('fit_prior', flag),
    classPrior: params.take('class_prior', readPriors(classes.length)),
  };
}

/** Sums by class, and what scikit-learn has made of them. */
function readSums(learned: Entries, { classes, features }: Known) {
  const logPrior = learned.take('class_log_prior_', vector(classes.length, number));
  return {
    logPrior,
    n: learned.take('class_count_', vector(classes.length, weight)),
    s: learned.take('feature_count_', matrix(classes.length, features, weight)),
    logProb: learned.take('feature_log_prob_', matrix(classes.length, features, number)),
    /** Whether a class can be predicted at all. */
    possible: (cell: number) => logPrior[Math.floor(cell / features)] > -Infinity,
  };
}

/** scikit-learn's own weights, class by class, as those of a linear score. */
function linear({ classes: labels, features }: Known, logPrior: Float64Array, logProb: Float64Array): Linear {
  const classes = labels.length;
  return { classes, features, logPrior, weights: byClass(logProb, features, classes) };
}

/**
 * Multinomial naive Bayes with its counts. Where they do not give the weights that scikit-learn has, because a parameter was
 * changed or digits were lost, the weights are copied and the model cannot learn further.
 */
export function multinomialOf(params: Entries, learned: Entries): MultinomialNB {
  const known = readKnown(learned);
  const { n, s, logPrior, logProb, possible } = readSums(learned, known);
  const model = new MultinomialNB({ alpha: params.take('alpha', alpha), ...smoothing(params, known) });
  restore(model, countedState('MultinomialNB', known, { n, s, m: new Float64Array() }));
  if (agrees(model.featureLogProb.data, logProb, possible)) return model;
  return withParameters(model, known, { ...linear(known, logPrior, logProb), length: sum(s) / sum(n) } as Linear);
}

/** Complement naive Bayes, by the same rule: scikit-learn loses the digits of a small alpha in feature_all_ + alpha − feature_count_. */
export function complementOf(params: Entries, learned: Entries): ComplementNB {
  const known = readKnown(learned);
  const { n, s, logProb } = readSums(learned, known);
  const norm = params.take('norm', flag);
  const model = new ComplementNB({ alpha: params.take('alpha', alpha), norm, ...smoothing(params, known) });
  restore(model, countedState('ComplementNB', known, { n, s, m: new Float64Array() }));
  if (agrees(model.featureLogProb.data, logProb)) return model;
  return withParameters(model, known, linear(known, new Float64Array(n.length), logProb));
}

/** Bernoulli naive Bayes with its counts. */
export function bernoulliOf(params: Entries, learned: Entries): BernoulliNB {
  const known = readKnown(learned);
  const { n, s, logProb, possible } = readSums(learned, known);
  const binarize = params.take('binarize', orNull(finite));
  const model = new BernoulliNB({ alpha: params.take('alpha', alpha), binarize, ...smoothing(params, known) });
  restore(model, countedState('BernoulliNB', known, { n, s, m: new Float64Array() }));
  requireAgreement('feature_log_prob_', model.featureLogProb.data, logProb, possible);
  return model;
}

const levelsAtLeast: Read<number | readonly number[]> = (value, where) =>
  Array.isArray(value) ? list(finite)(value, where) : finite(value, where);

/** Categorical naive Bayes with its histograms; `n_categories_` is not read, since learning in parts leaves it wrong. */
export function categoricalOf(params: Entries, learned: Entries): CategoricalNB {
  const known = readKnown(learned);
  const { classes, features } = known;
  const n = learned.take('class_count_', vector(classes.length, weight));
  const logPrior = learned.take('class_log_prior_', vector(classes.length, number));
  const tables = learned.take('category_count_', list(matrix(classes.length, undefined, weight)));
  const logProb = learned.take('feature_log_prob_', list(matrix(classes.length, undefined, number)));
  if (tables.length !== features)
    refuseFormat(`there are ${tables.length} tables for ${features} features`, 'category_count_');
  const minCategories = params.take('min_categories', orNull(levelsAtLeast));
  const model = new CategoricalNB({ alpha: params.take('alpha', weight), minCategories, ...smoothing(params, known) });
  const levels = tables.map((table) => table.length / classes.length);
  const schema = tables.map((table, j) => taughtLevels(table, levels[j], leastOf(minCategories, j)));
  restore(
    model,
    countedState('CategoricalNB', known, { n, h: sideBySide(tables, levels, classes.length) }, { levels, schema }),
  );
  model.featureLogProb.forEach(({ data }, j) => {
    requireAgreement('feature_log_prob_', data, logProb[j] ?? new Float64Array(), (cell) => {
      return logPrior[Math.floor(cell / levels[j])] > -Infinity;
    });
  });
  return model;
}

const leastOf = (least: number | readonly number[] | null, j: number) =>
  typeof least === 'number' ? least : (least?.[j] ?? 0);

/** The number of learned levels: those up to the last one counted, unless that leaves counts unexplained. */
function taughtLevels(table: Float64Array, levels: number, least: number): number | null {
  const taught = 1 + table.reduce((last, count, cell) => (count > 0 ? Math.max(last, cell % levels) : last), -1);
  return Math.max(taught, least) === levels ? taught || null : levels;
}

/** Tables of classes × levels, one per feature, as one of classes × all levels. */
function sideBySide(tables: readonly Float64Array[], levels: readonly number[], classes: number): Float64Array {
  const width = levels.reduce((total, count) => total + count, 0);
  const cells = new Float64Array(classes * width);
  let offset = 0;
  tables.forEach((table, j) => {
    for (let c = 0; c < classes; c++) cells.set(table.subarray(c * levels[j], (c + 1) * levels[j]), c * width + offset);
    offset += levels[j];
  });
  return cells;
}

/** Gaussian naive Bayes: means, variances and weights are moments again. */
export function gaussianOf(params: Entries, learned: Entries): GaussianNB {
  const known = readKnown(learned);
  const [classes, features] = [known.classes.length, known.features];
  const n = learned.take('class_count_', vector(classes, weight));
  const prior = learned.take('class_prior_', vector(classes, weight));
  const theta = learned.take('theta_', matrix(classes, features));
  const variance = learned.take('var_', matrix(classes, features));
  const possible = (cell: number) => prior[Math.floor(cell / features)] > 0;
  const least = variance.filter((_, cell) => possible(cell)).reduce((low, value) => Math.min(low, value), Infinity);
  if (!(least > 0)) refuseFormat(`var_ holds ${least}: scikit-learn itself answers NaN with this model`, 'var_');
  // Learning in parts, scikit-learn may leave variances below what it says it has added to them.
  const epsilon = Math.min(learned.take('epsilon_', weight), least);
  const s2 = variance.map((value, cell) => n[Math.floor(cell / features)] * Math.max(0, value - epsilon));
  const state = countedState('GaussianNB', known, {
    n,
    m: new Float64Array(),
    shift: theta,
    s1: new Float64Array(theta.length),
    s2,
  });
  const options = { priors: params.take('priors', readPriors(classes)) };
  const model = withSmoothing(params.take('var_smoothing', weight), epsilon, (varSmoothing) =>
    restore(new GaussianNB({ ...options, varSmoothing }), state),
  );
  requireAgreement('theta_', model.theta.data, theta, possible);
  requireAgreement('var_', model.var.data.map(Math.log), variance.map(Math.log), possible);
  return model;
}

/**
 * The model with the share of the largest variance that gives this epsilon. It is the one that was asked for, unless rows had
 * weights or came in parts: scikit-learn takes the largest variance of the last part, unweighted.
 */
function withSmoothing(asked: number, epsilon: number, make: (varSmoothing: number) => GaussianNB): GaussianNB {
  const model = make(asked);
  if (Math.abs(model.epsilon - epsilon) <= 1e-13 * epsilon) return model;
  const largest = make(1).epsilon;
  if (!(largest > 0)) refuse('E_FORMAT', 'no column varies, yet epsilon_ is above 0', { name: 'epsilon_' });
  return make(epsilon / largest);
}
