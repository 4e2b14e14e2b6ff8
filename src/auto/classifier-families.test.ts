import { describe, expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import type { DataRow } from '../data/cells.ts';
import { Matrix } from '../data/matrix.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { DirichletMultinomialNB } from '../estimators/dirichlet-multinomial-nb.ts';
import { GaussianNB } from '../estimators/gaussian-nb.ts';
import { HashingVectorizer } from '../estimators/hashing-vectorizer.ts';
import { KernelNB } from '../estimators/kernel-nb.ts';
import { LinearDiscriminantAnalysis } from '../estimators/linear-discriminant-analysis.ts';
import { MixedNB } from '../estimators/mixed-nb.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { PoissonNB } from '../estimators/poisson-nb.ts';
import { QuadraticDiscriminantAnalysis } from '../estimators/quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from '../estimators/regularized-discriminant-analysis.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import type { ClassifierOptions } from './classifier-options.ts';

const refusal = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

const words = ['free', 'prize', 'win', 'now', 'lunch', 'report', 'home', 'thanks'];

function messages(count: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const c = i % 2;
    const word = () => words[random.uniform() < 0.7 ? 4 * c + random.integer(4) : random.integer(8)];
    return {
      text: Array.from({ length: 3 + random.integer(6) }, word).join(' '),
      subject: Array.from({ length: 3 }, word).join(' '),
      wins: random.integer(3) + 2 * c,
      calls: random.integer(5) + (1 - c),
      area: 20 + random.uniform() * (5 + 10 * c),
      colour: ['red', 'blue', 'green'][random.integer(2) + c],
      urgent: random.uniform() < 0.3 + 0.4 * c,
      label: c === 1 ? 'ham' : 'spam',
    };
  });
}

const rows = messages(80, 1);
const fresh = messages(30, 2);
const y = rows.map(({ label }) => label);
const column = (name: keyof (typeof rows)[0], of = rows) => of.map((row) => row[name]);
const fitted = (options: Partial<ClassifierOptions>) =>
  Classifier.fit(rows, { target: 'label', evaluate: false, ...options });
const answers = (classifier: Classifier) => classifier.predictLogProba(fresh).data;

