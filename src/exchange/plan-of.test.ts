import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { chosen, drawn, families, subjects, writtenCells } from '../../test/exchange-subjects.ts';
import { decodeState } from '../core/artifact.ts';
import {
  Classifier,
  CountVectorizer,
  columnModel,
  GaussianNB,
  GridSearchCV,
  LinearDiscriminantAnalysis,
  load,
  MixedNB,
  MultinomialNB,
  makePipeline,
  OrdinalEncoder,
  RobinsonFisherFilter,
  registerFamily,
  SelectKBest,
} from '../index.ts';
import { Random } from '../math/random.ts';
import { planOfSaved } from './plan/saved.ts';
import type { Plan, PlanScore } from './plan.ts';
import { planOf } from './plan-of.ts';
import { toPmml } from './pmml.ts';
import { runPlan } from './run-plan.ts';
import { toSql } from './sql.ts';
import { toOnnx } from './to-onnx.ts';

registerFamily(
  columnModel({
    name: 'halves',
    statistics: { x: (x) => x },
    parameters: ['mean'],
    estimate: (means) => means,
    logDensity: ({ 0: mean }, x) => -Math.abs(x - mean),
    sample: ({ 0: mean }) => mean,
  }),
);

/** Every op of a score and its terms. */
function* opsOf(score: PlanScore): Generator<string> {
  yield score.op;
  if (score.op === 'sum') for (const term of score.terms) yield term.op;
  if (score.op === 'add') for (const { of } of score.parts) yield* opsOf(of);
  if (score.op === 'either') for (const of of [score.first, score.second]) yield* opsOf(of);
  if (score.op === 'pool') for (const member of score.members) yield* opsOf(member);
  if (score.op === 'calibrated') for (const { of } of score.members) yield* opsOf(of);
  if ('of' in score) yield* opsOf(score.of);
}

test('the models of the tests use every op that a plan may have', () => {
  const seen = new Set<string>();
  const look = ({ inputs, vectors, score }: Plan) => {
    for (const { kind } of inputs) seen.add(kind);
    for (const { op } of vectors) seen.add(op);
    for (const op of opsOf(score)) seen.add(op);
  };
  for (const subject of subjects) for (const seed of [1, 2]) look(planOf(drawn(subject, seed).model));
  for (const subject of chosen) look(planOf(drawn(subject, 3).model));
  const vectors = 'above bin cross equal inputs join limit onehot pick root-share scale terms weigh within';
  const terms = 'aode bells coins contexts densities kernels linear planes poisson quadrics table tree urns';
  const scores = 'add blank calibrated curve either place platt pool posterior soften sum';
  expect([...seen].sort()).toEqual(`${vectors} ${terms} ${scores} number level text`.split(' ').sort());
});

const texts = ['cheap pills', 'lunch at noon', 'cheap lunch'];
const labels = ['spam', 'ham', 'ham'];

describe('what a plan cannot say is refused', () => {
  const text = (options: object) => makePipeline(new CountVectorizer(options), new MultinomialNB()).fit(texts, labels);
  test.each([
    ['a tokenizer of the caller', text({ tokenizer: (own: string) => own.split(' ') })],
    ['a stemmer', text({ stemmer: (word: string) => word.slice(0, 3) })],
    ['a preprocessor', text({ preprocessor: (own: string) => own })],
    ['an analyzer of the caller', text({ analyzer: (own: string) => [...own] })],
    [
      "Fisher's method",
      new RobinsonFisherFilter().fit(
        [
          [1, 0],
          [0, 1],
        ],
        ['ham', 'spam'],
      ),
    ],
    ['an unknown kind', { kind: 'Oracle', classes: ['a'] }],
    ['a step that is none', makePipeline(odd() as never, new MultinomialNB()).fit([[1], [2]] as never, [0, 1])],
    [
      'an encoder behind a step',
      makePipeline(new SelectKBest({ k: 1 }), new OrdinalEncoder() as never, new MultinomialNB()).fit(
        [
          [1, 0],
          [2, 1],
          [0, 0],
        ] as never,
        [0, 1, 1],
      ),
    ],
    ["a family of one's own", new MixedNB({ columns: ['halves'] as never }).fit([[1], [2]], ['a', 'b'])],
    [
      'a mixture of words behind a step',
      makePipeline(new SelectKBest({ k: 1 }), new MixedNB({ columns: ['categorical', 'gaussian'] }) as never).fit(
        [
          [1, 0],
          [2, 1],
          [3, 1],
        ] as never,
        [0, 1, 1],
      ),
    ],
  ])('%s', (_, model) => {
    expect(refusalOf(() => planOf(model as never)).code).toBe('E_CONFLICT');
  });

  test('what has learned nothing, and what is no model', () => {
    expect(refusalOf(() => planOf(new GaussianNB())).code).toBe('E_NOT_FITTED');
    expect(refusalOf(() => planOf(null as never)).code).toBe('E_TYPE');
    expect(refusalOf(() => planOf({} as never)).code).toBe('E_TYPE');
  });
});

/** A transformer of the caller's own. */
function odd() {
  const own = {
    kind: 'Odd',
    clone: () => own,
    fit: () => own,
    transform: (X: unknown) => X,
    toState: () => ({}),
    restore: () => own,
  };
  return own;
}

