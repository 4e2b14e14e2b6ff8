import { byClass, type Linear } from '../../core/linear.ts';
import { refuse } from '../../errors.ts';
import { BernoulliNB } from '../../estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../../estimators/categorical-nb.ts';
import { ComplementNB } from '../../estimators/complement-nb.ts';
import { GaussianNB } from '../../estimators/gaussian-nb.ts';
import { MultinomialNB } from '../../estimators/multinomial-nb.ts';
import { sum } from '../../math/arrays.ts';
import {
  classPriors,
  type Field,
  field,
  finite,
  flag,
  type Known,
  list,
  matrix,
  number,
  oneOrList,
  orNull,
  refuseFormat,
  sklearnClass,
  vector,
  weight,
} from './fields.ts';
import { differenceIn, requireAgreement, withCounts, withParameters } from './states.ts';

/** Releases before 1.4 had 'warn' for a default that is false. */
const forceAlpha: Field<boolean> = (value, where, known) => (value === 'warn' ? false : flag(value, where, known));

/** The parameters that the four smoothed families share; a chosen alpha is written as its value. */
const smoothing = {
  alpha: field<number | readonly number[]>(oneOrList(weight), {
    give: (model) => (model.getParams().alpha === 'auto' ? model.alpha : model.getParams().alpha),
  }),
  forceAlpha,
  fitPrior: flag,
  classPrior: classPriors,
};

/** Sums by class, and what scikit-learn has made of them. */
const sums = {
  classLogPrior: vector('classes', number),
  classCount: vector('classes', weight),
  featureCount: matrix('classes', 'features', weight),
  featureLogProb: matrix('classes', 'features', number),
};

/** Whether the class of a cell can be predicted at all. */
const isPossible = (logPrior: Float64Array, width: number) => (cell: number) =>
  logPrior[Math.floor(cell / width)] > -Infinity;

/** scikit-learn's own weights, class by class, as those of a linear score. */
function linear({ classes: labels, features }: Known, logPrior: Float64Array, logProb: Float64Array): Linear {
  const classes = labels.length;
  return { classes, features, logPrior, weights: byClass(logProb, features, classes) };
}

/**
 * Multinomial naive Bayes with its counts. Where they do not give the weights that scikit-learn has, because a parameter was
 * changed or digits were lost, the weights are copied and the model cannot learn further.
 */
const multinomial = sklearnClass({
  params: smoothing,
  learned: sums,
  make(params, { classLogPrior, classCount: n, featureCount: s, featureLogProb }, known) {
    const model = withCounts(new MultinomialNB(params), known, { n, s, m: new Float64Array() });
    const cares = isPossible(classLogPrior, known.features);
    if (differenceIn(model.featureLogProb.data, featureLogProb, cares) < 0) return model;
    const weights = linear(known, classLogPrior, featureLogProb);
    return withParameters(model, known, { ...weights, length: sum(s) / sum(n) } as Linear);
  },
});

/** Complement naive Bayes, by the same rule: scikit-learn loses the digits of a small alpha in feature_all_ + alpha − feature_count_. */
const complement = sklearnClass({
  params: { ...smoothing, norm: flag },
  learned: sums,
  make(params, { classCount: n, featureCount: s, featureLogProb }, known) {
    const model = withCounts(new ComplementNB(params), known, { n, s, m: new Float64Array() });
    if (differenceIn(model.featureLogProb.data, featureLogProb) < 0) return model;
    return withParameters(model, known, linear(known, new Float64Array(n.length), featureLogProb));
  },
});

/** Bernoulli naive Bayes with its counts. */
const bernoulli = sklearnClass({
  params: { ...smoothing, binarize: orNull(finite) },
  learned: sums,
  make(params, { classLogPrior, classCount: n, featureCount: s, featureLogProb }, known) {
    const model = withCounts(new BernoulliNB(params), known, { n, s, m: new Float64Array() });
    const cares = isPossible(classLogPrior, known.features);
    requireAgreement('feature_log_prob_', model.featureLogProb.data, featureLogProb, cares);
    return model;
  },
});