describe('a named family is its estimator', () => {
  const tokenizer = 'auto' as const;
  const texts = column('text') as string[];
  const asked = column('text', fresh) as string[];

  test.each([
    ['multinomial', new MultinomialNB()],
    ['complement', new ComplementNB()],
    ['bernoulli', new BernoulliNB()],
    ['dirichlet-multinomial', new DirichletMultinomialNB()],
    ['poisson', new PoissonNB()],
  ] as const)('%s over a text', (model, estimator) => {
    const pipeline = makePipeline(new CountVectorizer({ tokenizer }), estimator).fit(texts, y);
    const classifier = fitted({ model, features: ['text'] });
    expect(answers(classifier)).toEqual(pipeline.predictLogProba(asked).data);
    const { estimator: own } = classifier;
    expect((own as typeof pipeline).predictLogProba(asked).data).toEqual(pipeline.predictLogProba(asked).data);
    if (model !== 'complement') expect(classifier.logEvidence(fresh)).toEqual(pipeline.logEvidence(asked));
  });

  test('options of the text and of the estimator find their place', () => {
    const vectorizer = new CountVectorizer({
      tokenizer,
      ngramRange: [1, 2],
      minDf: 2,
      binary: true,
      stopWords: ['now'],
    });
    const pipeline = makePipeline(vectorizer, new MultinomialNB({ alpha: 0.1 })).fit(texts, y);
    const given = { ngrams: [1, 2], minDf: 2, binary: true, stopWords: ['now'], alpha: 0.1 } as const;
    const classifier = fitted({ model: 'multinomial', features: ['text'], ...given });
    expect(answers(classifier)).toEqual(pipeline.predictLogProba(asked).data);
    expect(classifier.report().summary).toMatch(
      /^multinomial naive Bayes, α = 0.1, set of words, 1–2-grams, \d+ words, 2/,
    );
    const hashed = makePipeline(
      new HashingVectorizer({ tokenizer, nFeatures: 2 ** 10, alternateSign: false, norm: null }),
      new ComplementNB({ norm: true }),
    ).fit(texts, y);
    const short = fitted({ model: 'complement', features: ['text'], hash: 10, norm: true });
    expect(answers(short)).toEqual(hashed.predictLogProba(asked).data);
    expect(short.explain(fresh[0]).terms[0].value).toMatch(/^#\d+$/);
    const chosen = new MultinomialNB({ alpha: 'auto' }).fit(new CountVectorizer({ tokenizer }).fitTransform(texts), y);
    const auto = fitted({ model: 'multinomial', features: ['text'], alpha: 'auto' });
    expect(auto.report().summary).toContain(`α = ${chosen.alpha}`);
  });

  const numbers = ['wins', 'calls', 'area'] as const;
  const matrix = (of: typeof rows) => Matrix.from(of.map((row) => numbers.map((name) => row[name])));

  test.each([
    ['gaussian', {}, new GaussianNB()],
    ['kde', { bandwidth: 0.5 }, new KernelNB({ bandwidth: 0.5 })],
    ['lda', {}, new LinearDiscriminantAnalysis()],
    ['lda', { shrinkage: 0.2 }, new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 0.2 })],
    ['qda', {}, new QuadraticDiscriminantAnalysis()],
    ['rda', { lambda: 0.3, gamma: 0.1 }, new RegularizedDiscriminantAnalysis({ lambda: 0.3, gamma: 0.1 })],
    ['multinomial', {}, new MultinomialNB()],
    ['complement', {}, new ComplementNB()],
    ['bernoulli', { binarize: 2 }, new BernoulliNB({ binarize: 2 })],
    ['poisson', {}, new PoissonNB()],
    ['urn', {}, new DirichletMultinomialNB()],
  ] as const)('%s over a table of numbers, %o', (model, options, estimator) => {
    estimator.fit(matrix(rows), y);
    const expected = estimator.predictLogProba(matrix(fresh)).data;
    const classifier = fitted({ model, features: numbers, ...options });
    expectClose(answers(classifier), expected, 1e-10); // columns may stand in another order
  });

  test('categorical over words and few whole numbers, mixed over everything', () => {
    const levels = (of: typeof rows) => of.map(({ colour, wins }) => [colour, String(wins)]);
    const dice = new CategoricalNB().fit(levels(rows), y);
    expectClose(
      answers(fitted({ model: 'categorical', features: ['colour', 'wins'] })),
      dice.predictLogProba(levels(fresh)).data,
      1e-12,
    );
    const vectorizer = new CountVectorizer({ tokenizer });
    const table = (of: typeof rows, counts: unknown) => ({
      text: counts as never,
      calls: column('calls', of) as number[],
      urgent: column('urgent', of).map(String),
    });
    const columns = { calls: 'poisson', urgent: 'categorical', text: 'multinomial' } as const;
    const mixed = new MixedNB({ columns, wordAlpha: 0.5 }).fit(table(rows, vectorizer.fitTransform(texts)), y);
    const features = ['text', 'calls', 'urgent'];
    const classifier = fitted({ model: 'mixed', features, families: { calls: 'poisson' }, wordAlpha: 0.5 });
    const expected = mixed.predictLogProba(table(fresh, vectorizer.transform(asked))).data;
    expectClose(answers(classifier), expected, 1e-10);
    expect(classifier.schema.columns.find(({ name }) => name === 'calls')?.family).toBe('poisson');
  });

  test('several texts have a vocabulary each', () => {
    const classifier = fitted({ model: 'multinomial', features: ['text', 'subject'] });
    const { terms } = classifier.explain({ text: 'prize', subject: 'prize' });
    expect(terms.map(({ feature, value }) => `${feature} ${value}`).sort()).toEqual(['subject prize', 'text prize']);
    expect(classifier.estimator).toBeUndefined();
    const more = [{ text: 'a new word', subject: 'another one', label: 'new' }];
    expect(classifier.partialFit(more).classify(more[0]).label).toBe('new');
  });
});

