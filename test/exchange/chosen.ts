import { readFrame, TrainingRows } from '../../src/auto/records.ts';
import { linear, naiveBayes, weighted } from '../../src/auto/records-candidates.ts';
import { ColumnPool, type Member } from '../../src/auto/records-pool.ts';
import { featuresOf, inferSchema, type Schema } from '../../src/auto/schema.ts';
import { decodeState, encodeState, type State } from '../../src/core/artifact.ts';
import { RecordTable } from '../../src/data/column-table.ts';
import { Classifier, type ClassifierOptions, CountVectorizer, MultinomialNB } from '../../src/index.ts';
import type { Random } from '../../src/math/random.ts';
import { pick, type Subject, text, times } from './draws.ts';

const FLOWERS = ['red', 'blue', 'white'];

/** Three classes that depend on two numbers and a word, some cells missing, and a text. */
export function records(random: Random, rows: number, kinds: 'columns' | 'text' | 'both'): Record<string, unknown>[] {
  return times(rows, (i) => {
    const c = i % 3;
    const columns = {
      length: random.uniform() < 0.1 ? null : (2 * c + random.normal()).toFixed(3),
      __width: c === 1 ? 2 * random.normal() : random.normal(),
      colour: random.uniform() < 0.1 ? ' ' : FLOWERS[(c + (random.uniform() < 0.3 ? 1 : 0)) % 3],
      visits: random.integer(3 + 2 * c),
    };
    const said = {
      review: `${text(random)} ${times(4, () => pick(random, [FLOWERS[c], 'and', 'été', 'noon'])).join(' ')}`,
    };
    return { ...(kinds !== 'text' && columns), ...(kinds !== 'columns' && said), class: ['a', 'b', '__proto__'][c] };
  });
}

/** Numbers that separate two classes, with a random label in one row of eight: probabilities level off below 1. */
function noisy(random: Random, rows: number): Record<string, unknown>[] {
  return times(rows, (i) => {
    const c = i % 2;
    const label = random.uniform() < 0.25 ? random.integer(2) : c;
    return { a: 3 * c + random.normal(), b: 3 * c + random.normal(), class: label === 1 };
  });
}

/** A classifier of one part, from the state of a file. */
function loaded(
  step: State,
  report: { classes: readonly string[]; schema: Schema; tried: readonly never[] },
): Classifier {
  const names = report.schema.columns.filter(({ role }) => role === 'feature').map(({ name }) => name);
  const learned = { report, weights: [1], bias: report.classes.map(() => 0), columns: [names] };
  const state = { kind: 'Classifier', params: { reject: 0 }, learned, arrays: {}, steps: [step] };
  return Classifier.load(encodeState(state as never));
}

/** A classifier of columns with one member. */
function ofOneMember(
  rows: Record<string, unknown>[],
  classes: readonly string[],
  learn: (training: TrainingRows) => Member,
): Classifier {
  const schema = inferSchema(rows, { target: 'class' });
  const columns = featuresOf(schema, 'columns');
  const codes = Int32Array.from(rows, (row) => classes.indexOf(row.class as string));
  const readings = columns.map(({ levels }) => (levels ? 'level' : 'number'));
  const frame = readFrame(new RecordTable(rows), columns);
  const member = learn(new TrainingRows(frame, codes, classes.length, readings));
  const weights = { weights: Float64Array.of(1), bias: new Float64Array(classes.length) };
  return loaded(new ColumnPool([member], weights, undefined).toState(), { classes, schema, tried: [] });
}

const NUMBERS = ['length', '__width', 'visits'];

/** A classifier of one family, with the columns that it takes. */
function family(
  model: NonNullable<ClassifierOptions['model']>,
  features: readonly string[] | undefined,
  options: Partial<ClassifierOptions> = {},
): Subject {
  return {
    name: `Classifier, ${model}${features ? ` of ${features.join(', ')}` : ''} ${JSON.stringify(options)}`,
    draw(random) {
      const rows = records(random, 90, 'both').map((row) => ({
        ...row,
        bought: random.uniform() < 0.5 ? 'TRUE' : false,
      }));
      const fitted = Classifier.fit(rows, { target: 'class', model, features, evaluate: false, ...options });
      return {
        model: fitted,
        rows: [...rows.slice(0, 8), {}, { colour: 'x' }, { review: 5, visits: '3', length: 'na' }],
      };
    },
  };
}

