import { test as check, fc } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, test as vitestTest } from 'vitest';
import type { Estimator } from '../../src/estimators/load.ts';
import { load, Matrix, type MultinomialNB, Random, SparseMatrix } from '../../src/index.ts';
import { expectClose, expectIdentical, refusalOf } from '../close.ts';
import { type Row, runSequence, type Subject as SequenceSubject, sequences } from './check-sequence.ts';

/** What the suite needs to know about an estimator. */
export interface Subject {
  readonly name: string;
  /** Creates an estimator; parameters are added to those of the variant under test. */
  make(params?: Record<string, unknown>): Estimator;
  /** Ordinary cells of its rows. */
  readonly cells: fc.Arbitrary<number>;
  /**
   * Cells column by column, if columns are of different kinds: numbers in the first two columns, anything in the
   * others. `cells` is then for any numeric column.
   */
  readonly columns?: readonly fc.Arbitrary<unknown>[];
  /**
   * Whether the order of columns is part of the model. It decides between equally good structures (a tree is rooted at
   * the first column, and ties between edges are broken by index), or determines the family of a column.
   */
  readonly orderedColumns?: true;
  /**
   * Datasets with enough classes, and enough rows in general position in each, for families that need them: with less,
   * a discriminant throws E_CLASSES_TOO_FEW or E_CLASS_TOO_SMALL (docs/promises.md). If a law removes rows until too
   * few are left, both sides must throw the same error.
   */
  readonly ample?: (weights: fc.Arbitrary<number>) => fc.Arbitrary<Dataset>;
  /** Whether it discriminates without a density per class, so that nothing can be sampled from it. */
  readonly discriminative?: true;
  /** Parameters that it must reject. */
  readonly impossible: readonly Record<string, unknown>[];
  /** Relative tolerance of log-probabilities after another order of additions; zero if the state is integer counts. */
  readonly rounding: number;
  /** The sizes at which all laws are run again, if the default ones would take too long or cover too little. */
  readonly sizes?: readonly Size[];
  /** The size of datasets, if given. */
  readonly size?: Size;
}

/** The size of datasets. */
export interface Size {
  readonly rows: number;
  readonly features: number;
  readonly classes: number;
}

/**
 * Besides the datasets of a few rows, these lie on the other side of every threshold in `src` at which another
 * implementation takes over: 16, 64 and 500 rows, 8 rows in a class, 128 and 1,000 features, and 16,384 and 65,536
 * cells.
 */
const SIZES: readonly Size[] = [
  { rows: 2000, features: 12, classes: 20 },
  { rows: 24, features: 5000, classes: 20 },
];

/** Labelled rows with their weights. */
export interface Dataset {
  readonly X: number[][];
  readonly y: string[];
  readonly w: number[];
}

const WORDS = ['__proto__', 'constructor', 'toString', '', 'b', 'a'];

/** The labels of generated rows: two if the estimator supports only two classes. */
function labelsOf({ make, size }: Pick<Subject, 'make' | 'size'>): string[] {
  const more = Array.from({ length: (size?.classes ?? 0) - WORDS.length }, (_, c) => `class ${c}`);
  return make().capabilities.multiclass ? [...WORDS, ...more] : WORDS.slice(0, 2);
}

/** Registers a test at one size only, because it does not depend on the number of rows. */
const testOnce = ({ size }: Pick<Subject, 'size'>): typeof vitestTest =>
  size ? (Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof vitestTest) : vitestTest;

/** Labelled rows with integer weights; at least one row and one feature. */
function datasets(
  subject: Pick<Subject, 'make' | 'cells' | 'columns' | 'ample' | 'size'>,
  weights: fc.Arbitrary<number> = fc.integer({ min: 1, max: 3 }),
): fc.Arbitrary<Dataset> {
  const { make, cells, columns, ample, size } = subject;
  if (size) {
    // a failure is reported by its seed, not by all of its cells
    const named = (seed: number) => ({
      ...largeDataset(subject, size, new Random(seed), fc.sample(weights, 99)),
      [fc.toStringMethod]: () => `dataset of seed ${seed}`,
    });
    return fc.noBias(fc.nat()).map(named);
  }
  if (ample) return ample(weights);
  return fc
    .record({ features: fc.integer({ min: 1, max: 4 }), rows: fc.integer({ min: 1, max: 9 }) })
    .chain(({ features, rows }) => {
      const several = <T>(item: fc.Arbitrary<T>, length: number) =>
        fc.array(item, { minLength: length, maxLength: length });
      return fc.record<Dataset>({
        X: several(
          columns ? (fc.tuple(...columns.slice(0, features)) as fc.Arbitrary<number[]>) : several(cells, features),
          rows,
        ),
        y: several(fc.constantFrom(...labelsOf({ make })), rows),
        w: several(weights, rows),
      });
    });
}

/**
 * A large dataset. Its cells are drawn from a sample of those of the subject, because an arbitrary is too slow for so
 * many. With many columns, if rows may be sparse, most cells are zero, as in texts.
 */