const histograms = {
  classCount: sums.classCount,
  classLogPrior: sums.classLogPrior,
  categoryCount: list(matrix('classes', 'any', weight)),
  featureLogProb: list(matrix('classes', 'any', number)),
};

/** Categorical naive Bayes with its histograms; `n_categories_` is not read, since learning in parts leaves it wrong. */
const categorical = sklearnClass({
  params: { ...smoothing, alpha: field(weight, { ...smoothing.alpha }), minCategories: orNull(oneOrList(finite)) },
  learned: histograms,
  make(params, { classCount: n, classLogPrior, categoryCount: tables, featureLogProb }, known) {
    const classes = known.classes.length;
    if (tables.length !== known.features)
      refuseFormat(`there are ${tables.length} tables for ${known.features} features`, 'category_count_');
    const levels = tables.map((table) => table.length / classes);
    const { minCategories: most } = params;
    const least = (j: number) => (Array.isArray(most) ? most[j] : most) ?? 0;
    const schema = tables.map((table, j) => taughtLevels(table, levels[j], least(j)));
    const h = sideBySide(tables, levels, classes);
    const model = withCounts(new CategoricalNB(params), known, { n, h }, { levels, schema });
    model.featureLogProb.forEach(({ data }, j) => {
      const cares = isPossible(classLogPrior, levels[j]);
      requireAgreement('feature_log_prob_', data, featureLogProb[j] ?? new Float64Array(), cares);
    });
    return model;
  },
});

/** The number of learned levels: those up to the last one counted, unless that leaves counts unexplained. */
function taughtLevels(table: Float64Array, levels: number, least: number): number | null {
  const taught = 1 + table.reduce((last, count, cell) => (count > 0 ? Math.max(last, cell % levels) : last), -1);
  return Math.max(taught, least) === levels ? taught || null : levels;
}

/** Tables of classes × levels, one per feature, as one of classes × all levels. */
function sideBySide(tables: readonly Float64Array[], levels: readonly number[], classes: number): Float64Array {
  const rows = Array.from({ length: classes }, (_, c) =>
    tables.map((table, j) => table.subarray(c * levels[j], (c + 1) * levels[j])),
  );
  return Float64Array.from(rows.flat().flatMap((cells) => Array.from(cells)));
}

/** Gaussian naive Bayes: means, variances and weights are moments again. */
const gaussian = sklearnClass({
  params: { priors: classPriors, varSmoothing: weight },
  learned: {
    classCount: sums.classCount,
    classPrior: vector('classes', weight),
    theta: matrix('classes', 'features'),
    var: matrix('classes', 'features'),
    epsilon: weight,
  },
  make(params, { classCount: n, classPrior, theta, var: variance, epsilon: stated }, known) {
    const classOf = (cell: number) => Math.floor(cell / known.features);
    const possible = (cell: number) => classPrior[classOf(cell)] > 0;
    const least = variance.filter((_, cell) => possible(cell)).reduce((low, value) => Math.min(low, value), Infinity);
    if (!(least > 0)) refuseFormat(`var_ holds ${least}: scikit-learn itself answers NaN with this model`, 'var_');
    // Learning in parts, scikit-learn may leave variances below what it says it has added to them.
    const epsilon = Math.min(stated, least);
    const s2 = variance.map((value, cell) => n[classOf(cell)] * Math.max(0, value - epsilon));
    const moments = { n, m: new Float64Array(), shift: theta, s1: new Float64Array(theta.length), s2 };
    const model = withSmoothing(params.varSmoothing, epsilon, (varSmoothing) =>
      withCounts(new GaussianNB({ ...params, varSmoothing }), known, moments),
    );
    requireAgreement('theta_', model.theta.data, theta, possible);
    requireAgreement('var_', model.var.data.map(Math.log), variance.map(Math.log), possible);
    return model;
  },
});

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

export const naiveBayes = {
  BernoulliNB: bernoulli,
  CategoricalNB: categorical,
  ComplementNB: complement,
  GaussianNB: gaussian,
  MultinomialNB: multinomial,
};
