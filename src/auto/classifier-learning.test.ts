import { describe, expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { type ClassifierOptions, divide, gather, tableOfRows } from './classifier-options.ts';

const refusal = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

const words = ['free', 'prize', 'win', 'now', 'lunch', 'report', 'home', 'thanks', 'rare', 'rarer'];

function messages(count: number, seed: number, share = 0.75) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const c = i % 2;
    const word = () => words[random.uniform() < share ? 5 * c + random.integer(4) : random.integer(10)];
    return {
      text: Array.from({ length: 3 + random.integer(9) }, word).join(' '),
      hour: 10 + 4 * c + 3 * random.normal(),
      colour: ['red', 'blue'][random.uniform() < 0.7 ? c : 1 - c],
      copies: 1 + random.integer(3),
      label: c === 1 ? 'ham' : 'spam',
    };
  });
}

const rows = messages(60, 1);
const fresh = messages(40, 2);
const target = 'label';
const text: ClassifierOptions = { target, features: ['text'], model: 'multinomial', evaluate: false };
const table: ClassifierOptions = { target, features: ['hour', 'colour'], model: 'mixed', evaluate: false };

test('a weight of k is k copies of the row, of 0 its absence, and a blank is 1', () => {
  const weighed = { ...text, weight: 'copies', reproducible: true };
  const some = rows.map((row, i) => ({ ...row, copies: i === 5 ? 0 : i === 6 ? '' : row.copies }));
  const { schema } = Classifier.fit(some, weighed);
  const copies = some.flatMap((row, i) => Array.from({ length: i === 6 ? 1 : Number(row.copies) }, () => row));
  const given: ClassifierOptions = { target, model: 'multinomial', evaluate: false, reproducible: true, schema };
  const one = Classifier.fit(some, { ...given, weight: 'copies' });
  const other = Classifier.fit(copies, given);
  expect(one.predictLogProba(fresh).data).toEqual(other.predictLogProba(fresh).data);
  expect(one.report().learned).toEqual(other.report().learned);
  expect(one.partialFit(fresh).report().learned!.weight).toBe(
    copies.length + fresh.reduce((sum, row) => sum + row.copies, 0),
  );
  expect(Classifier.load(one.save()).unlearn(fresh).report().learned!.weight).toBe(copies.length);
  const half = other.clone().partialFit(fresh, { sampleWeight: 0.5 });
  expect(half.report().learned!.weight).toBe(copies.length + 20);
  expect(() => one.partialFit([{ text: 'x', copies: 'many', label: 'ham' }])).toThrow(
    refusal('E_WEIGHT_INVALID', { row: 0 }),
  );
});

test('what decays weighs less, and a clone goes its own way', () => {
  const classifier = Classifier.fit(rows, text);
  const copy = classifier.clone();
  classifier.decay(0.5);
  expect(classifier.report().learned!.weight).toBe(30);
  expect(copy.report().learned!.weight).toBe(60);
  const halves = Classifier.fit(
    rows.map((row) => ({ ...row, copies: 0.5 })),
    { ...text, weight: 'copies' },
  );
  expect(classifier.predictLogProba(fresh).data).toEqual(halves.predictLogProba(fresh).data);
  for (const factor of [0, -1, 2, Number.NaN]) {
    expect(() => copy.decay(factor)).toThrow(refusal('E_PARAM', { name: 'factor' }));
  }
  expect(copy.decay(1).save()).toEqual(Classifier.fit(rows, text).save());
});

