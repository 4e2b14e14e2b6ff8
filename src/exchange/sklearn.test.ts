import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectClose, isClose, refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline, type Pipeline } from '../estimators/pipeline.ts';
import type { TfidfVectorizer } from '../estimators/tfidf-vectorizer.ts';
import { fromSklearn } from './sklearn.ts';

type Numbers = readonly (readonly (number | string)[] | number | string)[];

/** What scikit-learn answered. */
interface Answers {
  readonly predict?: readonly unknown[];
  readonly predict_proba?: Numbers;
  readonly predict_log_proba?: Numbers;
  readonly predict_joint_log_proba?: Numbers;
  readonly decision_function?: Numbers;
  readonly transform?: readonly (readonly [number, number])[][];
  readonly columns?: number;
}

interface Case extends Answers {
  readonly name: string;
  readonly document: JsonValue;
  readonly query: readonly string[] | readonly number[][];
  readonly more?: { readonly X: readonly number[][]; readonly y: readonly number[] };
  readonly later?: Answers;
}

interface Imported {
  readonly classes: readonly unknown[];
  predict(X: unknown): unknown[];
  predictProba(X: unknown): Matrix;
  predictLogProba(X: unknown): Matrix;
  predictJointLogProba(X: unknown): Matrix;
  decisionFunction(X: unknown): Matrix;
  transform(X: unknown): SparseMatrix;
  partialFit(X: unknown, y: unknown): Imported;
}

const folder = new URL('../../test/reference/exchange/sklearn/', import.meta.url);
const read = (file: string | URL) => JSON.parse(readFileSync(file, 'utf8')) as Case[];
const cases = read(new URL('models.json', folder));
const caseOf = (name: string) => structuredClone(cases.find((own) => own.name === name)!);

const infinities = new Map<unknown, number>([
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['nan', Number.NaN],
]);
const cells = (rows: Numbers) => rows.flat().map((cell) => infinities.get(cell) ?? (cell as number));

/** Where scikit-learn itself rounds: how far its answers are from those of its own parameters in exact arithmetic. */
const roundings: readonly (readonly [RegExp, number])[] = [
  [/^BernoulliNB with a tiny alpha/, 1e-5], // ln(1 − exp(ln p)) of p = 1 − 1e-10
  [/^LDA .* far from zero/, 1e-5], // w·x + b with terms near 1e11 that cancel
];

function expectAnswers(model: Imported, { name, query }: Case, answers: Answers): void {
  const tolerance = roundings.find(([own]) => own.test(name))?.[1] ?? 1e-12;
  const { predict = [], predict_proba, predict_log_proba, predict_joint_log_proba, decision_function } = answers;
  const proba = model.predictProba(query);
  expectClose(proba.data, cells(predict_proba!), tolerance, 1);
  expectClose(model.predictLogProba(query).data, cells(predict_log_proba!), tolerance, 1);
  if (predict_joint_log_proba) {
    expectClose(model.predictJointLogProba(query).data, cells(predict_joint_log_proba), tolerance, 1);
  }
  if (decision_function) expectClose(model.decisionFunction(query).data, cells(decision_function), tolerance, 1);
  model.predict(query).forEach((label, i) => {
    const [own, theirs] = [label, predict[i]].map((answer) => proba.row(i)[model.classes.indexOf(answer)]);
    if (!isClose(own, theirs, 1e-12)) expect(label, `row ${i}`).toBe(predict[i]); // of equals either may come first
  });
}

function expectRows(rows: SparseMatrix, { transform = [], columns }: Answers): void {
  const { indptr, indices, data } = rows;
  expect(rows.cols).toBe(columns);
  transform.forEach((row, i) => {
    expect([...indices.subarray(indptr[i], indptr[i + 1])]).toEqual(row.map(([j]) => j));
    expectClose(
      data.subarray(indptr[i], indptr[i + 1]),
      Float64Array.from(row, ([, value]) => value),
    );
  });
}

function expectCase(own: Case): void {
  const model = fromSklearn<Imported>(own.document);
  if (own.transform) expectRows(model.transform(own.query), own);
  else expectAnswers(model, own, own);
  if (own.more) expectAnswers(model.partialFit(own.more.X, own.more.y), own, own.later!);
}

test.each(cases.map((own) => [own.name, own] as const))('%s answers as scikit-learn did', (_, own) => {
  expectCase(own);
  expectCase({ ...own, document: JSON.stringify(own.document, null, 2) });
});

