import {
  BernoulliNB,
  CategoricalNB,
  ColumnTransformer,
  ComplementNB,
  CountVectorizer,
  HashingVectorizer,
  KBinsDiscretizer,
  MdlpDiscretizer,
  MixedNB,
  MultinomialNB,
  makePipeline,
  OneHotEncoder,
  OrdinalEncoder,
  SelectKBest,
  sqrtTf,
  stopWords,
  TfidfTransformer,
  TfidfVectorizer,
} from '../../src/index.ts';
import {
  count,
  gapped,
  labels,
  numbers,
  pick,
  real,
  type Subject,
  smooth,
  text,
  texts,
  times,
  WORDS,
} from './draws.ts';

const analyzers = [
  {},
  { ngramRange: [1, 2] },
  { analyzer: 'char', ngramRange: [1, 3] },
  { analyzer: 'char_wb', ngramRange: [2, 4] },
  { tokenizer: 'auto' },
  { lowercase: false, stripAccents: 'unicode' },
  { stripAccents: 'ascii', normalize: 'NFKC' },
  { stopWords: 'english', ngramRange: [2, 3] },
  { stopWords: stopWords('french') },
  { tokenPattern: '(?u)\\b(\\w)\\w*' },
  { tokenPattern: /[a-z]+/i, binary: true },
] as const;

/** Text pipelines. */
export const pipelines: readonly Subject[] = [
  texts('CountVectorizer and MultinomialNB', (random) =>
    makePipeline(new CountVectorizer(pick(random, analyzers) as object), new MultinomialNB(smooth(random))),
  ),
  texts('CountVectorizer and BernoulliNB', (random) =>
    makePipeline(new CountVectorizer(pick(random, analyzers) as object), new BernoulliNB(smooth(random))),
  ),
  texts('TfidfVectorizer and ComplementNB', (random) =>
    makePipeline(
      new TfidfVectorizer({
        ...(pick(random, analyzers) as object),
        tf: pick(random, ['raw', 'sqrt', 'log1p', 'sublinear'] as const),
        useIdf: random.uniform() < 0.6,
        norm: pick(random, ['l1', 'l2', null] as const),
      }),
      new ComplementNB(),
    ),
  ),
  texts('square roots and ComplementNB', () => makePipeline(sqrtTf(), new ComplementNB({ norm: true }))),
  texts('CountVectorizer, TfidfTransformer, SelectKBest and MultinomialNB', () =>
    makePipeline(
      new CountVectorizer(),
      new TfidfTransformer({ sublinearTf: true }),
      new SelectKBest({ k: 3 }),
      new MultinomialNB(),
    ),
  ),
  texts('HashingVectorizer and MultinomialNB', (random) =>
    makePipeline(
      new HashingVectorizer({
        nFeatures: 8,
        alternateSign: false,
        binary: random.uniform() < 0.5,
        norm: pick(random, ['l1', 'l2', null] as const),
      }),
      new MultinomialNB(),
    ),
  ),
  texts('signed HashingVectorizer and BernoulliNB', () =>
    makePipeline(new HashingVectorizer({ nFeatures: 6, norm: null, alternateSign: true }), new BernoulliNB()),
  ),
];