describe('what cannot be learned changes nothing', () => {
  const classifier = Classifier.fit(rows, table);
  const bytes = classifier.save();
  const good = { hour: 3, colour: 'red', label: 'ham' };
  test.each([
    ['a word among numbers', [good, { ...good, hour: 'noon' }], 'E_TYPE', { row: 1, feature: 'hour' }],
    ['a row without a label', [good, { hour: 3, colour: 'red' }], 'E_LABEL_MISSING', { row: 1 }],
    ['a label of another type', [{ ...good, label: 3 }], 'E_LABEL_TYPE', {}],
    ['a label that is a list', [{ ...good, label: ['ham'] }], 'E_LABEL_TYPE', { row: 0 }],
    ['no rows', [], 'E_EMPTY_INPUT', {}],
    ['half a letter', [good, { ...good, colour: '\ud800' }], 'E_UNICODE', {}],
    ['rows without names', [good, [1, 2]], 'E_TYPE', { row: 1 }],
  ] as const)('%s', (_, batch, code, details) => {
    expect(() => classifier.partialFit(batch as never)).toThrow(refusal(code, details));
    expect(classifier.save()).toEqual(bytes);
  });

  test('work that is cancelled', () => {
    const signal = AbortSignal.abort();
    for (const method of ['partialFit', 'unlearn'] as const) {
      expect(() => classifier[method](rows, { signal })).toThrow(refusal('E_CANCELLED'));
      expect(classifier.save()).toEqual(bytes);
    }
    expect(() => Classifier.fit(rows, { ...text, signal })).toThrow(refusal('E_CANCELLED'));
  });

  test('rows that were never learned', () => {
    expect(() => classifier.unlearn([{ ...good, label: 'eggs' }])).toThrow(
      refusal('E_UNLEARN_UNDERFLOW', { class: 'eggs' }),
    );
    expect(() => classifier.unlearn([{ ...good, colour: 'violet' }])).toThrow(refusal('E_UNLEARN_UNDERFLOW'));
    const texts = Classifier.fit(rows, text);
    const before = texts.save();
    expect(() => texts.unlearn([{ text: 'never met', label: 'ham' }])).toThrow(refusal('E_UNLEARN_UNDERFLOW'));
    expect(texts.save()).toEqual(before);
  });

  test('a classifier of another family, schema, option or target', () => {
    const mismatch = refusal('E_MERGE_MISMATCH');
    const { schema } = classifier;
    const others: ClassifierOptions[] = [
      { ...table, features: ['hour'] },
      { ...table, alpha: 0.5 },
      { ...table, families: { hour: 'bins' } },
      { ...table, priors: 'uniform' },
      { ...table, features: ['hour'], model: 'gaussian' },
      text,
    ];
    for (const options of others) {
      expect(() => classifier.merge(Classifier.fit(rows, options))).toThrow(mismatch);
      expect(classifier.save()).toEqual(bytes);
    }
    const renamed = rows.map(({ label, ...row }) => ({ ...row, verdict: label }));
    expect(() => classifier.merge(Classifier.fit(renamed, { ...table, target: 'verdict' }))).toThrow(mismatch);
    const wrong = refusal('E_PARAM', { name: 'schema' });
    expect(() => Classifier.fit(rows, { ...table, schema, target: 'verdict' })).toThrow(wrong);
    expect(() => Classifier.fit(rows, { ...table, schema, features: ['hour'] })).toThrow(wrong);
    expect(() => Classifier.fit(rows, { ...table, schema, kinds: { hour: 'number' } })).toThrow(wrong);
    expect(Classifier.fit(rows, { ...table, schema }).save()).toEqual(bytes);
  });
});

test('a slim model answers as before and refuses to learn', () => {
  const ensemble = Classifier.fit(rows, { target, features: ['hour'] });
  const counting = Classifier.fit(rows, text);
  const slim = Classifier.load(counting.save({ slim: true }));
  expect(slim.learns).toBe(false);
  expect(slim.classifyAll(fresh)).toEqual(counting.classifyAll(fresh));
  expect(slim.explain(fresh[0])).toEqual(counting.explain(fresh[0]));
  expect(slim.save({ slim: true })).toEqual(counting.save({ slim: true }));
  expect(slim.report()).toMatchObject({ classes: ['ham', 'spam'], learned: null });
  for (const model of [Classifier.load(ensemble.save({ slim: true })), slim]) {
    expect(model.learns).toBe(false);
    const act = [
      () => model.partialFit(rows),
      () => model.unlearn(rows),
      () => model.merge(counting),
      () => model.decay(0.5),
      () => counting.merge(model),
    ];
    for (const work of act) expect(work).toThrow(refusal('E_CONFLICT'));
  }
  expect(() => slim.partialFit(rows)).toThrow(/saved without counts/);
});