describe('what was counted goes on', () => {
  test('a pipeline of words learns on as if it had counted all documents itself', () => {
    const { document, query } = caseOf('Pipeline, words and dice');
    const texts = ['The quick brown fox jumps over the lazy dog', 'A fox, a dog and a HEN!', 'le café était fermé; naïve coöperation', 'Straße und Größe, GROSSE Freude', '日本語のテキスト 日本語 です', "İstanbul'da ISPARTA ısı ΟΔΥΣΣΕΥΣ ὀδυσσεύς", 'snake_case and x1 y22 z333', 'tabs\tand\nnew  lines\u2003wide', 'emoji 🎉🎉 party_time 𝒳𝒴 math', 'dog dog dog fox __proto__ constructor']; // biome-ignore format: as in record.py
    const topics = ['animal', 'animal', 'food', 'place', 'place', 'place', 'code', 'code', 'fun', 'animal'];
    const [more, labels] = [
      ['brand new words about a fox', 'café noir'],
      ['news', 'food'],
    ];
    const imported = fromSklearn<Pipeline<[CountVectorizer, MultinomialNB]>>(document).partialFit(more, labels);
    const own = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
      [...texts, ...more],
      [...topics, ...labels],
    );
    expect(imported.getFeatureNamesOut()).toEqual(own.getFeatureNamesOut());
    const asked = query as string[];
    expectClose(imported.predictProba(asked).data, own.predictProba(asked).data);
  });

  test('a pipeline of words unlearns what it has learned, before and after it is saved', () => {
    const { document, query } = caseOf('Pipeline, words and dice');
    type Words = Pipeline<readonly [CountVectorizer, MultinomialNB]>;
    const asked = [...(query as string[]), 'brand new words', 'a fox'];
    const [more, labels] = [
      ['brand new words about a fox', 'café noir'],
      ['news', 'food'],
    ];
    const answers = (model: Words) => [
      model.steps[0].getFeatureNamesOut(),
      [...model.steps[0].documentFrequency],
      model.steps[0].documentCount,
      model.classes,
      [...model.predictProba(asked).data],
    ];
    const before = answers(fromSklearn<Words>(document));
    const learned = () => fromSklearn<Words>(document).partialFit(more, labels);
    expect(answers(learned())).not.toEqual(before);
    expect(answers(load<Words>(learned().toBytes()))).toEqual(answers(learned()));
    for (const model of [learned(), load<Words>(learned().toBytes())]) {
      model.unlearn(more, labels);
      expect(answers(model)).toEqual(before);
      expect(answers(load<Words>(model.toBytes()))).toEqual(before);
      model.partialFit(more, labels);
      expect(answers(model)).toEqual(answers(learned()));
    }
    const merged = fromSklearn<Words>(document).clone().fit(more, labels).merge(learned());
    expect(answers(merged.unlearn(more, labels))).toEqual(answers(learned()));
    const [text, label] = ['le café était fermé; naïve coöperation', 'food']; // which scikit-learn has learned
    const less = fromSklearn<Words>(document).unlearn([text], [label]);
    expect(less.classes).not.toContain(label);
    expect(less.partialFit([text], [label]).predictProba(asked).data).toEqual(
      fromSklearn<Words>(document).predictProba(asked).data,
    );
  });

  test('a class that has no rows keeps its place', () => {
    const model = fromSklearn<MultinomialNB>(caseOf('MultinomialNB with a class of no rows').document);
    expect(model.classes).toEqual([0, 1, 2]);
    expect(model.classCount[2]).toBe(0);
    expect(model.partialFit([[1, 2, 3, 4, 5, 6]], [2]).classCount[2]).toBe(1);
  });

  test('parameters alone predict and learn no more', () => {
    for (const name of ['LDA svd', 'QDA', 'ComplementNB with a tiny alpha that is not forced']) {
      const { document, query } = caseOf(name);
      const model = fromSklearn<Imported>(document);
      const labels = query.map(() => model.classes[0]);
      expect(refusalOf(() => model.partialFit(query, labels)).code).toBe('E_CONFLICT');
      const loaded = load<Imported>((model as Imported & { toBytes(): Uint8Array }).toBytes());
      expect(loaded.predictLogProba(query)).toEqual(model.predictLogProba(query));
    }
    const tfidf = fromSklearn<TfidfVectorizer>(caseOf('TfidfVectorizer, plain').document);
    expect(refusalOf(() => tfidf.partialFit(['more'])).code).toBe('E_CONFLICT');
  });

  test('weights that do not follow from the counts are taken as they are', () => {
    const own = caseOf('MultinomialNB') as { document: { model: { params: { alpha: number } } } } & Case;
    own.document.model.params.alpha = 0.5; // as if it had been changed after the fit
    const model = fromSklearn<Imported>(own.document as JsonValue);
    expectAnswers(model, own, own);
    expect(refusalOf(() => model.partialFit([[1, 1, 1, 1, 1, 1]], [0])).code).toBe('E_CONFLICT');
  });

  test.each(['TfidfVectorizer, plain', 'TfidfVectorizer, not smooth'])('%s has the idf of its document', (name) => {
    const own = caseOf(name) as Case & { document: { model: { learned: { idf_: number[] } } } };
    const vectorizer = fromSklearn<TfidfVectorizer>(own.document as JsonValue);
    expect(Array.from(vectorizer.idf)).toEqual(own.document.model.learned.idf_);
    expect(Array.from(load<TfidfVectorizer>(vectorizer.toBytes()).idf)).toEqual(own.document.model.learned.idf_);
  });
});