function largeDataset(
  subject: Pick<Subject, 'make' | 'cells' | 'columns' | 'ample'>,
  { rows, features, classes }: Size,
  random: Random,
  weights: readonly number[],
): Dataset {
  const { make, cells, columns, ample } = subject;
  const draw = <T>(pool: readonly T[]) => pool[random.integer(pool.length)];
  const pools = columns?.map((column) => fc.sample(column, 200) as number[]) ?? [fc.sample(cells, 500)];
  const width = columns ? columns.length : features;
  const zeros = width > 1000 && make().capabilities.sparse ? 0.98 : 0;
  const labels = labelsOf({ make, size: { rows, features, classes } }).slice(0, classes);
  const from = random.integer(labels.length);
  const isEven = (i: number) => ample !== undefined || i < labels.length; // every class has rows, or enough of them
  const y = Array.from({ length: rows }, (_, i) => (isEven(i) ? labels[(from + i) % labels.length] : draw(labels)));
  const cell = (j: number, label: string) => {
    if (random.uniform() < zeros) return 0;
    if (!ample) return draw(pools[j % pools.length]);
    return Math.round(4 * (random.normal() * (1 + (j % 3)) + labels.indexOf(label) * ((j % 5) - 2))) / 4;
  };
  return {
    X: y.map((label) => Array.from({ length: width }, (_, j) => cell(j, label))),
    y,
    w: y.map(() => draw(weights)),
  };
}

const pick = ({ X, y, w }: Dataset, order: readonly number[]): Dataset => ({
  X: order.map((i) => X[i]),
  y: order.map((i) => y[i]),
  w: order.map((i) => w[i]),
});
const halves = (dataset: Dataset, where: number): [Dataset, Dataset] => {
  const at = where % (dataset.y.length + 1);
  const rows = [...dataset.y.keys()];
  return [pick(dataset, rows.slice(0, at)), pick(dataset, rows.slice(at))];
};
const columns = (X: number[][], order: readonly number[]) => X.map((row) => order.map((j) => row[j]));
const isTooFew = (code: string) => code === 'E_CLASSES_TOO_FEW' || code === 'E_CLASS_TOO_SMALL';
const bytesOf = (estimator: Estimator) => Buffer.from(estimator.toBytes()).toString('base64');

/**
 * Checks the promises of docs/promises.md for one estimator, step by step and in sequences; with its default parameters
 * also at realistic sizes. There are no exceptions.
 */
export function checkEstimator(subject: Subject): void {
  checkLaws(subject);
  checkSequences(subject);
  if (subject.name.includes(' ')) return;
  for (const size of subject.sizes ?? SIZES) {
    describe(`${size.rows} rows, ${size.features} features, ${size.classes} classes`, () => {
      const usual = fc.readConfigureGlobal();
      beforeAll(() => fc.configureGlobal({ ...usual, numRuns: 1 }));
      afterAll(() => fc.configureGlobal(usual));
      checkLaws({ ...subject, size });
    });
  }
}

