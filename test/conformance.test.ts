import { describe, expect, test } from 'vitest';
import {
  BernoulliNB,
  ComplementNB,
  CountVectorizer,
  DirichletMultinomialNB,
  HashingVectorizer,
  load,
  MultinomialNB,
  makePipeline,
} from '../src/index.ts';

/** Ordinary inputs that are easy to get wrong; docs/conformance.md lists them with the results of other packages. */
const classifiers = {
  MultinomialNB: () => new MultinomialNB(),
  BernoulliNB: () => new BernoulliNB(),
  ComplementNB: () => new ComplementNB(),
  DirichletMultinomialNB: () => new DirichletMultinomialNB(),
};

const words = () => new CountVectorizer({ tokenizer: 'auto' });
const mail = ['win a prize now', 'lunch at noon', 'see you tomorrow', 'the report is done'];
const labels = ['spam', 'ham', 'ham', 'ham'];
const prototypeNames = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'name', 'then'];
const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(' ');

describe.each(Object.entries(classifiers))('%s after a vectorizer', (name, make) => {
  const model = () => makePipeline(words(), make());

  test.each(prototypeNames)('%s is an ordinary word', (word) => {
    const fitted = model().fit([`${word} getter method`, 'bread butter jam'], ['code', 'food']);
    expect(fitted.predict([word])).toEqual(['code']);
    expect(fitted.steps[0].getFeatureNamesOut()).toContain(word.toLowerCase());
    expect({}).not.toHaveProperty('getter'); // nothing was added to Object.prototype
  });

  test.each(prototypeNames)('%s is an ordinary label', (label) => {
    const fitted = model().fit(['loud bark', 'soft purr'], [label, 'cat']);
    expect(fitted.predict(['loud bark', 'soft purr'])).toEqual([label, 'cat']);
    expect(load<typeof fitted>(fitted.toBytes()).predict(['loud bark'])).toEqual([label]);
  });

  test('a document of 400,000 words has probabilities that sum to one, and the right label', () => {
    const fitted = model().fit(mail, labels);
    const long = repeated('lunch at noon today', 100_000);
    const [row] = fitted.predictProba([long]).toArray();
    expect(row.every(Number.isFinite)).toBe(true);
    expect(Math.abs(row[0] + row[1] - 1)).toBeLessThan(1e-15);
    expect(fitted.predict([long])).toEqual(['ham']);
  });

  test('an empty document gets the prior, and so do unknown words alone', () => {
    const fitted = model().fit(mail, labels);
    const [empty, blank, unknown] = fitted.predictProba(['', ' \n\t', 'zebra quagga okapi']).toArray();
    expect(blank).toEqual(empty);
    expect(unknown).toEqual(empty);
    const prior = { MultinomialNB: 0.75, DirichletMultinomialNB: 0.75, ComplementNB: 0.5 }[name]; // complement has no prior
    if (prior !== undefined) expect(Math.abs(empty[0] - prior)).toBeLessThan(1e-12);
    else expect(empty[0]).toBeGreaterThan(0.5); // Bernoulli: the absence of words is evidence as well
  });

  test('an unknown word changes nothing beside known ones', () => {
    const fitted = model().fit(mail, labels);
    const [known, more] = fitted.predictProba(['win a prize', 'win a quagga prize']).toArray();
    expect(more).toEqual(known);
  });

  test.each([
    [
      'Chinese',
      ['酒店很干净', '酒店的早餐', '手机很好用', '手机的电池'],
      ['hotel', 'hotel', 'phone', 'phone'],
      '手机',
      'phone',
    ],
    [
      'Arabic',
      ['فندق نظيف', 'فندق كبير', 'هاتف جديد', 'هاتف سريع'],
      ['hotel', 'hotel', 'phone', 'phone'],
      'هاتف',
      'phone',
    ],
    ['Hindi', ['होटल साफ', 'होटल बड़ा', 'फोन नया', 'फोन तेज'], ['hotel', 'hotel', 'phone', 'phone'], 'फोन', 'phone'],
    [
      'Thai',
      ['โรงแรมสะอาด', 'โรงแรมใหญ่', 'โทรศัพท์ใหม่', 'โทรศัพท์เร็ว'],
      ['hotel', 'hotel', 'phone', 'phone'],
      'โทรศัพท์',
      'phone',
    ],
    ['Greek capitals', ['ΞΕΝΟΔΟΧΕΙΟ καθαρό', 'τηλέφωνο νέο'], ['hotel', 'phone'], 'ξενοδοχειο', 'hotel'],
    ['emoji and Latin', ['naïve café ☕', 'straße groß'], ['drink', 'road'], 'STRASSE straße', 'road'],
  ])('%s is read', (_, texts, classes, question, answer) => {
    expect(model().fit(texts, classes).predict([question])).toEqual([answer]);
  });

  test('a reloaded model predicts and learns like the saved one, to the bit', () => {
    const saved = model().fit(mail, labels);
    const again = load<typeof saved>(saved.toBytes());
    const questions = ['a prize at noon', '', 'zebra'];
    expect(again.predictProba(questions).data).toEqual(saved.predictProba(questions).data);
    again.partialFit(['your parcel waits'], ['spam']);
    saved.partialFit(['your parcel waits'], ['spam']);
    expect(again.toBytes()).toEqual(saved.toBytes());
  });

  test('the order of classes and documents does not matter', () => {
    const there = model().fit(mail, labels);
    const back = model().fit([...mail].reverse(), [...labels].reverse());
    expect(back.classes).toEqual(['ham', 'spam']);
    expect(back.toBytes()).toEqual(there.toBytes());
  });

  test('a tie goes to the first class in sorted order', () => {
    for (const [texts, classes] of [
      [
        ['left word', 'right word'],
        ['b', 'a'],
      ],
      [
        ['right word', 'left word'],
        ['a', 'b'],
      ],
    ]) {
      expect(model().fit(texts, classes).predict(['word'])).toEqual(['a']);
    }
  });

  test('labels are returned as given: integers, booleans, the empty string', () => {
    expect(makePipeline(words(), make()).fit(['loud bark', 'soft purr'], [10, 2]).predict(['loud'])).toEqual([10]);
    expect(makePipeline(words(), make()).fit(['loud bark', 'soft purr'], [true, false]).predict(['loud'])).toEqual([
      true,
    ]);
    expect(makePipeline(words(), make()).fit(['loud bark', 'soft purr'], ['', 'cat']).predict(['loud'])).toEqual(['']);
  });
});

