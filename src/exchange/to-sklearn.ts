import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { fromSklearn } from './sklearn.ts';

/** A model for examples/load_in_sklearn.py, in the JSON that `fromSklearn` reads as well. */
export interface SklearnJson {
  readonly format: 'polya-sklearn';
  readonly version: 1;
  /** The release of scikit-learn whose parameters these are. */
  readonly sklearn: string;
  readonly model: object;
}

/** What the fitted classes show of themselves, by the names of scikit-learn in camel case. */
type Fitted = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  getParams(): Readonly<Record<string, unknown>>;
};

/** How a class is written: names of its parameters and of what it has learned, and parameters that it has there alone. */
interface Names {
  readonly params: string;
  readonly learned: string;
  readonly fixed?: Readonly<Record<string, unknown>>;
}

const smoothing = 'alpha forceAlpha fitPrior classPrior';
const counts = 'classes classCount classLogPrior featureLogProb nFeaturesIn featureNamesIn';
const analysis = 'encoding decodeError analyzer tokenPattern lowercase stripAccents stopWords ngramRange binary';
const weighting = 'norm useIdf smoothIdf sublinearTf';
const reading = { input: 'content', preprocessor: null, tokenizer: null };
const discriminant = 'classes priors means nFeaturesIn featureNamesIn';

const classes: Readonly<Record<string, Names>> = {
  MultinomialNB: { params: smoothing, learned: `${counts} featureCount` },
  ComplementNB: { params: `${smoothing} norm`, learned: `${counts} featureCount` },
  BernoulliNB: { params: `${smoothing} binarize`, learned: `${counts} featureCount` },
  CategoricalNB: { params: `${smoothing} minCategories`, learned: `${counts} categoryCount` },
  GaussianNB: {
    params: 'priors varSmoothing',
    learned: 'classes classCount classPrior theta var epsilon nFeaturesIn featureNamesIn',
  },
  LinearDiscriminantAnalysis: {
    params: 'solver shrinkage priors nComponents storeCovariance tol',
    learned: `${discriminant} xbar coef intercept scalings covariance`,
    fixed: { covariance_estimator: null },
  },
  QuadraticDiscriminantAnalysis: {
    params: 'solver shrinkage priors regParam storeCovariance tol',
    learned: `${discriminant} rotations scalings`,
    fixed: { covariance_estimator: null },
  },
  CountVectorizer: { params: `${analysis} maxFeatures`, learned: '', fixed: { ...reading, dtype: 'int64' } },
  TfidfVectorizer: {
    params: `${analysis} maxFeatures ${weighting}`,
    learned: 'idf',
    fixed: { ...reading, dtype: 'float64' },
  },
  HashingVectorizer: {
    params: `${analysis} nFeatures norm alternateSign`,
    learned: '',
    fixed: { ...reading, dtype: 'float64' },
  },
  TfidfTransformer: { params: weighting, learned: 'idf' },
};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value as JSON: numbers exactly, those that JSON lacks as words, matrices as lists of rows. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  }
  if (value instanceof Matrix) return value.toArray().map(plain);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as ArrayLike<unknown>, plain);
  return value;
}

/** Refuses what scikit-learn would do otherwise. */
const cannotCarry = (what: string): never =>
  refuse('E_CONFLICT', `scikit-learn cannot represent ${what}`, { target: 'scikit-learn', what });

/** Whether a term counts was settled by the fit; minDf 1 is one document, maxDf 1 is all of them. */
function limits({ minDf, maxDf }: Readonly<Record<string, unknown>>): object {
  const limit = (value: unknown, share: boolean) =>
    typeof value !== 'number' ? value : share ? { share: value } : { documents: value };
  return { min_df: limit(minDf, Number(minDf) < 1), max_df: limit(maxDf, Number(maxDf) <= 1) };
}

function requireAnalysis({ tokenPattern, tokenizer, tf, ...params }: Readonly<Record<string, unknown>>): void {
  if (tokenizer !== 'sklearn') cannotCarry(`the tokenizer ${show(tokenizer)}`);
  if (typeof tokenPattern !== 'string') cannotCarry('a pattern that is a RegExp; write it in the spelling of Python');
  if (tf !== undefined && tf !== 'raw' && tf !== 'sublinear') cannotCarry(`tf: ${show(tf)}`);
  for (const name of ['normalize', 'stemmer', 'preprocessor']) {
    if (params[name] !== null) cannotCarry(`the option ${name}`);
  }
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'function') cannotCarry(`a function for ${name}`);
  }
}