/** Steps before a classifier of columns. */
export const columnPipelines: readonly Subject[] = [
  numbers('KBinsDiscretizer and CategoricalNB', real, (random) =>
    makePipeline(
      new KBinsDiscretizer({ nBins: 3, encode: 'ordinal', strategy: 'uniform' }),
      new CategoricalNB({ unknown: pick(random, ['smooth', 'ignore'] as const) }),
    ),
  ),
  numbers('KBinsDiscretizer with gaps and BernoulliNB', gapped(real), () =>
    makePipeline(new KBinsDiscretizer({ nBins: 4, encode: 'onehot', missing: 'bin' }), new BernoulliNB()),
  ),
  numbers('MdlpDiscretizer and MultinomialNB', real, () =>
    makePipeline(new MdlpDiscretizer({ encode: 'onehot' }), new MultinomialNB()),
  ),
  {
    name: 'OneHotEncoder and BernoulliNB',
    draw(random) {
      const y = labels(random, 16);
      const X = y.map(() => [pick(random, WORDS), random.integer(3), random.uniform() < 0.2 ? null : true]);
      const more = [['never', 9, false], ...X.slice(0, 4)];
      const encoder = new OneHotEncoder({
        handleUnknown: pick(random, ['ignore', 'infrequent_if_exist'] as const),
        drop: pick(random, [null, 'first', 'if_binary'] as const),
        minFrequency: pick(random, [null, 3]),
      });
      return { model: makePipeline(encoder, new BernoulliNB()).fit(X, y), rows: more };
    },
  },
  {
    name: 'OrdinalEncoder and CategoricalNB',
    draw(random) {
      const y = labels(random, 16);
      const X = y.map(() => ({ a: pick(random, WORDS), 3: random.integer(3) / 2 }));
      const encoder = new OrdinalEncoder({ minFrequency: pick(random, [null, 3]) });
      return { model: makePipeline(encoder, new CategoricalNB()).fit(X as never, y), rows: X };
    },
  },
  {
    name: 'ColumnTransformer and MultinomialNB',
    draw(random) {
      const y = labels(random, 16);
      const X = y.map(() => ({
        size: real(random, 0),
        words: `${text(random)} pills`,
        7: pick(random, WORDS),
        n: count(random, 0),
      }));
      const columns = new ColumnTransformer([
        ['bins', new KBinsDiscretizer({ nBins: 3 }), ['size']],
        ['text', new TfidfVectorizer(), 'words'],
        ['kind', new OneHotEncoder({ handleUnknown: 'ignore' }), ['7']],
        ['n', 'passthrough', ['n']],
      ]);
      return { model: makePipeline(columns as never, new MultinomialNB()).fit(X as never, y) as never, rows: X };
    },
  },
  {
    name: 'MixedNB',
    draw(random) {
      const y = labels(random, 20);
      const gap = <T>(value: T) => (random.uniform() < 0.15 ? null : value);
      const row = () => ({
        age: gap(real(random, 1)),
        __kind: gap(pick(random, WORDS)),
        smokes: gap(random.uniform() < 0.5),
        visits: gap(count(random, 0)),
        words: gap([count(random, 0), count(random, 0), count(random, 0)]),
        codes: gap([pick(random, WORDS), 'x']),
      });
      const X = y.map(row);
      X[0] = { age: 1, __kind: 'red', smokes: true, visits: 2, words: [1, 2, 0], codes: ['red', 'x'] };
      const model = new MixedNB({
        columns: { visits: 'poisson', words: 'multinomial' },
        alpha: pick(random, [0.5, 1]),
      });
      return { model: model.fit(X as never, y), rows: [...X.slice(0, 6), ...times(4, row)] };
    },
  },
  {
    name: 'MixedNB of distributions',
    draw(random) {
      const y = labels(random, 40);
      const gap = (value: number) => (random.uniform() < 0.1 ? null : value);
      const row = () => ({
        wait: gap(-Math.log1p(-random.uniform())),
        time: gap(0.1 + random.uniform() + random.uniform()),
        income: gap(Math.exp(2 * random.normal())),
        share: gap(0.05 + 0.9 * random.uniform()),
        angle: gap(6.2 * random.uniform()),
        rain: gap(random.uniform() < 0.4 ? 0 : random.uniform() + 0.1),
        spent: gap(random.uniform() < 0.4 ? 0 : Math.exp(random.normal())),
        error: gap(random.normal() / Math.sqrt(random.gamma(1))),
        visits: gap(random.poisson(4 * random.gamma(0.7))),
        claims: gap(random.uniform() < 0.4 ? 0 : random.poisson(20 * random.gamma(3))),
        calls: gap(random.uniform() < 0.4 ? 0 : random.poisson(2)),
      });
      const X = y.map(row);
      const columns = {
        wait: 'exponential',
        time: 'gamma',
        income: 'lognormal',
        share: 'beta',
        angle: 'vonmises',
        rain: 'zeroinflatedgamma',
        spent: 'zeroinflatedlognormal',
        error: 'studentt',
        visits: 'negativebinomial',
        claims: 'zeroinflatednegativebinomial',
        calls: 'zeroinflatedpoisson',
      };
      const model = new MixedNB({ columns, poolWeight: pick(random, [0.5, 1]) });
      return {
        model: model.fit(X as never, y),
        rows: [...X.slice(0, 6), ...times(4, row), { wait: 0, spent: 0 }, { visits: 900, claims: 0, calls: 0 }],
      };
    },
  },
];
