import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import type { ClassifierOptions } from './classifier-options.ts';
import { classifierModels } from './learner-families.ts';

const refusal = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

const vocabulary = ['free', 'prize', 'win', 'call', 'lunch', 'report', 'home', '会议', 'été', '__proto__'];

/** Rows of every kind of column, with blanks; labels and names are hostile. */
function makeRows(
  count: number,
  seed: number,
  classes: readonly string[] = ['a', '__proto__', 'constructor'],
): DataRow[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const c = random.integer(classes.length);
    const blank = () => random.uniform() < 0.15;
    const word = () => vocabulary[(random.integer(4) + 3 * c) % vocabulary.length];
    return Object.fromEntries([
      ['text', blank() ? '' : Array.from({ length: 1 + random.integer(6) }, word).join(' ')],
      ['__proto__', blank() ? null : ['red', 'blue', 'white'][(c + (blank() ? 1 : 0)) % 3]],
      ['7', blank() ? '?' : String(4 * c + random.integer(5))],
      ['size', blank() ? null : random.integer(9) / 4 + c],
      ['more', random.integer(6) + 2 * c],
      ['y', classes[c]],
    ]);
  });
}

const kinds = { text: 'text', ['__proto__']: 'category', '7': 'number', size: 'number', more: 'number' } as const;
const numbers = ['7', 'size', 'more'];

/** For every family the columns that it takes. */
const features: Readonly<Record<string, readonly string[]>> = {
  multinomial: ['text'],
  complement: ['text'],
  bernoulli: ['text'],
  'dirichlet-multinomial': ['text'],
  urn: ['text'],
  poisson: ['text'],
  gaussian: numbers,
  kernel: numbers,
  kde: numbers,
  lda: numbers,
  qda: numbers,
  rda: numbers,
  categorical: ['__proto__', ...numbers],
  tan: ['__proto__', ...numbers],
  aode: ['__proto__', ...numbers],
  waode: ['__proto__', ...numbers],
  kdb: ['__proto__', ...numbers],
  mixed: ['text', '__proto__', ...numbers],
};

/** Options without which the first rows would choose more than counts, and parts would not add up to the whole. */
const fixed: Readonly<Record<string, Partial<ClassifierOptions>>> = {
  kdb: { parents: 'previous', k: 2, selectColumns: false, concentration: 'likelihood' },
};

const models = classifierModels.filter((name) => name !== 'auto');
const base = makeRows(90, 1);

function optionsFor(model: (typeof models)[number], more: Partial<ClassifierOptions> = {}): ClassifierOptions {
  const own = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, features[model].includes(name) ? kind : 'ignored']),
  );
  // defineProperty semantics of fromEntries keep the hostile name an ordinary key
  return { target: 'y', model, kinds: own as ClassifierOptions['kinds'], evaluate: false, ...fixed[model], ...more };
}

/** Fits rows with the cuts, fills and kinds that the base rows settle. */
function fitAlike(model: (typeof models)[number], rows: readonly DataRow[], more: Partial<ClassifierOptions> = {}) {
  const { schema } = Classifier.fit(base, optionsFor(model, more));
  return Classifier.fit(rows, { target: 'y', model, schema, evaluate: false, ...fixed[model], ...more });
}