function checkLaws(subject: Subject): void {
  const { name, make, rounding } = subject;
  const test = testOnce(subject);
  const { mergeable, multiclass } = make().capabilities;
  const learn = (estimator: Estimator, { X, y, w }: Dataset) => estimator.fit(X, y, { sampleWeight: w });
  /** Learns a dataset that may be too small to predict from. */
  const learnLittle = (estimator: Estimator, dataset: Dataset) => (subject.ample ? more : learn)(estimator, dataset);
  const more = (estimator: Estimator, { X, y, w }: Dataset) =>
    y.length > 0 ? estimator.partialFit(X, y, { sampleWeight: w }) : estimator;
  const expectAlike = (a: Estimator, b: Estimator, X: number[][]) => {
    expect(a.classes).toEqual(b.classes);
    const tooFew = subject.ample && refusalOf(() => a.predictLogProba(X));
    if (tooFew && isTooFew(tooFew.code)) {
      expect(refusalOf(() => b.predictLogProba(X))).toEqual(tooFew);
      return;
    }
    const [p, q] = [a.predictLogProba(X).data, b.predictLogProba(X).data];
    if (rounding === 0) expectIdentical(p, q);
    else expectClose(p, q, rounding, 1);
  };
  const expectSameState = (a: Estimator, b: Estimator, X: number[][]) => {
    if (rounding === 0) expect(bytesOf(a)).toBe(bytesOf(b));
    expectAlike(a, b, X);
  };
  const any = datasets(subject);

  describe(name, () => {
    parameters(subject, any);
    input(subject, any);

    describe('learning', () => {
      if (mergeable) {
        check.prop([any, fc.nat()])(
          'partialFit over any partition, in any order, equals fit on all rows',
          (dataset, where) => {
            const [left, right] = halves(dataset, where);
            expectSameState(more(more(make(), right), left), learn(make(), dataset), dataset.X);
          },
        );

        check.prop([any, fc.nat()])(
          'merge commutes, and merging two parts equals learning all rows',
          (dataset, where) => {
            const [left, right] = halves(dataset, where);
            const part = (rows: Dataset) => more(make(), rows);
            const ab = part(left).merge(part(right) as never);
            expectSameState(ab, part(right).merge(part(left) as never), dataset.X);
            expectSameState(ab, learn(make(), dataset), dataset.X);
            expect(bytesOf(learn(make(), dataset).merge(make() as never))).toBe(bytesOf(learn(make(), dataset)));
            expect(bytesOf(make().merge(learn(make(), dataset) as never))).toBe(bytesOf(learn(make(), dataset)));
          },
        );

        check.prop([any, fc.nat()])('unlearning a part leaves the model of the other part', (dataset, where) => {
          const [left, right] = halves(dataset, where);
          if (left.y.length === 0 || right.y.length === 0) return;
          const rest = learn(make(), dataset).unlearn(right.X, right.y, { sampleWeight: right.w });
          expectSameState(rest, learnLittle(make(), left), dataset.X);
        });

        check.prop([any])('unlearning everything leaves nothing, and unlearning more is an error', (dataset) => {
          const { X, y, w } = dataset;
          expect(refusalOf(() => learn(make(), dataset).unlearn(X, y, { sampleWeight: w }).predict(X)).code).toBe(
            'E_NOT_FITTED',
          );
          const estimator = learn(make(), dataset);
          const before = bytesOf(estimator);
          const heavier = w.map((weight) => weight + 1);
          expect(refusalOf(() => estimator.unlearn(X, y, { sampleWeight: heavier })).code).toBe('E_UNLEARN_UNDERFLOW');
          expect(
            refusalOf(() =>
              estimator.unlearn(
                X,
                y.map(() => 'stranger'),
              ),
            ).code,
          ).toBe('E_UNLEARN_UNDERFLOW');
          expect(bytesOf(estimator)).toBe(before);
        });

        check.prop([any, fc.infiniteStream(fc.nat())])('the order of rows does not matter', (dataset, random) => {
          const order = [...dataset.y.keys()].sort(() => (random.next().value % 3) - 1);
          expectSameState(learn(make(), pick(dataset, order)), learn(make(), dataset), dataset.X);
        });

        check.prop([datasets(subject, fc.double({ min: 0.01, max: 9, noNaN: true })), fc.nat()])(
          'with reproducible: true every order, partition and merge gives the same bytes',
          (dataset, where) => {
            const exact = () => make({ reproducible: true });
            const [left, right] = halves(dataset, where);
            const whole = bytesOf(learn(exact(), dataset));
            expect(bytesOf(more(more(exact(), right), left))).toBe(whole);
            expect(bytesOf(more(exact(), left).merge(more(exact(), right) as never))).toBe(whole);
            expect(bytesOf(load(learn(exact(), dataset).toBytes()))).toBe(whole);
            if (left.y.length === 0) return;
            const rest = right.y.length
              ? learn(exact(), dataset).unlearn(right.X, right.y, { sampleWeight: right.w })
              : learn(exact(), dataset);
            expect(bytesOf(rest)).toBe(bytesOf(learnLittle(exact(), left)));
          },
        );

        check.prop([any])('decay by a half halves the weight of every row', (dataset) => {
          const half = learn(make(), { ...dataset, w: dataset.w.map((weight) => weight / 2) });
          expectAlike(learn(make(), dataset).decay(1), half, dataset.X);
          expect(refusalOf(() => learn(make(), dataset).decay(0)).code).toBe('E_PARAM');
        });
      } else {
        check.prop([any, fc.nat()])(
          'partialFit over any partition in the same order equals one partialFit',
          (dataset, where) => {
            const [left, right] = halves(dataset, where);
            expectSameState(more(more(make(), left), right), more(make(), dataset), dataset.X);
          },
        );

        check.prop([any])(
          'a model that is not a sum over rows cannot merge, unlearn or decay, and nothing changes',
          (dataset) => {
            const { X, y } = dataset;
            const estimator = learn(make(), dataset);
            const before = bytesOf(estimator);
            for (const attempt of [
              () => estimator.merge(learn(make(), dataset) as never),
              () => estimator.unlearn(X, y),
              () => estimator.decay(1),
            ]) {
              expect(refusalOf(attempt).code).toBe('E_CONFLICT');
            }
            expect(bytesOf(estimator)).toBe(before);
          },
        );
      }

      check.prop([any])('permuting columns does not change predictions', (dataset) => {
        if (subject.orderedColumns) return;
        const order = [...dataset.X[0].keys()].reverse();
        const turned = learn(make(), { ...dataset, X: columns(dataset.X, order) });
        const [p, q] = [
          turned.predictLogProba(columns(dataset.X, order)),
          learn(make(), dataset).predictLogProba(dataset.X),
        ];
        // sums of thousands of terms round differently in another order
        expectClose(p.data, q.data, subject.size ? 1e-9 : 1e-12, 1);
      });

      check.prop([any])('renaming labels only renames outputs, and classes are sorted', (dataset) => {
        const plain = learn(make(), dataset);
        const renamed = learn(make(), { ...dataset, y: dataset.y.map((label) => `~${label}`) });
        expect(renamed.predict(dataset.X)).toEqual(plain.predict(dataset.X).map((label) => `~${label}`));
        expectIdentical(renamed.predictProba(dataset.X).data, plain.predictProba(dataset.X).data);
        expect(plain.classes).toEqual([...new Set(dataset.y)].sort());
      });

      check.prop([any])('weight k equals k copies, weight zero equals absence', ({ X, y, w }) => {
        if (mergeable) {
          const copies = w.flatMap((weight, i) => Array<number>(weight).fill(i));
          const repeated = pick({ X, y, w: w.map(() => 1) }, copies);
          expectSameState(learn(make(), { X, y, w }), learn(make(), repeated), X);
        }
        const ghost = { X: [...X, X[0]], y: [...y, 'ghost'], w: [...w, 0] };
        expect(bytesOf(learn(make(), ghost))).toBe(bytesOf(learn(make(), { X, y, w })));
      });

      check.prop([any])('a closed list of classes rejects others, an open one grows', ({ X, y }) => {
        if (!multiclass && new Set(y).size > 1) {
          const full = make().partialFit(X, y);
          const before = bytesOf(full);
          expect(refusalOf(() => full.partialFit(X.slice(0, 1), ['third'])).code).toBe('E_CLASS_UNKNOWN');
          expect(bytesOf(full)).toBe(before);
          return;
        }
        const classes = [...new Set([...y, 'zz'])];
        const closed = make().partialFit(X, y, { classes });
        expect(closed.classes).toEqual([...classes].sort());
        const before = bytesOf(closed);
        expect(
          refusalOf(() =>
            closed.partialFit(
              X,
              X.map(() => 'stranger'),
            ),
          ).code,
        ).toBe('E_CLASS_UNKNOWN');
        expect(refusalOf(() => closed.partialFit(X, y, { classes: ['zz'] })).code).toBe('E_PARAM');
        expect(refusalOf(() => make().partialFit(X, y, { classes: ['a', 'a'] })).code).toBe('E_PARAM');
        expect(bytesOf(closed)).toBe(before);
        const open = make()
          .partialFit(X, y)
          .partialFit(
            X,
            X.map(() => 'stranger'),
          );
        expect(open.classes).toContain('stranger');
      });

      test('counts above 2^53 − 1 are an error and nothing changes', () => {
        const [row] = fc.sample(any, { numRuns: 1, seed: 1 })[0].X;
        const X = [row.map((cell) => Math.min(cell, 1))]; // no count grows faster than the weights
        const estimator = make().partialFit(X, ['a'], { sampleWeight: 2 ** 53 - 2 });
        estimator.partialFit(X, ['a']);
        const before = bytesOf(estimator);
        expect(refusalOf(() => estimator.partialFit(X, ['a'])).code).toBe('E_COUNT_OVERFLOW');
        expect(bytesOf(estimator)).toBe(before);
      });

      check.prop([any])('one row is enough, and a single class has probability 1', ({ X }) => {
        if (subject.ample) {
          expect(isTooFew(refusalOf(() => make().fit(X.slice(0, 1), ['only'])).code)).toBe(true);
          return;
        }
        const estimator = make().fit(X.slice(0, 1), ['only']);
        expect([...estimator.predictProba(X).data]).toEqual(X.map(() => 1));
      });
    });

    prediction(subject, any);
    persistence(subject, any);
    if (!subject.size) classWeights(subject, any);
  });
}