test('priors: counted, uniform, or given, and an empty document shows which', () => {
  const prior = (options: object) => {
    const model = makePipeline(new CountVectorizer(), new MultinomialNB(options)).fit(mail, labels);
    return Array.from(model.predictProba(['']).row(0), (share) => Math.round(share * 1e12) / 1e12);
  };
  expect(prior({})).toEqual([0.75, 0.25]);
  expect(prior({ fitPrior: false })).toEqual([0.5, 0.5]);
  expect(prior({ classPrior: [0.9, 0.1] })).toEqual([0.9, 0.1]);
  expect(prior({ priorAlpha: 1 })).toEqual([Math.round((4 / 6) * 1e12) / 1e12, Math.round((2 / 6) * 1e12) / 1e12]);
});

test('the same with hashed words', () => {
  const vectorizer = () => new HashingVectorizer({ nFeatures: 2 ** 12, alternateSign: false, norm: null });
  const model = makePipeline(vectorizer(), new MultinomialNB()).fit(
    ['constructor getter', 'bread butter'],
    ['code', 'food'],
  );
  expect(model.predict(['constructor', 'bread'])).toEqual(['code', 'food']);
});

test('a lone surrogate is an error, not counted', () => {
  const model = () => makePipeline(words(), new MultinomialNB()).fit(['ok \ud83d broken', 'fine'], ['a', 'b']);
  expect(model).toThrow(expect.objectContaining({ code: 'E_UNICODE' }));
});
