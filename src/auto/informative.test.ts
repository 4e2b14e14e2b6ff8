import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

const topics = {
  sport: ['goal', 'team', 'match', 'league', 'coach'],
  trade: ['stock', 'market', 'profit', 'shares', 'bank'],
  music: ['guitar', 'album', 'song', 'band', 'concert'],
};
const common = ['the', 'is', 'that', 'of', 'and', 'to', 'in', 'it', 'was', 'for'];

/** Texts of three topics: mostly words that all share, a few of the topic, and now and then a word that occurs once. */
const random = new Random(3);
const texts = Array.from({ length: 240 }, (_, i) => {
  const label = Object.keys(topics)[i % 3] as keyof typeof topics;
  const pick = (words: readonly string[]) => words[random.integer(words.length)];
  const shared = Array.from({ length: 12 + (label === 'sport' ? 4 : 0) }, () => pick(common));
  const own = Array.from({ length: 3 }, () => pick(topics[label]));
  return { text: [...shared, ...own, `once${i}`].join(' '), label };
});

test.each(['auto', 'multinomial', 'complement', 'bernoulli', 'dirichlet-multinomial'] as const)(
  'the words of each class come first, neither those that all share nor those that occur once: %s',
  (model) => {
    const classifier = Classifier.fit(texts, { target: 'label', model });
    const found = classifier.mostInformative({ k: 5 });
    for (const [label, words] of Object.entries(topics)) {
      const own = found.filter((term) => term.class === label);
      // a pool may put a pair of words such as "the goal" among them
      const known = own.filter(({ value }) => value?.split(' ').some((word) => words.includes(word)));
      expect(known.map(({ value }) => value)).toHaveLength(5);
      for (const { nats, logOdds, feature } of own) {
        expect(nats).toBeGreaterThan(0);
        expect(logOdds).toBeGreaterThan(1);
        expect(feature).toBe('text');
      }
    }
    expect(Classifier.load(classifier.save()).mostInformative({ k: 5 })).toEqual(found);
    expect(classifier.mostInformative({ class: 'music', k: 2 })).toEqual(
      found.filter((term) => term.class === 'music').slice(0, 2),
    );
    // @ts-expect-error the rows have no such class
    expect(refusalOf(() => classifier.mostInformative({ class: 'sports' })).code).toBe('E_CLASS_UNKNOWN');
  },
);

const table = Array.from({ length: 200 }, (_, i) => {
  const young = i % 2 === 0;
  return {
    age: (young ? 20 : 50) + random.integer(15),
    job: random.uniform() < 0.8 ? (young ? 'student' : 'manager') : 'clerk',
    noise: random.integer(5),
    buys: young ? 'game' : 'book',
  };
});

test.each(['auto', 'aode', 'tan'] as const)(
  'columns speak by levels and by ranges of numbers, with their information: %s',
  (model) => {
    const classifier = Classifier.fit(table, { target: 'buys', model });
    const [first, second] = classifier.mostInformative({ class: 'game', k: 2 });
    expect(first).toMatchObject({ feature: 'age', value: expect.stringMatching(/^< [34]\d/) });
    expect(second).toMatchObject({ feature: 'job', value: 'student' });
    if (model !== 'auto') return;
    const information = new Map(classifier.report().columns.map((column) => [column.name, column.information ?? 0]));
    expect(information.get('age')).toBeCloseTo(1, 2);
    expect(information.get('job')).toBeGreaterThan(0.5);
    expect(information.get('noise')).toBeLessThan(0.05);
  },
);

test('naive Bayes over columns lists the levels and means of all rows it has learned', () => {
  const classifier = Classifier.fit(table, { target: 'buys', model: 'mixed', kinds: { noise: 'ignored' } });
  const found = classifier.mostInformative({ class: 'book', k: 3 });
  expect(found.map(({ feature }) => feature).sort()).toEqual(['age', 'job']);
  expect(found.find(({ feature }) => feature === 'job')).toMatchObject({ value: 'manager' });
  expect(found.find(({ feature }) => feature === 'age')?.mean).toBeGreaterThan(50);
  classifier.partialFit(table.map((row) => ({ ...row, job: 'pilot', buys: 'book' })));
  const after = classifier.mostInformative({ class: 'book', k: 3 });
  expect(after.find(({ feature }) => feature === 'job')).toMatchObject({ value: 'pilot' });
});