/** Class weights: 'balanced', or powers of two, for which every product is exact. */
const classWeightings: fc.Arbitrary<'balanced' | Record<string, number>> = fc.oneof(
  fc.constant('balanced' as const),
  fc
    .array(fc.constantFrom(0.25, 0.5, 1, 2, 8), { minLength: WORDS.length, maxLength: WORDS.length })
    .map((weights) => Object.fromEntries(WORDS.map((label, c) => [label, weights[c]]))),
);

/** Row weights times the weight of the row's class, by scikit-learn's formula for 'balanced'. */
function timesClassWeight({ X, y, w }: Dataset, classWeight: 'balanced' | Record<string, number>): Dataset {
  const total = (of: (label: string) => boolean) => w.reduce((sum, weight, i) => sum + (of(y[i]) ? weight : 0), 0);
  const balanced = (label: string) => total(() => true) / (new Set(y).size * total((own) => own === label));
  return {
    X,
    y,
    w: w.map((weight, i) => weight * (classWeight === 'balanced' ? balanced(y[i]) : classWeight[y[i]])),
  };
}

function classWeights({ make, rounding, ample }: Subject, any: fc.Arbitrary<Dataset>): void {
  const { mergeable } = make().capabilities;
  const learn = (estimator: Estimator, { X, y, w }: Dataset) => estimator.fit(X, y, { sampleWeight: w });
  const more = (estimator: Estimator, { X, y, w }: Dataset) =>
    y.length > 0 ? estimator.partialFit(X, y, { sampleWeight: w }) : estimator;
  /** Log-probabilities, or the error if too little was learned. */
  const answers = (model: () => Estimator, X: number[][]) => {
    const refusal = refusalOf(() => model().predictLogProba(X));
    return refusal.code === 'accepted' ? model().predictLogProba(X).data : refusal;
  };
  const runs = { numRuns: 30 };

  describe('class weights', () => {
    check.prop([any, classWeightings], runs)('equal sample weights of their rows', (dataset, classWeight) => {
      const byClass = answers(() => learn(make({ classWeight }), dataset), dataset.X);
      const byRow = answers(() => learn(make(), timesClassWeight(dataset, classWeight)), dataset.X);
      if (byRow instanceof Float64Array) expectClose(byClass as Float64Array, byRow, Math.max(rounding, 1e-9), 1);
      else expect(isTooFew(byRow.code)).toBe(true);
    });

    if (mergeable) {
      check.prop([any, fc.nat(), classWeightings], runs)(
        'keep incremental learning, merging, unlearning and saving exact',
        (dataset, where, classWeight) => {
          const blank = () => make({ classWeight });
          const [left, right] = halves(dataset, where);
          const whole = more(blank(), dataset);
          const same = (other: Estimator, expected: Estimator) => {
            if (rounding === 0) expect(bytesOf(other)).toBe(bytesOf(expected));
            const [p, q] = [other, expected].map((own) => answers(() => own, dataset.X));
            if (p instanceof Float64Array) expectClose(p, q as Float64Array, rounding, 1);
            else expect(q).toEqual(p);
          };
          same(more(more(blank(), right), left), whole);
          same(more(blank(), left).merge(more(blank(), right) as never), whole);
          expect(load<Estimator>(whole.toBytes()).getParams()).toEqual(whole.getParams());
          same(load<Estimator>(whole.toBytes()), whole);
          if (left.y.length === 0 || right.y.length === 0) return;
          same(
            more(blank(), dataset).unlearn(right.X, right.y, { sampleWeight: right.w }),
            (ample ? more : learn)(blank(), left),
          );
        },
      );

      vitestTest('must be equal in two models to be merged', () => {
        const [dataset] = fc.sample(any, { numRuns: 1, seed: 1 });
        const [a, b] = ['balanced', null].map((classWeight) => more(make({ classWeight }), dataset));
        expect(refusalOf(() => a.merge(b as never)).code).toBe('E_MERGE_MISMATCH');
      });
    }

    vitestTest('that are invalid are errors', () => {
      for (const classWeight of ['even', 0, {}, { a: 0 }, { a: -1 }, { a: 'b' }, { a: Number.NaN }, [1, 2]]) {
        expect(refusalOf(() => make({ classWeight })).code).toBe('E_PARAM');
      }
      const [{ X, y, w }] = fc.sample(any, { numRuns: 1, seed: 1 });
      const misspelt = make({ classWeight: { 'no such class': 2 } });
      expect(refusalOf(() => learn(misspelt, { X, y, w })).code).toBe('E_CLASS_UNKNOWN');
    });
  });
}