test('a blank count is none, a blank number for a discriminant is integrated out, and a negative count is refused', () => {
  const table = [
    { a: 3, b: 1, y: 'p' },
    { a: '', b: 2, y: 'q' },
    { a: 1, b: '?', y: 'p' },
    { a: 2, b: 4, y: 'q' },
  ];
  const counts = Classifier.fit(table, { target: 'y', model: 'multinomial', evaluate: false });
  const zeros = table.map((row) => ({ ...row, a: row.a || 0, b: row.b === '?' ? 0 : row.b }));
  const zeroed = Classifier.fit(zeros, { target: 'y', model: 'multinomial', evaluate: false });
  expect(counts.predictLogProba(table).data).toEqual(zeroed.predictLogProba(zeros).data);
  expect(() => counts.partialFit([{ a: -1, b: 0, y: 'p' }])).toThrow(refusal('E_NEGATIVE', { row: 0, feature: 'a' }));
  const lda = (rows: readonly DataRow[], features?: readonly string[]) =>
    Classifier.fit(rows, { target: 'y', model: 'lda', features, evaluate: false });
  const many = [...table, ...table.map((row) => ({ ...row, b: 0 }))];
  expect(lda(many).classify({ a: null, b: 1 })).toMatchObject({ probability: expect.any(Number) });
  const whole = many.map((row, i) => ({ ...row, a: row.a || i, b: row.b === '?' ? i : row.b }));
  const [both, alone] = [lda(whole), lda(whole, ['b'])].map((model) => model.predictLogProba([{ a: null, b: 1 }]).data);
  expectClose(both, alone, 1e-12, 1);
});

test.each([
  ['gaussian', ['area', 'colour'], 'colour'],
  ['lda', ['area', 'urgent'], 'urgent'],
  ['kde', ['text', 'area'], 'text'],
  ['poisson', ['calls', 'text'], 'calls'],
  ['multinomial', ['text', 'area'], 'area'],
  ['complement', ['area', 'urgent'], 'urgent'],
  ['categorical', ['colour', 'text'], 'text'],
  ['tan', ['text'], 'text'],
] as const)('%s cannot take %o and names %s', (model, features, feature) => {
  expect(() => fitted({ model, features })).toThrow(refusal('E_PARAM', { name: 'model', feature }));
});

test.each([
  [{ model: 'lda', alpha: 1 }, 'alpha'],
  [{ model: 'gaussian', ngrams: 2 }, 'ngrams'],
  [{ model: 'multinomial', features: ['text'], bins: 'mdl' }, 'bins'],
  [{ model: 'categorical', bins: 'many' }, 'bins'],
  [{ model: 'mixed', families: { area: 'cauchy' } }, 'families'],
  [{ model: 'multinomial', features: ['text'], hash: 3 }, 'hash'],
  [{ model: 'multinomial', features: ['text'], hash: 12, minDf: 2 }, 'minDf'],
  [{ model: 'multinomial', features: ['text'], ngrams: 2, ngramRange: [1, 2] }, 'ngrams'],
  [{ model: 'multinomial', features: ['text'], alpha: -1 }, 'alpha'],
  [{ model: 'forest' }, 'model'],
  [{ model: 'gaussian', calibrate: 'warm' }, 'calibrate'],
  [{ model: 'gaussian', missing: 'error' }, 'missing'],
  [{ alpha: 1 }, 'alpha'],
  [{ weight: 'calls' }, 'weight'],
  [{ lambda: 0.5 }, 'lambda'],
  [{ online: true }, 'online'],
  [{ model: 'gaussian', kinds: { area: 'colour' } }, 'kinds'],
  [{ model: 'gaussian', schema: { target: 'label', rows: 1, columns: [{}] } }, 'schema'],
  [{ model: 'gaussian', fitPrior: false, priors: 'uniform' }, 'priors'],
  [{ model: 'gaussian', priors: { ham: 1 } }, 'priors'],
  [{ model: 'gaussian', priors: { ham: 0, spam: 0 } }, 'priors'],
  [{ model: 'gaussian', classPrior: [1] }, 'classPrior'],
  [{ model: 'complement', features: ['text'], priors: { ham: 0.1, spam: 0.9 } }, 'priors'],
  [{ model: 'gaussian', reject: 2 }, 'reject'],
])('%o is refused, and %s named', (options, name) => {
  const features = ['wins', 'calls', 'area'];
  const given = { ...('schema' in options ? {} : { features }), ...options } as Partial<ClassifierOptions>;
  expect(() => fitted(given)).toThrow(refusal('E_PARAM', { name }));
});