type Path = readonly (string | number)[];

function changed(name: string, path: Path, value: unknown): JsonValue {
  const { document } = caseOf(name);
  let at = document as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  const last = path[path.length - 1];
  if (value === undefined) delete at[last];
  else at[last] = value;
  return document;
}

describe('what is not known is refused by its name', () => {
  const at = (...path: Path) => ['model', ...path];
  test.each<[string, string, Path, unknown, string, RegExp]>([
    ['another format', 'gaussian', ['format'], 'pmml', 'E_FORMAT', /polya-sklearn/],
    ['a later version of it', 'gaussian', ['version'], 2, 'E_FORMAT', /version 2/],
    ['a later scikit-learn', 'gaussian', ['sklearn'], '2.0.0', 'E_FORMAT', /2\.0\.0/],
    ['an old scikit-learn', 'gaussian', ['sklearn'], '0.24.2', 'E_FORMAT', /0\.24\.2/],
    ['another entry', 'gaussian', ['extra'], 1, 'E_FORMAT', /extra/],
    ['another class', 'gaussian', at('class'), 'SVC', 'E_FORMAT', /SVC/],
    ['a class with a hostile name', 'gaussian', at('class'), '__proto__', 'E_FORMAT', /__proto__/],
    ['another parameter', 'gaussian', at('params', 'gamma'), 1, 'E_FORMAT', /gamma/],
    ['another attribute', 'gaussian', at('learned', 'sigma_'), [], 'E_FORMAT', /sigma_/],
    ['an absent attribute', 'gaussian', at('learned', 'theta_'), undefined, 'E_FORMAT', /theta_/],
    ['a ragged matrix', 'gaussian', at('learned', 'theta_', 0), [1], 'E_FORMAT', /theta_/],
    ['a text for a number', 'gaussian', at('learned', 'var_', 0, 0), 'many', 'E_FORMAT', /var_/],
    ['a variance of zero', 'gaussian', at('learned', 'var_', 0, 0), 0, 'E_FORMAT', /NaN/],
    ['infinite means', 'gaussian', at('learned', 'theta_', 0, 0), 'inf', 'E_FORMAT', /theta_/],
    ['classes out of order', 'gaussian', at('learned', 'classes_'), [2, 1, 0], 'E_FORMAT', /order/],
    ['classes of two types', 'gaussian', at('learned', 'classes_'), [0, 'one', 2], 'E_LABEL_TYPE', /string/],
    ['fractions for classes', 'gaussian', at('learned', 'classes_'), [0, 0.5, 2], 'E_LABEL_TYPE', /0\.5/],
    ['no features', 'gaussian', at('learned', 'n_features_in_'), 0, 'E_FORMAT', /1 to 16777216 features/],
    [
      'two columns of one name',
      'gaussian with names',
      at('learned', 'feature_names_in_'),
      ['a', 'a', 'b', 'c'],
      'E_FEATURE_DUPLICATE',
      /"a"/,
    ],
    ['negative priors', 'gaussian', at('params', 'priors'), [-1, 1, 1], 'E_PARAM', /priors/],
    ['negative smoothing', 'MultinomialNB', at('params', 'alpha'), -1, 'E_FORMAT', /alpha/],
    ['a negative count', 'MultinomialNB', at('learned', 'feature_count_', 0, 0), -1, 'E_FORMAT', /feature_count_/],
    [
      'coins that contradict their counts',
      'BernoulliNB',
      at('learned', 'feature_log_prob_', 0, 0),
      -9,
      'E_FORMAT',
      /-9/,
    ],
    ['tables that are too few', 'CategoricalNB', at('learned', 'category_count_'), [], 'E_FORMAT', /tables/],
    ['planes that contradict their axes', 'LDA svd', at('learned', 'coef_', 0, 0), 100, 'E_FORMAT', /coef_/],
    ['a solver that is not there', 'LDA svd', at('params', 'solver'), 'qr', 'E_PARAM', /qr/],
    ['a discriminant without axes', 'LDA svd', at('learned', 'scalings_'), undefined, 'E_FORMAT', /axes/],
    ['a class without spread', 'QDA', at('learned', 'scalings_', 0, 0), 0, 'E_FORMAT', /spread/],
    ['a tokenizer', 'CountVectorizer, plain', at('params', 'tokenizer'), 'split', 'E_PARAM', /tokenizer/],
    ['a callable analyzer', 'CountVectorizer, plain', at('params', 'analyzer'), 'custom', 'E_PARAM', /analyzer/],
    ['files for documents', 'CountVectorizer, plain', at('params', 'input'), 'filename', 'E_PARAM', /filename/],
    ['bytes that are not UTF-8', 'CountVectorizer, plain', at('params', 'encoding'), 'latin-1', 'E_PARAM', /latin-1/],
    ['narrow counts', 'CountVectorizer, plain', at('params', 'dtype'), 'uint8', 'E_PARAM', /uint8/],
    ['narrow weights', 'TfidfVectorizer, plain', at('params', 'dtype'), 'float32', 'E_PARAM', /float32/],
    [
      'a pattern that cannot be read',
      'CountVectorizer, plain',
      at('params', 'token_pattern'),
      '(',
      'E_PARAM',
      /tokenPattern/,
    ],
    ['terms out of order', 'CountVectorizer, plain', at('learned', 'vocabulary_'), ['b', 'a'], 'E_FORMAT', /order/],
    ['no terms', 'CountVectorizer, plain', at('learned', 'vocabulary_'), [], 'E_FORMAT', /empty/],
    ['infinite idf', 'TfidfVectorizer, not smooth', at('learned', 'idf_', 0), 'inf', 'E_FORMAT', /idf_/],
    ['idf below one', 'TfidfVectorizer, plain', at('learned', 'idf_', 0), 0.5, 'E_FORMAT', /idf_/],
    ['a step without a name', 'Pipeline, hashes', at('steps', 0), ['only'], 'E_FORMAT', /pair/],
    ['an unknown step', 'Pipeline, hashes', at('steps', 0, 1, 'class'), 'StandardScaler', 'E_FORMAT', /StandardScaler/],
    ['nothing at all', 'gaussian', ['model'], { class: 'passthrough' }, 'E_FORMAT', /no model/],
  ])('%s', (_, name, path, value, code, sentence) => {
    const attempt = () => fromSklearn(changed(name, path, value));
    expect(refusalOf(attempt).code).toBe(code);
    expect(attempt).toThrow(sentence);
  });

  test('text that is no JSON, and JSON that is no document', () => {
    for (const json of ['', '{', '{"format": 1, "format": 2}', '[]', 'null', '"x"']) {
      expect(refusalOf(() => fromSklearn(json)).code).toBe('E_FORMAT');
    }
  });
});