describe.each(models)('%s', (model) => {
  const exact = { reproducible: true };
  const first = makeRows(60, 2);
  const second = makeRows(50, 3);

  test('learning in two parts, merging two parts and learning all at once give the same bytes', () => {
    const whole = fitAlike(model, [...first, ...second], exact).save();
    expect(fitAlike(model, first, exact).partialFit(second).save()).toEqual(whole);
    expect(
      fitAlike(model, first, exact)
        .merge(fitAlike(model, second, exact))
        .save(),
    ).toEqual(whole);
    expect(
      fitAlike(model, second, exact)
        .merge(fitAlike(model, first, exact))
        .save(),
    ).toEqual(whole);
    expect(fitAlike(model, [...second, ...first].reverse(), exact).save()).toEqual(whole);
  });

  test('what is unlearned was never there, byte for byte', () => {
    const before = fitAlike(model, first, exact);
    const bytes = before.save();
    const stranger = [...second, { ...second[0], y: 'a class of its own', text: 'unheard words', more: 3 }];
    before.partialFit(stranger);
    expect(before.classes).toContain('a class of its own');
    expect(before.save()).not.toEqual(bytes);
    expect(before.unlearn([...stranger].reverse()).save()).toEqual(bytes);
    expect(() => before.unlearn(makeRows(200, 9))).toThrow(refusal('E_UNLEARN_UNDERFLOW'));
    expect(before.save()).toEqual(bytes);
  });

  test('a loaded model answers, explains and learns on as the one that was saved', () => {
    const one = fitAlike(model, first);
    const two = Classifier.load(one.save());
    expect(two.save()).toEqual(one.save());
    expect(two.learns).toBe(true);
    expect(two.classifyAll(second)).toEqual(one.classifyAll(second));
    expect(two.explain(second[0])).toEqual(one.explain(second[0]));
    expect(two.report()).toEqual(one.report());
    expect(two.partialFit(second).save()).toEqual(one.partialFit(second).save());
  });

  test('rows together and one by one are answered alike, and terms add up to the score', () => {
    const classifier = fitAlike(model, first);
    const bytes = classifier.save();
    expect(classifier.classifyAll(second)).toEqual(second.map((row) => classifier.classify(row)));
    for (const row of second.slice(0, 5)) {
      const { score, terms, rest } = classifier.explain(row);
      const log = classifier.predictLogProba([row]).row(0);
      const top = Math.max(...score);
      const total = top + Math.log(score.reduce((sum, value) => sum + Math.exp(value - top), 0));
      score.forEach((value, c) => {
        expect(value - total).toBeCloseTo(log[c], 8);
      });
      expect(rest.length).toBe(classifier.classes.length);
      for (const { feature } of terms) expect(features[model]).toContain(feature);
    }
    expect(classifier.save()).toEqual(bytes);
  });

  test('a stream in parts teaches what all rows at once teach', async () => {
    const all = [...first, ...second];
    const { schema } = Classifier.fit(base, optionsFor(model, exact));
    const parts = [all.slice(0, 40), [], all.slice(40, 41), all.slice(41)];
    const options = { target: 'y', model, schema, ...fixed[model], ...exact } as const;
    const streamed = await Classifier.fitStream(parts, options);
    expect(streamed.save()).toEqual(fitAlike(model, all, exact).save());
  });

  test('folds evaluate it, it is calibrated by them, and goes on learning', () => {
    const rows = [...base, ...first, ...second];
    const evaluated = Classifier.fit(rows, optionsFor(model, { evaluate: true, calibrate: true }));
    const { evaluation, calibration, learned } = evaluated.report();
    expect(evaluation!.rows).toBeGreaterThan(rows.length * 0.9);
    expect(evaluation!.accuracy).toBeGreaterThan(0.5);
    expect(calibration).toMatchObject({ on: 'out-of-fold scores', stale: false });
    expect(learned!.weight).toBe(rows.length);
    evaluated.partialFit(makeRows(20, 6));
    expect(evaluated.report().calibration!.stale).toBe(true);
    expect(Classifier.load(evaluated.save()).classifyAll(rows)).toEqual(evaluated.classifyAll(rows));
  });
});

test('any division of any rows, learned in any order, is the same classifier', () => {
  const pool = makeRows(40, 11);
  fc.assert(
    fc.property(
      fc.constantFrom(...(['multinomial', 'bernoulli', 'categorical', 'mixed', 'gaussian'] as const)),
      fc.shuffledSubarray(pool, { minLength: 2 }),
      fc.nat(),
      (model, rows, where) => {
        const cut = 1 + (where % (rows.length - 1));
        const [left, right] = [rows.slice(0, cut), rows.slice(cut)];
        fc.pre([left, right].every((part) => part.some(({ text }) => text !== ''))); // no words, nothing to learn
        const learn = (part: readonly DataRow[]) => fitAlike(model, part, { reproducible: true });
        const whole = learn(pool.filter((row) => rows.includes(row))).save();
        expect(learn(left).partialFit(right).save()).toEqual(whole);
        expect(learn(right).merge(learn(left)).save()).toEqual(whole);
        const more = learn(rows).partialFit(left).unlearn(left);
        expect(more.save()).toEqual(whole);
      },
    ),
    { numRuns: 40 },
  );
});