test('class priors are as counted, alike, or given, in every family, and those given close the list of classes', () => {
  const features = ['area', 'calls'];
  const lopsided = rows.filter((_, i) => i % 2 === 0 || i % 3 === 0);
  const learn = (options: object) =>
    Classifier.fit(lopsided, { target: 'label', evaluate: false, model: 'gaussian', features, ...options });
  const labels = lopsided.map(({ label }) => label);
  const table = (of: typeof rows) => Matrix.from(of.map(({ area, calls }) => [area, calls]));
  for (const [given, priors] of [
    [{ priors: 'uniform' }, [0.5, 0.5]],
    [{ fitPrior: false }, [0.5, 0.5]],
    [{ priors: { spam: 3, ham: 1 } }, [0.25, 0.75]],
    [{ classPrior: [0.25, 0.75] }, [0.25, 0.75]],
  ] as const) {
    const bells = new GaussianNB({ priors }).fit(table(lopsided), labels);
    const classifier = learn(given);
    const expected = bells.predictLogProba(table(fresh)).data;
    expectClose(classifier.predictLogProba(fresh).data, expected, 1e-10);
    const own = classifier.estimator as GaussianNB;
    expect(Array.from(own.classPrior).map((p) => p.toFixed(12))).toEqual(priors.map((p) => p.toFixed(12)));
    const { score } = classifier.explain(fresh[0]);
    const log = classifier.predictLogProba([fresh[0]]).row(0);
    expect(score[0] - score[1]).toBeCloseTo(log[0] - log[1], 10);
    expect(Classifier.load(classifier.save()).save()).toEqual(classifier.save());
  }
  const stranger = [{ area: 1, calls: 1, label: 'eggs' }];
  expect(learn({ priors: 'uniform' }).partialFit(stranger).classes).toEqual(['eggs', 'ham', 'spam']);
  expect(() => learn({ priors: { spam: 1, ham: 1 } }).partialFit(stranger)).toThrow(
    refusal('E_CLASS_UNKNOWN', { class: 'eggs' }),
  );
  const three = learn({ priors: { spam: 1, ham: 1, eggs: 2 } }).partialFit(stranger);
  expectClose(three.predictLogProba([{ area: null, calls: null }]).data.map(Math.exp), [0.5, 0.25, 0.25], 1e-12);
});

test('kinds override what cells look like, and a column may be left out', () => {
  const short = rows.slice(0, 12).map(({ colour, calls, label }) => ({ colour, calls, label }));
  const kindsOf = (kinds: ClassifierOptions['kinds'], model: 'multinomial' | 'categorical' | 'mixed') =>
    Classifier.fit(short, { target: 'label', model, kinds, evaluate: false }).schema.columns.map(({ kind, role }) =>
      role === 'feature' ? kind : '',
    );
  expect(kindsOf({ colour: 'text', calls: 'ignored' }, 'multinomial')).toEqual(['text', '', '']);
  expect(kindsOf({ calls: 'category' }, 'categorical')).toEqual(['category', 'category', '']);
  expect(kindsOf({ calls: 'number', colour: 'boolean' }, 'mixed')).toEqual(['boolean', 'number', '']);
  expect(() => kindsOf({ size: 'number' }, 'mixed')).toThrow(refusal('E_FEATURE_MISSING', { feature: 'size' }));
});

test('a blank text gets the class prior while single texts are learned, and differs from one with known words', () => {
  const rows = [
    { text: 'cheap pills now', y: 'spam' },
    { text: 'lunch at noon', y: 'ham' },
    { text: 'see you at lunch', y: 'ham' },
  ];
  for (const model of ['complement', 'bernoulli', 'multinomial', 'poisson'] as const) {
    const classifier = Classifier.fit(rows, { target: 'y', features: ['text'], model, evaluate: false });
    classifier.partialFit([{ text: 'cheap lunch', y: 'spam' }]); // counted word by word, ahead of the vectorizer
    for (const text of ['', ' ', '!?']) {
      const { probabilities } = classifier.classify({ text });
      expectClose(probabilities.map(({ probability }) => probability), [0.5, 0.5], 1e-12); // biome-ignore format: short
    }
    expect(classifier.classify({ text: 'cheap pills' }).label, model).toBe('spam');
    classifier.calibrate([...rows, ...rows, { text: 'pills', y: 'spam' }], {
      method: 'temperature',
      minRows: 0,
    });
    const { probabilities } = classifier.classify({ text: '' });
    expectClose(probabilities.map(({ probability }) => probability), [0.5, 0.5], 1e-12); // biome-ignore format: short
  }
});