function parameters(subject: Subject, any: fc.Arbitrary<Dataset>): void {
  const { make, impossible, name, discriminative } = subject;
  const test = testOnce(subject);
  describe('state and parameters', () => {
    test('it constructs without arguments, with frozen defaults, and parameters round-trip', () => {
      const estimator = make();
      const Class = estimator.constructor as new (params?: unknown) => Estimator;
      expect(new Class().getParams()).toEqual(new Class({}).getParams());
      expect(new Class(estimator.getParams()).getParams()).toEqual(estimator.getParams());
      (estimator.getParams() as Record<string, unknown>).reproducible = 'changed';
      expect(estimator.getParams()).toEqual(new Class(estimator.getParams()).getParams());
    });

    test.each([...impossible, { noSuchParameter: 1 }, { reproducible: 'yes' }])(
      '%j is an error at construction',
      (params) => {
        const { code, details } = refusalOf(() => make(params));
        expect(code).toBe('E_PARAM');
        expect(details.name).toBe(Object.keys(params)[0]);
      },
    );

    test('every method that needs a fit throws E_NOT_FITTED before it', () => {
      const readers: ((estimator: Estimator) => unknown)[] = [
        (e) => e.predict([[1]]),
        (e) => e.predictProba([[1]]),
        (e) => e.predictLogProba([[1]]),
        (e) => e.predictJointLogProba([[1]]),
        (e) => e.logEvidence([[1]]),
        (e) => e.score([[1]], ['a']),
        (e) => e.explain([[1]]),
        (e) => e.sample(1),
        (e) => e.unlearn([[1]], ['a']),
        (e) => e.decay(1),
        (e) => e.classes,
        (e) => e.nFeaturesIn,
        (e) => e.featureNamesIn,
      ];
      for (const reader of readers) expect(refusalOf(() => reader(make())).code, String(reader)).toBe('E_NOT_FITTED');
    });

    test('the capability record is frozen and complete', () => {
      const { capabilities } = make();
      expect(Object.isFrozen(capabilities)).toBe(true);
      expect(Object.keys(capabilities).sort()).toEqual(
        ['mergeable', 'missing', 'multiclass', 'nonNegative', 'online', 'sparse'].sort(),
      );
    });

    check.prop([any, any])(
      'fit replaces the model, repeating it changes nothing, a clone is unfitted',
      (first, second) => {
        const once = make().fit(second.X, second.y);
        const estimator = make().fit(first.X, first.y);
        expect(estimator.fit(second.X, second.y).fit(second.X, second.y)).toBe(estimator);
        expect(bytesOf(estimator)).toBe(bytesOf(once));
        expect(refusalOf(() => estimator.clone().predict(second.X)).code).toBe('E_NOT_FITTED');
        expect(estimator.clone().getParams()).toEqual(estimator.getParams());
        expect(estimator.kind).toBe(name.split(' ')[0]);
      },
    );

    check.prop([any])('fit, partialFit, merge, unlearn and decay return the same instance', ({ X, y }) => {
      const estimator = make();
      expect(estimator.fit(X, y)).toBe(estimator);
      expect(estimator.partialFit(X, y)).toBe(estimator);
      if (!estimator.capabilities.mergeable) return;
      expect(estimator.merge(make().fit(X, y) as never)).toBe(estimator);
      expect(estimator.unlearn(X, y)).toBe(estimator);
      expect(estimator.decay(2)).toBe(estimator);
    });

    check.prop([any, fc.nat()])('the same seed draws the same rows', ({ X, y }, seed) => {
      const estimator = make().fit(X, y);
      if (discriminative) {
        expect(refusalOf(() => estimator.sample(1, { seed })).code).toBe('E_CONFLICT');
        return;
      }
      expect(estimator.sample(3, { seed })).toEqual(estimator.sample(3, { seed }));
      expect(refusalOf(() => estimator.sample(1, { class: 'stranger' })).code).toBe('E_CLASS_UNKNOWN');
      const drawn = estimator.sample(3, { seed, class: y[0] });
      expect(drawn.y).toEqual([y[0], y[0], y[0]]);
      expect(estimator.predict(drawn.X)).toHaveLength(3);
    });
  });
}