/** All places of a document. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

test('a document with anything anywhere ends in a model or a refusal', () => {
  const small = cases.filter(({ document }) => JSON.stringify(document).length < 4000);
  fc.assert(
    fc.property(
      fc.constantFrom(...small.map(({ name }) => name)),
      fc.nat(),
      fc.jsonValue({ maxDepth: 2 }),
      (name, place, value) => {
        const paths = pathsOf(caseOf(name).document).filter((path) => path.length > 0);
        try {
          fromSklearn(changed(name, paths[place % paths.length], value));
        } catch (error) {
          if (!(error instanceof PolyaError)) throw error;
          expect([
            'E_FORMAT',
            'E_PARAM',
            'E_LABEL_TYPE',
            'E_FEATURE_DUPLICATE',
            'E_UNICODE',
            'E_COUNT_OVERFLOW',
          ]).toContain(error.code);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('priors that do not sum to one are divided by their sum: every posterior stays', () => {
  const { document, query } = caseOf('MultinomialNB with a class prior');
  const answers = fromSklearn<Imported>(document).predictProba(query);
  const { model } = document as { model: { params: { class_prior: number[] } } };
  model.params.class_prior = [1, 2, 7];
  expectClose(fromSklearn<Imported>(document).predictProba(query).data, answers.data);
});

const python = process.env.POLYA_PYTHON;
if (!python) console.info('skipped: POLYA_PYTHON names no Python with scikit-learn, so its helper was not run');

test.skipIf(!python)('the helper writes today what it wrote when the answers were recorded', () => {
  const directory = mkdtempSync(join(tmpdir(), 'polya-sklearn-'));
  try {
    const file = join(directory, 'models.json');
    execFileSync(python!, [new URL('record.py', folder).pathname, file], { stdio: 'pipe' });
    const fresh = read(file);
    expect(fresh.map(({ name }) => name)).toEqual(cases.map(({ name }) => name));
    for (const own of fresh) expectCase(own);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