test.each([
  ['text', { ...text, evaluate: true, minDf: 2 }],
  ['columns', { ...table, evaluate: true }],
  ['cuts', { target, features: ['hour', 'colour'], model: 'categorical' }],
  ['fills', { target, features: ['hour'], model: 'lda' }],
  ['text and columns', { target, features: ['text', 'hour'], model: 'mixed' }],
] as const)('the evaluation of %s is what refitting for every fold by hand gives', (_, options) => {
  const some = rows.map((row, i) => (i % 9 === 0 ? { ...row, hour: null } : row));
  const { evaluation } = Classifier.fit(some, options as ClassifierOptions).report();
  const { folds } = divide(gather(tableOfRows(some), options as ClassifierOptions, true), 0);
  const kinds = { text: 'text', hour: 'number', colour: 'category' } as const;
  const used = Object.fromEntries(
    Object.entries(kinds).filter(([name]) => (options.features as readonly string[]).includes(name)),
  );
  let [right, loss] = [0, 0];
  for (let fold = 0; fold < 5; fold++) {
    const learn = some.filter((_, i) => folds[i] !== fold);
    const held = some.filter((_, i) => folds[i] === fold);
    const own = Classifier.fit(learn, { ...options, kinds: used, evaluate: false } as ClassifierOptions);
    own.classifyAll(held).forEach(({ label, probabilities }, k) => {
      if (label === held[k].label) right++;
      loss -= Math.log(probabilities.find((each) => each.label === held[k].label)!.probability);
    });
  }
  expect(evaluation!.accuracy).toBe(right / some.length);
  expect(evaluation!.logLoss).toBeCloseTo(loss / some.length, 9);
});

describe('a stream', () => {
  const parts = [rows.slice(0, 25), rows.slice(25, 26), rows.slice(26)];
  const kinds = { text: 'text', hour: 'ignored', colour: 'ignored', copies: 'ignored' } as const;
  const options: ClassifierOptions = { target, model: 'multinomial', kinds };

  test('comes as it comes, and rules about words apply to the whole', async () => {
    async function* arriving() {
      for (const part of parts) yield part;
    }
    const given = { ...options, minDf: 5, maxFeatures: 8 };
    const streamed = await Classifier.fitStream(arriving(), given);
    const whole = Classifier.fit(rows, { ...given, evaluate: false });
    expect(streamed.predictLogProba(fresh).data).toEqual(whole.predictLogProba(fresh).data);
    expect(streamed.report()).toMatchObject({
      evaluation: null,
      learned: { weight: 60 },
      summary: whole.report().summary,
    });
    expect(streamed.learns).toBe(true);
  });

  test.each(['multinomial', 'mixed'] as const)('may begin with texts without words: %s', async (model) => {
    const wordless = rows.slice(0, 12).map((row) => ({ ...row, text: '! ?' }));
    const own = {
      target,
      model,
      features: model === 'mixed' ? ['text', 'hour'] : ['text'],
      kinds: { text: 'text' },
    } as const;
    const streamed = await Classifier.fitStream([wordless.slice(0, 6), wordless.slice(6), rows], own);
    const whole = Classifier.fit([...rows, ...wordless], { ...own, evaluate: false });
    const [a, b] = [streamed, whole].map((one) => one.predictLogProba(fresh).data);
    for (const [i, value] of a.entries()) expect(value).toBeCloseTo(b[i], 10);
    expect(streamed.report().learned!.weight).toBe(72);
    await expect(Classifier.fitStream([wordless], own)).rejects.toThrow(refusal('E_EMPTY_INPUT', { features: 0 }));
  });

  test('counts rows from its beginning when one of them is refused', async () => {
    const torn = [...parts.slice(0, 2), [rows[26], { ...rows[27], label: undefined }]];
    await expect(Classifier.fitStream(torn, options)).rejects.toThrow(refusal('E_LABEL_MISSING', { row: 27 }));
    await expect(Classifier.fitStream(torn, options)).rejects.toThrow(/row 27/);
  });

  test('is not chosen for, not evaluated and not empty', async () => {
    await expect(Classifier.fitStream(parts, { target })).rejects.toThrow(refusal('E_PARAM', { name: 'model' }));
    await expect(Classifier.fitStream(parts, { ...options, calibrate: true })).rejects.toThrow(
      refusal('E_PARAM', { name: 'calibrate' }),
    );
    await expect(Classifier.fitStream([], options)).rejects.toThrow(refusal('E_EMPTY_INPUT'));
    await expect(Classifier.fitStream(parts, { ...options, signal: AbortSignal.abort() })).rejects.toThrow(
      refusal('E_CANCELLED'),
    );
  });
});