/** Two classes that depend on words for true, false and missing cells, as files write them. */
function answered(random: Random, rows: number): Record<string, unknown>[] {
  return times(rows, (i) => {
    const yes = random.uniform() < (i % 2 === 0 ? 0.8 : 0.3);
    return {
      paid: random.uniform() < 0.1 ? 'N/A' : pick(random, yes ? ['yes', 'Yes', 'YES', 'y'] : ['no', 'No', 'n']),
      shop: pick(random, ['NA', '?', '', ...(i % 2 === 0 ? ['north', 'south'] : ['south', 'east'])]),
      visits: String(random.integer(3 + (i % 2))),
      class: i % 2 === 0 ? 'a' : 'b',
    };
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Two classes that depend on dates and on numbers with signs and separators, some of them nested. */
function written(random: Random, rows: number): Record<string, unknown>[] {
  return times(rows, (i) => {
    const side = i % 2;
    const day = new Date(Date.UTC(2021 + side, random.integer(12), 1 + random.integer(28), random.integer(24)));
    const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
    const amount = (1000 * random.uniform() + 900 * side).toFixed(2);
    return {
      seen: pick(random, [
        day.toISOString(),
        `${date}.${month + 1}.${year}`,
        `${date} ${MONTHS[month]} ${year}`,
        day,
        '-',
      ]),
      user: { paid: random.uniform() < 0.1 ? 'n/a' : `$${amount.replace(/\B(?=(\d{3})+\.)/g, ',')}` },
      share: `${(10 * random.uniform() + 4 * side).toFixed(1).replace('.', ',')} %`,
      class: side === 0 ? 'a' : 'b',
    };
  });
}

/** Two classes that depend on three columns together, of which no two are informative; a fourth is noise. */
function together(random: Random, rows: number): Record<string, unknown>[] {
  return times(rows, () => {
    const cells = times(3, () => random.integer(3));
    const odd = cells.reduce((sum, cell) => sum + cell, 0) % 2 === 1;
    const [a, b, c] = cells.map((cell) => (random.uniform() < 0.02 ? null : FLOWERS[cell]));
    return { a, b, c, d: pick(random, FLOWERS), class: random.uniform() < 0.05 ? !odd : odd };
  });
}

/** Two classes that differ in amounts, shares and directions, none of them normal. */
function amounts(random: Random, rows: number): Record<string, unknown>[] {
  return times(rows, (i) => {
    const c = i % 2;
    return {
      income: Math.exp(c + (1 + c) * random.normal()).toFixed(4),
      wait: random.uniform() < 0.1 ? '' : -(1 + 2 * c) * Math.log1p(-random.uniform()),
      rain: random.uniform() < 0.3 + 0.2 * c ? 0 : Math.exp(0.5 * c + random.normal()),
      angle: ((1 + c + random.normal()) % Math.PI) + Math.PI,
      share: 0.02 + 0.96 * random.uniform() ** (1 + c),
      class: c === 0 ? 'a' : 'b',
    };
  });
}

const oddRows = [
  {},
  { seen: 'soon', share: '12.5' },
  { seen: '31.2.2022', user: { paid: 12.5 } },
  { 'user.paid': '1,2' },
];

/** Classifiers of dates and of numbers as people write them, which not every format can carry. */
export const writtenCells: readonly Subject[] = (['auto', 'mixed', 'categorical', 'lda'] as const).map((model) => ({
  name: `Classifier of dates and money, ${model}`,
  draw(random) {
    const rows = written(random, 120);
    return { model: Classifier.fit(rows, { target: 'class', model }), rows: [...rows.slice(0, 12), ...oddRows] };
  },
}));

/** Classifiers that select their model, and pools of text scorers; they take longer to fit. */
export const chosen: readonly Subject[] = [
  ...(['columns', 'both', 'text'] as const).map(
    (kinds): Subject => ({
      name: `Classifier of ${kinds}, auto`,
      draw(random) {
        const rows = records(random, 150, kinds);
        const state = Classifier.fit(rows, { target: 'class' }).toState({ slim: true }); // an export sums in this order, counts in another one
        return { model: Classifier.fromState(state), rows: [...rows.slice(0, 8), {}, { colour: 'x' }] };
      },
    }),
  ),
  {
    name: 'Classifier of columns that decide together, auto',
    draw(random) {
      const rows = together(random, 1100);
      return {
        model: Classifier.fit(rows, { target: 'class' }),
        rows: [...rows.slice(0, 40), {}, { a: 'x', b: 'red' }],
      };
    },
  },
  ...(['mixed', 'categorical', 'tan'] as const).map(
    (model): Subject => ({
      name: `Classifier of yes, no and NA, ${model}`,
      draw(random) {
        const rows = answered(random, 90);
        const fitted = Classifier.fit(rows, { target: 'class', model, evaluate: false });
        return { model: fitted, rows: [...rows.slice(0, 12), { paid: true, shop: 'null' }, { paid: 'T', shop: '-' }] };
      },
    }),
  ),
  family('mixed', undefined),
  family('mixed', undefined, { families: { visits: 'bins' }, priors: 'uniform', calibrate: 'temperature' }),
  family('gaussian', NUMBERS, { calibrate: 'sigmoid' }),
  family('kernel', NUMBERS),
  family('poisson', ['visits']),
  family('lda', NUMBERS),
  family('lda', NUMBERS, { priors: { a: 0.5, b: 0.25, ['__proto__']: 0.25 } }),
  family('rda', NUMBERS, { calibrate: 'isotonic' }),
  family('categorical', ['colour', 'visits', 'length']),
  family('tan', ['colour', 'visits', 'length']),
  family('waode', ['colour', 'visits'], { priors: 'uniform' }),
  family('multinomial', ['review'], { calibrate: true }),
  family('complement', ['review']),
  family('bernoulli', ['bought', 'visits']),
  ...[1, 3].map(
    (curves): Subject => ({
      name: `Classifier on ${curves} isotonic lines`,
      draw(random) {
        const rows = curves === 1 ? noisy(random, 90) : records(random, 90, 'columns');
        const state = decodeState(Classifier.fit(rows, { target: 'class' }).toBytes());
        const line = () => ({ x: [-2, -1, 0.5, 3], y: [0, 0.1, 0.1, random.uniform()].sort((p, q) => p - q) });
        const lines = {
          classes: (state.learned.report as { classes: string[] }).classes.length,
          parts: times(curves, line),
        };
        const pool = { ...state.steps?.[0], learned: { ...state.steps?.[0].learned, curves: lines } };
        const model = Classifier.load(encodeState({ ...state, steps: [pool] } as never));
        return { model, rows: [...rows.slice(0, 20), {}] };
      },
    }),
  ),
  {
    name: 'Classifier of one linear member',
    draw(random) {
      const rows = records(random, 60, 'columns');
      const model = ofOneMember(rows, ['__proto__', 'a', 'b'], (training) =>
        linear('lda', false).fit(training)[0].heavy(2),
      );
      return { model, rows: [...rows.slice(0, 8), {}] };
    },
  },
  {
    name: 'Classifier of weighted columns and pairs',
    draw(random) {
      const isTurned = ({ colour, visits }: Record<string, unknown>) => colour === 'red' && (visits as number) > 1;
      const rows = records(random, 300, 'columns').map((row) => ({ ...row, class: isTurned(row) ? 'a' : row.class }));
      const model = ofOneMember(rows, ['__proto__', 'a', 'b'], (training) => weighted().fit(training)[0]);
      return { model, rows: [...rows.slice(0, 8), {}, { colour: 'x' }, { colour: 'x', length: 9, visits: 99 }] };
    },
  },
  {
    name: 'Classifier of one member with distributions',
    draw(random) {
      const rows = amounts(random, 120);
      const families = ['lognormal', 'gamma', 'zeroinflatedlognormal', 'vonmises', 'beta'];
      const bayes = naiveBayes('naive Bayes', (column) => families[column]);
      const model = ofOneMember(rows, ['a', 'b'], (training) => bayes.fit(training)[0]);
      const odd = [{}, { income: -1, wait: 0, rain: 0 }, { income: 0, wait: -3, rain: 1e9, angle: 40, share: 1 }];
      return { model, rows: [...rows.slice(0, 20), ...odd] };
    },
  },
  {
    name: 'Classifier of two classes on a line',
    draw(random) {
      const rows = noisy(random, 200);
      const calibrate = pick(random, ['isotonic', 'sigmoid'] as const);
      const model = Classifier.fit(rows, { target: 'class', model: 'gaussian', calibrate });
      return { model, rows: [...rows.slice(0, 20), {}] };
    },
  },
  {
    name: 'Classifier that learned a class after its fit',
    draw(random) {
      const rows = records(random, 90, 'columns');
      const later = records(random, 30, 'columns').map((row) => ({ ...row, visits: 9, class: 'Z' }));
      const model = Classifier.fit(rows, { target: 'class' }).partialFit(later);
      return { model, rows: [...rows.slice(0, 8), ...later.slice(0, 4), {}] };
    },
  },
  {
    name: 'Classifier of a first format, by the words of a text',
    draw(random) {
      const rows = records(random, 40, 'text');
      const texts = rows.map(({ review }) => review as string);
      const vectorizer = new CountVectorizer();
      const estimator = new MultinomialNB().fit(
        vectorizer.fitTransform(texts),
        rows.map((_, i) => i % 2),
      );
      const column = { name: 'review', kind: 'text', role: 'feature', reason: '', missing: 0, distinct: 40 } as const;
      const schema = { target: 'class', rows: 40, columns: [column] };
      const steps = [vectorizer.toState(), estimator.toState()];
      const step = { kind: 'TextBayes', params: {}, learned: { weight: 0.7, classes: 3 }, arrays: {}, steps };
      return { model: loaded(step, { classes: ['a', 'b', 'c'], schema, tried: [] }), rows: rows.slice(0, 8) };
    },
  },
  {
    name: 'Classifier of text, auto, on curves',
    draw(random) {
      const rows = records(random, 60, 'text');
      const state = Classifier.fit(rows, { target: 'class' }).toState({ slim: true });
      const [pool] = state.steps ?? [];
      const curves = { shape: [6], data: Float64Array.of(-1.2, 0.3, -0.7, -0.1, -1, 0.05) };
      const steps = [{ ...pool, arrays: { ...pool.arrays, curves } }];
      const model = Classifier.fromState({ ...state, steps });
      return { model, rows: [...rows.slice(0, 8), { review: '' }, { review: 'zzz' }] };
    },
  },
];