function input(subject: Subject, any: fc.Arbitrary<Dataset>): void {
  const { make, columns, ample } = subject;
  const test = testOnce(subject);
  const sample = fc.sample(any, { numRuns: 20, seed: 7 }).find(({ X }) => X.length > 2 && X[0].length > 1)!;
  const { X, y } = sample;
  const spoiled = (value: unknown) => X.map((row, i) => (i === 1 ? row.with(1, value as number) : row));

  describe('input', () => {
    const faults: [string, () => unknown[], string][] = [
      ['X and y of different length', () => [X, y.slice(1)], 'E_SHAPE'],
      ['ragged rows', () => [X.with(1, X[1].slice(1)), y], 'E_SHAPE'],
      ['a flat array', () => [X.flat(), y], 'E_SHAPE'],
      ['no rows', () => [[], []], 'E_EMPTY_INPUT'],
      ['no features', () => [X.map(() => []), y], 'E_EMPTY_INPUT'],
      ['infinity', () => [spoiled(-Infinity), y], 'E_NOT_FINITE'],
      ['a string', () => [spoiled('1'), y], 'E_TYPE'],
      ['a boolean', () => [spoiled(true), y], 'E_TYPE'],
      ['a bigint', () => [spoiled(1n), y], 'E_TYPE'],
      ['a date', () => [spoiled(new Date(0)), y], 'E_TYPE'],
      ['a missing label', () => [X, (y as unknown[]).with(1, null)], 'E_LABEL_MISSING'],
      ['mixed labels', () => [X, (y as unknown[]).with(1, 5)], 'E_LABEL_TYPE'],
      ['fractional labels', () => [X, y.map((_, i) => i + 0.5)], 'E_LABEL_TYPE'],
      ['an ill-formed label', () => [X, y.with(1, '\ud800')], 'E_UNICODE'],
      ['too few weights', () => [X, y, { sampleWeight: [1] }], 'E_WEIGHT_SHAPE'],
      ['a negative weight', () => [X, y, { sampleWeight: y.map((_, i) => 1 - i) }], 'E_WEIGHT_INVALID'],
      ['weights of zero', () => [X, y, { sampleWeight: 0 }], 'E_WEIGHTS_ALL_ZERO'],
      ['an aborted signal', () => [X, y, { signal: AbortSignal.abort() }], 'E_CANCELLED'],
    ];
    if (!make().capabilities.missing) faults.push(['NaN', () => [spoiled(Number.NaN), y], 'E_NOT_FINITE']);
    if (make().capabilities.nonNegative) faults.push(['a negative count', () => [spoiled(-1), y], 'E_NEGATIVE']);

    test.each(faults)('%s: an error in training, and nothing changes', (_, make_, code) => {
      const [rows, labels, options] = make_() as [number[][], string[], { sampleWeight?: number[] }];
      for (const method of ['fit', 'partialFit', 'unlearn'] as const) {
        const estimator = make().fit(X, y);
        if (method === 'unlearn' && !estimator.capabilities.mergeable) continue;
        const before = bytesOf(estimator);
        expect(refusalOf(() => (estimator as MultinomialNB)[method](rows, labels, options)).code, method).toBe(code);
        expect(bytesOf(estimator)).toBe(before);
      }
    });

    test('an invalid cell is reported with row and column, in training and in prediction', () => {
      const { details } = refusalOf(() => make().fit(spoiled(Infinity), y));
      expect(details).toMatchObject({ row: 1, column: 1 });
      expect(refusalOf(() => make().fit(X, y).predict(spoiled(Infinity)))).toMatchObject({
        code: 'E_NOT_FINITE',
        details: { row: 1, column: 1 },
      });
    });

    test('another number of features is an error with both numbers, no rows give no results', () => {
      const estimator = make().fit(X, y);
      const wide = refusalOf(() => estimator.predict(X.map((row) => [...row, 0])));
      expect(wide).toMatchObject({
        code: 'E_FEATURE_COUNT',
        details: { expected: X[0].length, actual: X[0].length + 1 },
      });
      expect(estimator.predict([])).toEqual([]);
      expect(estimator.predictProba([])).toMatchObject({ rows: 0, cols: estimator.classes.length });
    });

    check.prop([any])('every container gives the same state and the same output', (dataset) => {
      const plain = make().fit(dataset.X, dataset.y);
      const joint = plain.predictJointLogProba(dataset.X).data;
      const names = dataset.X[0].map((_, j) => WORDS[j] ?? `column ${j}`);
      const containers: unknown[] = [Object.freeze(dataset.X.map((row) => Object.freeze([...row])))];
      if (!columns)
        containers.push(
          dataset.X.map((row) => Float64Array.from(row)),
          Matrix.from(dataset.X),
        );
      if (plain.capabilities.sparse) {
        containers.push(
          SparseMatrix.fromRows(
            dataset.X.map((row) => [...row.entries()].reverse()),
            names.length,
          ),
        );
      }
      for (const container of containers as number[][][]) {
        const estimator = make().fit(container, Object.freeze([...dataset.y]) as string[]);
        expect(bytesOf(estimator)).toBe(bytesOf(plain));
        expectIdentical(estimator.predictJointLogProba(container).data, joint);
      }
      const records = dataset.X.map((row) => Object.fromEntries(row.map((value, j) => [names[j], value])));
      const turned = records.map((row) => Object.fromEntries(Object.entries(row).reverse()));
      const named = make().fit(records, dataset.y);
      expectIdentical(named.predictJointLogProba(turned).data, joint);
      const byColumn = Object.fromEntries(names.map((column, j) => [column, dataset.X.map((row) => row[j])]));
      expect(bytesOf(make().fit(byColumn, dataset.y))).toBe(bytesOf(named));
    });

    test('named columns: a missing one and an extra one are errors, extra ones are ignored on request', () => {
      const records = X.map((row) => ({ a: row[0], b: row[1] }));
      const estimator = make().fit(records, y);
      const extra = records.map((row) => ({ ...row, c: 0 }));
      expect(refusalOf(() => estimator.predict(extra))).toMatchObject({
        code: 'E_FEATURE_UNKNOWN',
        details: { feature: 'c' },
      });
      if (!estimator.capabilities.missing) {
        const absent = records.map(({ a }) => ({ a }));
        expect(refusalOf(() => estimator.predict(absent))).toMatchObject({
          code: 'E_FEATURE_MISSING',
          details: { feature: 'b' },
        });
      }
      const lenient = make({ extra: 'ignore' }).fit(records, y);
      expect(lenient.predict(extra)).toEqual(estimator.predict(records));
    });

    test('labels may be integers or booleans and are returned as given', () => {
      const names = [...new Set(y)];
      const most = make().capabilities.multiclass ? 3 : 2;
      const numbers = make().fit(X, ample ? y.map((label) => names.indexOf(label)) : y.map((_, i) => i % most));
      expect(numbers.classes).toEqual(ample ? [...names.keys()] : [0, 1, 2].slice(0, most));
      const truths = make().fit(X, ample ? y.map((label) => label === names[0]) : y.map((_, i) => i % 2 === 0));
      expect(truths.classes).toEqual([false, true]);
      expect(typeof truths.predict(X)[0]).toBe('boolean');
      expect(refusalOf(() => numbers.partialFit(X, y)).code).toBe('E_LABEL_TYPE');
    });

    test('merging another family, other columns or other parameters is an error', () => {
      const estimator = make().fit(X, y);
      const { mergeable } = estimator.capabilities;
      const before = bytesOf(estimator);
      const others = [
        make().partialFit(
          X.map((row) => [...row, 0]),
          y,
        ),
        make({ extra: 'ignore' }).fit(X, y),
        { kind: 'Other' },
      ]; // prettier-ignore
      for (const other of others)
        expect(refusalOf(() => estimator.merge(other as never)).code).toBe(
          mergeable ? 'E_MERGE_MISMATCH' : 'E_CONFLICT',
        );
      expect(bytesOf(estimator)).toBe(before);
    });

    test('names from Object.prototype are ordinary labels, and it is not changed', () => {
      const keys = Object.getOwnPropertyNames(Object.prototype).join();
      const labels = X.map((_, i) => labelsOf({ make })[i % labelsOf({ make }).length]);
      const estimator = load(make().partialFit(X, labels).toBytes());
      expect(estimator.classes).toEqual([...new Set(labels)].sort());
      expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(keys);
    });
  });
}