describe.each([
  ['text', ['text']],
  ['columns', ['hour', 'colour']],
  ['text and columns', ['text', 'hour', 'colour']],
])('the ensemble of %s', (_, features) => {
  const ensemble = Classifier.fit(rows, { target, features, seed: 3 });
  const answers = (model: Classifier) => Array.from(model.predictLogProba(fresh).data);
  const labelled = rows.slice(0, 20);
  const weightOf = (model: Classifier) => model.report().learned!.weight;

  test('learns, and unlearning what was just learned restores every prediction to the bit', () => {
    const model = ensemble.clone();
    expect(model.learns).toBe(true);
    expect(weightOf(model.partialFit(labelled))).toBe(weightOf(ensemble) + 20);
    expect(answers(model)).not.toEqual(answers(ensemble));
    expect(answers(model.unlearn(labelled))).toEqual(answers(ensemble));
    expect(weightOf(model)).toBe(weightOf(ensemble));
  });

  test('learns in any order and in parts, saved in between', () => {
    const [a, b] = [rows.slice(5, 25), rows.slice(30, 60)];
    const forward = Classifier.load(ensemble.clone().partialFit(a).save()).partialFit(b);
    const backward = ensemble.clone().partialFit(b).partialFit(a);
    const blank = Classifier.load(ensemble.blank().save());
    expect(() => blank.predict(rows)).toThrow(refusal('E_NOT_FITTED'));
    const merged = ensemble.clone().merge(Classifier.load(blank.partialFit([...b, ...a]).save()));
    expect(answers(backward)).toEqual(answers(forward));
    expect(answers(merged)).toEqual(answers(forward));
  });

  test('without some of its training rows it is what the others teach', () => {
    const left = ensemble.clone().unlearn(labelled);
    expect(answers(left)).toEqual(answers(ensemble.blank().partialFit(rows.slice(20))));
  });

  test('learns a new class, explains it, exports it in a file, and forgets it', () => {
    const odd = labelled.map((row, i) => ({
      ...row,
      text: `zebra giraffe${i}`,
      colour: 'stripes',
      [target]: 'animal',
    }));
    const model = ensemble.clone().partialFit(odd);
    expect(model.classes).toEqual(['animal', ...ensemble.classes]);
    const loaded = Classifier.load(model.save());
    expect(loaded.predictLogProba(fresh)).toEqual(model.predictLogProba(fresh));
    for (const row of model.predictProba(fresh).toArray()) {
      expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
    expect(model.explain(fresh[0]).classes).toEqual(model.classes);
    if (features.includes('text')) expect(model.predict([odd[0]])).toEqual(['animal']);
    expect(answers(loaded.unlearn(odd))).toEqual(answers(ensemble));
  });

  test.each(['animal', 'zoo'])('a file keeps the new class %s, before and behind the others', (label) => {
    const model = ensemble.clone().partialFit(labelled.map((row) => ({ ...row, [target]: label })));
    const loaded = Classifier.load(model.save());
    expect(loaded.classes).toEqual([...ensemble.classes, label].sort());
    expect(loaded.predictLogProba(fresh)).toEqual(model.predictLogProba(fresh));
    expect(Classifier.load(model.save({ slim: true })).classes).toEqual(loaded.classes);
  });

  test('rows that were never learned are refused, and nothing changes', () => {
    const model = ensemble.clone();
    const strange = { ...rows[0], text: 'never heard', hour: 1e6, colour: 'unknown', [target]: 'spam' };
    expect(() => model.unlearn([rows[0], ...Array.from({ length: 90 }, () => strange)])).toThrow(
      refusal('E_UNLEARN_UNDERFLOW'),
    );
    expect(answers(model)).toEqual(answers(ensemble));
  });

  test('weakens what was learned, and merges only with what was fitted like it', () => {
    expect(weightOf(ensemble.clone().decay(0.5))).toBe(weightOf(ensemble) / 2);
    const other = Classifier.fit(rows.slice(0, 60), { target, features, seed: 4 });
    expect(() => ensemble.clone().merge(other)).toThrow(refusal('E_MERGE_MISMATCH'));
  });
});

test('one class is certain, and the first row of another one is learned', () => {
  const alike = rows.filter(({ label }) => label === 'ham');
  const classifier = Classifier.fit(alike, { target, features: ['text'], model: 'multinomial' });
  expect(classifier.report().evaluation).toBeNull();
  expect(classifier.classify({ text: 'lunch' })).toMatchObject({ label: 'ham', probability: 1 });
  classifier.partialFit(rows.slice(0, 1));
  expect(classifier.classes).toEqual(['ham', 'spam']);
  expect(classifier.report().warnings.map(({ kind, about }) => `${kind} ${about}`)).toContain('small-class spam');
});

test('one row is enough, and columns that are asked for are taken', () => {
  const [first] = rows;
  for (const options of [
    { features: ['text'], model: 'multinomial' },
    { features: ['hour'], model: 'gaussian' },
    { features: ['text', 'hour', 'colour'], model: 'mixed' },
    { features: ['colour'], model: 'bernoulli' },
  ] as const) {
    const classifier = Classifier.fit([first], { target, evaluate: false, ...options });
    expect(classifier.classify(first)).toMatchObject({ label: 'spam', probability: 1 });
    const more = Classifier.fit(rows.slice(0, 1), {
      target,
      evaluate: false,
      model: options.model,
      schema: classifier.schema,
    });
    expect(classifier.partialFit(rows.slice(1)).save()).toEqual(more.partialFit(rows.slice(1)).save());
    expect(classifier.classes).toEqual(['ham', 'spam']);
  }
  expect(() => Classifier.fit([first], { target, model: 'mixed' })).toThrow(refusal('E_EMPTY_INPUT'));
});

test('labels keep their type', () => {
  const labelled = <L>(name: (row: (typeof rows)[0]) => L) => rows.map((row) => ({ ...row, label: name(row) }));
  const numbers = Classifier.fit<number>(
    labelled(({ label }) => (label === 'ham' ? -1 : 10)),
    text,
  );
  expect(numbers.classes).toEqual([-1, 10]);
  const flags = Classifier.fit<boolean>(
    labelled(({ label }) => label === 'ham'),
    { ...text, priors: { true: 1, false: 3 } },
  );
  expect(flags.classes).toEqual([false, true]);
  expect(Classifier.load<boolean>(flags.save()).classify({ text: '' }).probabilities[0]).toMatchObject({
    label: false,
  });
  expect(() => flags.partialFit(rows)).toThrow(refusal('E_CLASS_UNKNOWN'));
  expect(() => numbers.partialFit(rows)).toThrow(refusal('E_LABEL_TYPE'));
});

test('answers with calibration sum to one', () => {
  const classifier = Classifier.fit(rows, { ...text, calibrate: 'sigmoid' });
  for (const { probabilities } of classifier.classifyAll(fresh)) {
    expectClose([probabilities.reduce((sum, { probability }) => sum + probability, 0)], [1], 1e-12);
  }
  expect(classifier.report()).toMatchObject({ evaluation: null, calibration: { method: 'sigmoid', rows: 60 } });
});