test('the best of a search is planned like itself', () => {
  const X = [
    [1, 0],
    [2, 1],
    [0, 3],
    [0, 2],
    [3, 0],
    [1, 4],
  ];
  const y = ['a', 'a', 'b', 'b', 'a', 'b'];
  const search = new GridSearchCV(new MultinomialNB(), { alpha: [0.5, 1] }, { cv: 2 }).fit(X, y);
  expect(runPlan(planOf(search as never), X).toArray()).toEqual(runPlan(planOf(search.bestEstimator), X).toArray());
});

test('a saved encoder reads missing cells as it was fitted to', async () => {
  const rows = [['a'], [null], ['b'], ['b'], [null]];
  const encoder = new OrdinalEncoder({ handleUnknown: 'use_encoded_value', unknownValue: Number.NaN });
  const model = makePipeline(encoder as never, new GaussianNB({ missing: 'ignore' })).fit(
    rows as never,
    [0, 1, 1, 0, 0],
  );
  const unseen = [...rows, ['c']];
  const plan = await planOfSaved(decodeState(model.toBytes()));
  expect(runPlan(plan, unseen).toArray()).toEqual(model.predictLogProba(unseen as never).toArray());
});

test('far from the data the planes of a linear discriminant overflow, and the ellipsoids stand', () => {
  const X = [
    [0, 1],
    [1, 0],
    [5, 6],
    [6, 5],
    [2, 2.5],
  ];
  const model = new LinearDiscriminantAnalysis().fit(X, ['a', 'a', 'b', 'b', 'a']);
  const far = [
    [1e150, -1e150],
    [-1e149, 3],
  ];
  expect(runPlan(planOf(model), far).toArray()).toEqual(model.predictLogProba(far).toArray());
});

test.each(families.map((subject) => [subject.name, subject] as const))('a slim %s has the same plan', (_, subject) => {
  const { model, rows } = drawn(subject, 1);
  const { toBytes } = model as unknown as { toBytes(options: object): Uint8Array };
  const slim = load(toBytes.call(model, { slim: true }));
  expect(runPlan(planOf(slim), rows).toArray()).toEqual(runPlan(planOf(model), rows).toArray());
});

describe('rows that a model refuses, its plan refuses', () => {
  const gaussian = planOf(
    new GaussianNB().fit(
      [
        [1, 2],
        [3, 4],
      ],
      [0, 1],
    ),
  );
  const words = planOf(makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels));
  test.each([
    ['a missing number', gaussian, [1, Number.NaN]],
    ['a word', gaussian, [1, 'x']],
    ['too few cells', gaussian, [1]],
    ['no row', gaussian, 5],
    ['a number beyond the range', gaussian, [1e200, 1]],
    ['no text', words, 5],
  ])('%s', (_, plan, row) => {
    expect(refusalOf(() => runPlan(plan, [row])).code).toMatch(/^E_(VALUE_RANGE|SHAPE|TYPE|FEATURE_COUNT)$/);
  });
});

test('formats that cannot read dates or signs of money refuse them, and name the column', () => {
  const { model } = drawn(writtenCells[1], 3);
  const refusal = { message: expect.stringContaining('dates') };
  for (const [dialect, what] of [
    ['duckdb', 'the numbers in user.paid'],
    ['snowflake', 'dates for Snowflake'],
  ] as const) {
    expect(() => toSql(model, { table: 't', dialect })).toThrow(
      expect.objectContaining({ code: 'E_ENGINE_CAPABILITY', message: expect.stringContaining(what) }),
    );
  }
  expect(() => toOnnx(model)).toThrow(expect.objectContaining({ code: 'E_CONFLICT', ...refusal }));
  expect(() => toPmml(model)).toThrow(expect.objectContaining({ code: 'E_CONFLICT', ...refusal }));
});

test.each([{ model: 'auto' }, { model: 'gaussian' }] as const)('a plan of %j has its class weights', (options) => {
  const random = new Random(3);
  const rows = Array.from({ length: 120 }, (_, i) => ({
    x: random.normal() + (i % 6 ? 0 : 1),
    y: random.normal(),
    z: i % 6 ? 'no' : 'yes',
  }));
  const classifier = Classifier.fit(rows, { target: 'z', classWeight: 'balanced', ...options });
  expectClose(runPlan(planOf(classifier), rows).data, classifier.predictLogProba(rows).data, 1e-9, 1);
});

test('a plan of an ensemble that has learned a new class answers as it does', () => {
  const random = new Random(5);
  const rowOf = (i: number, label: string) => ({
    text: Array.from({ length: 6 }, () => `${random.uniform() < 0.5 ? label : 'word'}${random.integer(9)}`).join(' '),
    x: random.normal() + label.length,
    colour: ['red', 'blue', 'green'][(i + label.length) % 3],
    z: label,
  });
  const rows = Array.from({ length: 150 }, (_, i) => rowOf(i, i % 2 ? 'maybe' : 'never'));
  const classifier = Classifier.fit(rows, { target: 'z', kinds: { text: 'text' } });
  classifier.partialFit(Array.from({ length: 30 }, (_, i) => rowOf(i, 'always')));
  expect(classifier.classes).toEqual(['always', 'maybe', 'never']);
  expectClose(runPlan(planOf(classifier), rows).data, classifier.predictLogProba(rows).data, 1e-9, 1);
});