/** Refuses priors that scikit-learn does not have. */
function requirePriors(params: Readonly<Record<string, unknown>>): void {
  const { estimate = 'mean', priorAlpha = 0, fitPrior, classPrior } = params;
  if (estimate !== 'mean') cannotCarry(`estimate: ${show(estimate)}`);
  for (const name of ['alphaAbsent', 'levelAlpha', 'columnWeights'] as const) {
    if ((params[name] ?? null) !== null) cannotCarry(`the option ${name}`);
  }
  if (priorAlpha !== 0 && fitPrior && classPrior === null) cannotCarry('the option priorAlpha');
}

function modelOf(model: Fitted): object {
  const { kind } = model;
  if (kind === 'Pipeline') {
    const steps = model.steps as readonly Fitted[];
    return { class: kind, steps: steps.map((step, k) => [`${k + 1}_${step.kind.toLowerCase()}`, modelOf(step)]) };
  }
  const names = Object.hasOwn(classes, kind) ? classes[kind] : cannotCarry(`a model of the kind ${kind}`);
  const own = model.getParams();
  requirePriors(own);
  const text = 'tokenizer' in own;
  if (text) requireAnalysis(own);
  const entries = (list: string, of: Readonly<Record<string, unknown>>, end: string) =>
    list
      .split(' ')
      .filter((name) => name !== '' && of[name] !== undefined)
      .map((name) => [`${snake(name)}${end}`, plain(of[name])] as const);
  const params = Object.fromEntries([...entries(names.params, own, ''), ...Object.entries(names.fixed ?? {})]);
  if (params.alpha === 'auto') params.alpha = (model as unknown as { alpha: number }).alpha;
  if (own.tf === 'sublinear') params.sublinear_tf = true;
  const skipped = own.useIdf === false ? 'idf' : own.solver === 'lsqr' ? 'scalings' : '';
  const learned = Object.fromEntries(entries(names.learned.replace(skipped, '').trim().replace('  ', ' '), model, '_'));
  if (text && kind !== 'HashingVectorizer') {
    Object.assign(params, limits(own), { vocabulary: null });
    learned.vocabulary_ = (model as unknown as { getFeatureNamesOut(): string[] }).getFeatureNamesOut();
    learned.fixed_vocabulary_ = own.vocabulary !== null && own.vocabulary !== undefined;
  }
  if (kind === 'TfidfTransformer' && learned.idf_) learned.n_features_in_ = (learned.idf_ as number[]).length;
  return { class: kind, params, learned };
}

/**
 * A fitted model as JSON from which examples/load_in_sklearn.py builds the same model in scikit-learn: the five naive Bayes classes, both
 * discriminants, the vectorizers, TfidfTransformer and pipelines of them. What scikit-learn would answer otherwise (options that it does
 * not have, levels that are words, missing cells) is refused with E_CONFLICT.
 */
export function toSklearn(model: Exportable): SklearnJson {
  const plan = planOf(model);
  for (const input of plan.inputs) {
    if (input.kind === 'level' && typeof input.levels !== 'number') {
      cannotCarry('levels that are words: code them as whole numbers from 0, as OrdinalEncoder does');
    }
    if (input.kind !== 'text' && input.missing === 'missing') cannotCarry('missing cells');
  }
  const document = {
    format: 'polya-sklearn',
    version: 1,
    sklearn: '1.9.1',
    model: modelOf(model as unknown as Fitted),
  } as const;
  requireSame(plan, planOf(fromSklearn<Exportable>(JSON.stringify(document))));
  return document;
}

/** Refuses a model whose numbers, read back, would score otherwise: it has options that scikit-learn lacks. */
function requireSame(here: unknown, there: unknown): void {
  const close = (a: number, b: number) => a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  const same = (a: unknown, b: unknown): boolean => {
    if (typeof a === 'number' && typeof b === 'number') return close(a, b) || (Number.isNaN(a) && Number.isNaN(b));
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
    if (isDiscriminant(a) && isDiscriminant(b)) return true; // axes may be turned or left out, which moves no boundary
    const [left, right] = [Object.entries(a), Object.entries(b)];
    return left.length === right.length && left.every(([name, own]) => same(own, (b as Record<string, unknown>)[name]));
  };
  if (!same(here, there)) cannotCarry('this combination of options: its scores would be others');
}

const isDiscriminant = (part: object): boolean => 'op' in part && (part.op === 'either' || part.op === 'quadrics');