function prediction(subject: Subject, any: fc.Arbitrary<Dataset>): void {
  const { make, cells, ample } = subject;
  const test = testOnce(subject);
  describe('prediction', () => {
    check.prop([any, any])(
      'does not change the state; rows one by one, in chunks or permuted give the same',
      (dataset, other) => {
        const estimator = make().fit(dataset.X, dataset.y);
        const before = bytesOf(estimator);
        const rows = other.X.map((row) => dataset.X[0].map((cell, j) => (j < row.length ? row[j] : cell)));
        const together = estimator.predictLogProba(rows).toArray();
        const alone = rows.map((row) => estimator.predictLogProba([row]).toArray()[0]);
        expectIdentical(alone.flat(), together.flat());
        const reversed = estimator.predictLogProba([...rows].reverse()).toArray();
        expectIdentical(reversed.flat(), [...together].reverse().flat());
        expect(bytesOf(estimator)).toBe(before);
      },
    );

    check.prop([any])('probabilities are valid, and predict returns the first of the highest', ({ X, y, w }) => {
      const estimator = make().fit(X, y, { sampleWeight: w });
      const { classes } = estimator;
      const proba = estimator.predictProba(X).toArray();
      const logProba = estimator.predictLogProba(X).toArray();
      const joint = estimator.predictJointLogProba(X).toArray();
      const predicted = estimator.predict(X);
      proba.forEach((row, i) => {
        expect(row.every((p) => p >= 0 && p <= 1)).toBe(true);
        expect(Math.abs(row.reduce((sum, p) => sum + p, 0) - 1)).toBeLessThanOrEqual(classes.length * 1e-15);
        expectIdentical(row, logProba[i].map(Math.exp));
        expect(predicted[i]).toBe(classes[logProba[i].indexOf(Math.max(...logProba[i]))]);
        const top = Math.max(...joint[i]);
        const evidence = top + Math.log(joint[i].reduce((sum, s) => sum + Math.exp(s - top), 0));
        expectClose(
          logProba[i],
          joint[i].map((s) => s - evidence),
          1e-12,
          Math.max(1, Math.abs(evidence)),
        );
      });
      expectClose(
        estimator.logEvidence(X),
        joint.map((row) => {
          const top = Math.max(...row);
          return top + Math.log(row.reduce((sum, s) => sum + Math.exp(s - top), 0));
        }),
        1e-12,
        1,
      ); // prettier-ignore
      expect(estimator.score(X, y)).toBeCloseTo(predicted.filter((label, i) => label === y[i]).length / y.length, 12);
    });

    check.prop([any])('contributions add up to the score', ({ X, y }) => {
      const estimator = make().fit(X, y);
      const rows = X.slice(0, 50); // explanations of more rows are redundant and slow
      const joint = estimator.predictJointLogProba(rows).toArray();
      estimator.explain(rows).forEach((explanation, i) => {
        const { prior, contributions, rest, score, label } = explanation;
        const sums = [...prior].map((start, c) =>
          contributions.reduce((sum, { byClass }) => sum + byClass[c], start + rest[c]),
        );
        expectClose(sums, joint[i], 1e-12, 10);
        expectClose(score, joint[i], 1e-12, 10);
        expect(explanation.classes).toContain(label);
      });
    });

    check.prop([cells, fc.integer({ min: 1, max: 5 })])(
      'constant features and one-row classes give finite probabilities',
      (cell, n) => {
        const X = Array.from({ length: n + 1 }, () => [cell, cell]);
        const estimator = make().partialFit(
          X,
          X.map((_, i) => (i === 0 ? 'one' : 'many')),
        ); // prettier-ignore
        if (ample && isTooFew(refusalOf(() => estimator.predict(X)).code)) return;
        for (const p of estimator.predictProba([...X, [cell, cell]]).data) expect(Number.isFinite(p)).toBe(true);
      },
    );

    test('a row of zeros gets a prediction, the prior if it has no evidence', () => {
      const estimator = make()
        .partialFit([[0, 0]], ['a'])
        .partialFit([[0, 0]], ['b']); // prettier-ignore
      if (ample) {
        expect(isTooFew(refusalOf(() => estimator.predict([[0, 0]])).code)).toBe(true);
        return;
      }
      const [p, q] = estimator.predictProba([[0, 0]]).data;
      if (estimator.capabilities.mergeable) expect([p, q]).toEqual([0.5, 0.5]);
      else expect(p + q).toBeCloseTo(1, 15); // for models that learn in order, the prior depends on the order
    });
  });
}

function persistence(subject: Subject, any: fc.Arbitrary<Dataset>): void {
  const { make } = subject;
  const test = testOnce(subject);
  describe('persistence', () => {
    check.prop([any])('a saved model loads, predicts and saves identically, and can learn further', ({ X, y, w }) => {
      const estimator = make().fit(X, y, { sampleWeight: w });
      const bytes = estimator.toBytes();
      const loaded = load<Estimator>(bytes);
      expect(loaded.getParams()).toEqual(estimator.getParams());
      expectIdentical(loaded.predictJointLogProba(X).data, estimator.predictJointLogProba(X).data);
      expect(Buffer.compare(loaded.toBytes(), bytes)).toBe(0);
      expect(bytesOf(loaded.partialFit(X, y))).toBe(bytesOf(estimator.partialFit(X, y)));
      expect(bytesOf(load<Estimator>(make().toBytes()))).toBe(bytesOf(make()));
    });

    test('every truncation and every flipped bit of a small file is an error', () => {
      const { X, y } = fc.sample(any, { numRuns: 1, seed: 3 })[0];
      const bytes = make().fit(X, y).toBytes();
      for (let length = 0; length < bytes.length; length++) {
        expect(refusalOf(() => load(bytes.subarray(0, length))).code).toBe('E_MODEL_CORRUPT');
      }
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = bytes.slice();
        flipped[bit >> 3] ^= 1 << (bit & 7);
        const { code } = refusalOf(() => load(flipped));
        // the first eight bytes are a length, which a flipped bit may raise above the limit
        expect(code === 'E_MODEL_CORRUPT' || (bit < 64 && code === 'E_MODEL_LIMIT'), `bit ${bit}: ${code}`).toBe(true);
      }
    });

    check.prop([fc.uint8Array({ maxLength: 200 })])('arbitrary bytes are an error', (bytes) => {
      expect(refusalOf(() => load(bytes)).code).toMatch(/^E_MODEL_/);
    });
  });
}

/** A row with its cells. */
interface Cells extends Row {
  readonly x: readonly number[];
}

/** Compares every sequence of operations with a plain list of rows. */
function checkSequences(subject: Subject): void {
  const { name, make, rounding } = subject;
  const { mergeable } = make().capabilities;
  const dataset = (rows: readonly Cells[]) =>
    [
      rows.map(({ x }) => [...x]),
      rows.map(({ label }) => label),
      { sampleWeight: rows.map(({ weight }) => weight) },
    ] as const;
  const more = (estimator: Estimator, rows: readonly Cells[]) => estimator.partialFit(...dataset(rows));
  const learned = (rows: readonly Cells[]) => (rows.length > 0 ? more(make(), rows) : make());
  const size = { rows: 0, features: 3, classes: 3 };
  const strange = (rows: readonly Cells[]) => rows.map((row) => ({ ...row, label: 'never learned' }));
  const heavier = (rows: readonly Cells[]) => rows.map((row) => ({ ...row, weight: row.weight + 1 }));
  const sequence: SequenceSubject<Estimator, Cells> = {
    fresh: () => make(),
    draw(random, count) {
      const { X, y, w } = largeDataset(subject, { ...size, rows: count }, random, [1, 1, 2, 3]);
      return X.map((x, i) => ({ x, label: y[i], weight: w[i] }));
    },
    starts: [1, 20],
    counts: [1, 2, 9, 100],
    learn: more,
    ...(mergeable && {
      unlearn: (estimator: Estimator, rows: readonly Cells[]) => estimator.unlearn(...dataset(rows)),
      merge: (into: Estimator, from: Estimator) => into.merge(from as never),
      halve: (estimator: Estimator) => estimator.decay(1),
    }),
    reload: (estimator) => load(estimator.toBytes()),
    expectRefusal(estimator, rows) {
      const before = bytesOf(estimator);
      for (const refused of [strange(rows), heavier(rows)]) {
        expect(refusalOf(() => estimator.unlearn(...dataset(refused))).code).toBe('E_UNLEARN_UNDERFLOW');
        expect(bytesOf(estimator)).toBe(before);
      }
    },
    expectAnswers(estimator, rows) {
      const expected = learned(rows);
      const [X] = dataset(rows.slice(0, 5));
      const refusal = refusalOf(() => expected.predictLogProba(X));
      expect(refusalOf(() => estimator.predictLogProba(X)).code).toBe(refusal.code);
      if (refusal.code !== 'accepted') return;
      expect(estimator.classes).toEqual(expected.classes);
      const [p, q] = [estimator.predictLogProba(X).data, expected.predictLogProba(X).data];
      if (rounding === 0) expectIdentical(p, q);
      else expectClose(p, q, rounding, 1);
    },
    expectState(estimator, rows) {
      if (rounding === 0) expect(bytesOf(estimator)).toBe(bytesOf(learned(rows)));
    },
  };
  check.prop([sequences(sequence, 10)], { numRuns: 8 })(
    `${name}: any sequence of operations gives the model of the remaining rows`,
    (steps) => runSequence(sequence, steps),
  );
}
