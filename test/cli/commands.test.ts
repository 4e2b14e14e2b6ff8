import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordTable } from '../../src/data/column-table.ts';
import { planFolds, splitTable } from '../../src/evaluate/held-out.ts';
import { Classifier, classificationReport, inspectModel, load } from '../../src/index.ts';
import { readTable } from '../../src/node.ts';
import { asCsv, messages, writeMessages } from './fixtures.ts';
import { folder, polya, type World } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);

/** Runs a command that has to succeed. */
async function does(line: string[], world: Partial<World> = {}) {
  const said = await polya(line, { cwd: path, ...world });
  expect([said.code, said.code === 0 ? '' : said.err]).toEqual([0, '']);
  return said;
}
const json = async (line: string[], world: Partial<World> = {}) =>
  JSON.parse((await does([...line, '--json', '-q'], world)).out);
const lines = (text: string) => text.trimEnd().split('\n');

beforeAll(async () => {
  writeMessages(path);
  await does(['demo', 'iris', '-q']);
  await does(['fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '--alpha', '0.5', '-o', 'words.polya', '-q']);
});

test('the table of fit and evaluate is scikit-learn’s, over the rows that were held out', async () => {
  const { out } = await does(['evaluate', 'more.csv', '-m', 'words.polya', '--digits', '2']);
  const rows = lines(
    (await does(['predict', 'more.csv', '-m', 'words.polya', '--output', 'csv', '--keep', 'label'])).out,
  ).slice(1);
  const truth = rows.map((row) => row.split(',')[0]);
  const guesses = rows.map((row) => row.split(',')[1]);
  expect(out).toContain(classificationReport(truth, guesses));
  expect(out).toMatch(/^more\.csv: 60 rows$/m);
  expect(out).toMatch(/^accuracy \d\.\d{3}, 95 % interval \d\.\d{3}–\d\.\d{3} \(Wilson, n = 60\)$/m);
});

test('fit says on what the scores are, and scores of learned rows are called so', async () => {
  const held = await does(['fit', 'sms.csv', '-t', 'label', '--model', 'bernoulli', '-o', 'b.polya']);
  expect(held.out).toMatch(/^held out: \d+ of \d+ rows \(20 %\)$/m);
  const again = await does(['evaluate', 'sms.csv', '-m', 'b.polya']);
  expect(again.out).toMatch(/^sms\.csv: 150 rows that the model was trained on$/m);
  expect(again.err).toContain('! the model was trained on these rows');
  const folds = await does(['evaluate', 'sms.csv', '-t', 'label', '--cv', '4', '--model', 'bernoulli']);
  expect(folds.out).toMatch(/^4 folds: 150 rows, each evaluated by a model trained on the other folds$/m);
});

test.each([
  ['sms.csv', 'label', 'multinomial'],
  ['iris.csv', 'species', 'gaussian'],
])(
  'folds that are counted once score as models fitted to all rows outside each fold: %s',
  async (file, target, model) => {
    const found = await json(['evaluate', file, '-t', target, '--cv', '4', '--model', model, '--seed', '3']);
    const { rows, lines: places } = await readTable(join(path, file));
    const table = new RecordTable(rows, places);
    const folds = splitTable(table, planFolds(table, target, 4, 3));
    let loss = 0;
    for (const own of folds) {
      const held = new Set(own);
      const fitted = Classifier.fit(
        rows.filter((_, i) => !held.has(i)),
        { target, model: model as 'gaussian', evaluate: false },
      );
      const logProba = fitted.predictLogProba(own.map((i) => rows[i]));
      for (const [k, i] of own.entries()) loss -= logProba.at(k, fitted.classes.indexOf(String(rows[i][target])));
    }
    expect(found.logLoss).toBeCloseTo(loss / rows.length, 9);
  },
);

test('the same data, options and seed give the same bytes; the file records how it was made', async () => {
  const make = (name: string, seed: string) =>
    does(['fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '-o', name, '--seed', seed, '-q']);
  await make('one.polya', '7');
  await make('two.polya', '7');
  const bytes = readFileSync(join(path, 'one.polya'));
  expect(readFileSync(join(path, 'two.polya')).equals(bytes)).toBe(true);
  const { provenance } = inspectModel(bytes);
  expect(provenance).toMatchObject({
    rows: 150,
    notes: 'polya fit sms.csv --target label --model multinomial --seed 7',
  });
  const sms = readFileSync(join(path, 'sms.csv'));
  expect(provenance?.dataHash).toBe(`crc32:${crc32(sms).toString(16).padStart(8, '0')}:${sms.length}`);
  const card = await json(['info', 'one.polya']);
  expect(card.provenance.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
});

test('a model is overwritten by the same recipe or by force alone', async () => {
  await does(['fit', 'sms.csv', '-t', 'label', '--model', 'complement', '-o', 'own.polya', '-q']);
  await does(['fit', 'sms.csv', '-t', 'label', '--model', 'complement', '-o', 'own.polya', '-q']);
  const other = await polya(
    ['fit', 'sms.csv', '-t', 'label', '--model', 'complement', '--alpha', '2', '-o', 'own.polya', '-q'],
    { cwd: path },
  );
  expect(other.code).toBe(5);
  await does([
    'fit',
    'sms.csv',
    '-t',
    'label',
    '--model',
    'complement',
    '--alpha',
    '2',
    '-o',
    'own.polya',
    '-q',
    '--force',
  ]);
});

test('copies of a row stay on one side of the split', async () => {
  const twice = messages(60).flatMap((row) => [row, { ...row, id: row.id + 1000 }, { ...row, id: row.id + 2000 }]);
  writeFileSync(join(path, 'copies.csv'), asCsv(twice));
  const { evaluation } = await json([
    'fit',
    'copies.csv',
    '-t',
    'label',
    '-x',
    'text',
    '--model',
    'multinomial',
    '-o',
    'c.polya',
  ]);
  expect(evaluation.rows % 3).toBe(0);
  expect(evaluation.rows).toBeGreaterThan(20);
});

test('data come from files, from stdin in any place, and as texts', async () => {
  const file = await does(['predict', 'more.csv', '-m', 'words.polya', '-q']);
  const stdin = readFileSync(join(path, 'more.csv'));
  for (const words of [
    ['-', '-m', 'words.polya'],
    ['-m', 'words.polya', '-'],
    ['-m', 'words.polya'],
  ]) {
    expect((await does(['predict', ...words, '-q'], { stdin })).out).toBe(file.out);
  }
  const [, first] = lines(readFileSync(join(path, 'more.csv'), 'utf8'));
  const text = first.split(',')[2];
  expect((await does(['predict', '-m', 'words.polya', '--text', text])).out).toBe(`${lines(file.out)[0]}\n`);
  expect((await does(['predict', '-m', 'words.polya'], { stdin: `${text}\n` })).out).toBe(`${lines(file.out)[0]}\n`);
  const jsonl = JSON.stringify({ body: text });
  expect((await does(['predict', '-m', 'words.polya', '-x', 'body'], { stdin: `${jsonl}\n` })).out).toBe(
    `${lines(file.out)[0]}\n`,
  );
});

test('a terminal is answered line by line', async () => {
  const asked: string[] = [];
  async function* typed() {
    for (const text of ['win a free prize\n', 'see you at lunch\n']) {
      asked.push(text);
      yield new TextEncoder().encode(text);
    }
  }
  const { out, err } = await does(['predict', '-m', 'words.polya'], { stdin: typed(), tty: { in: true, out: true } });
  expect(lines(out).map((line) => line.split('\t')[0])).toEqual(['spam', 'ham']);
  expect(err).toContain('one text per line; Ctrl-D ends');
});

test('answers in every form', async () => {
  const predict = (...words: string[]) =>
    does(['predict', 'more.csv', '-m', 'words.polya', '--max-rows', '2', '-q', ...words]);
  const [row] = lines(
    (await predict('--output', 'jsonl', '--proba', '--top', '1', '--reject', '0.5', '--explain', '2')).out,
  ).map((line) => JSON.parse(line));
  expect(row).toMatchObject({ id: '151', label: 'spam', rejected: false });
  expect(row.probabilities.ham + row.probabilities.spam).toBeCloseTo(1, 12);
  expect(row.top).toEqual([{ label: 'spam', probability: row.probability }]);
  expect(row.explanation.terms).toHaveLength(2);
  const csv = lines((await predict('--output', 'csv', '--proba')).out);
  expect(csv[0]).toBe('id,label,probability,p_ham,p_spam');
  expect(csv[1].split(',').slice(0, 2)).toEqual(['151', 'spam']);
  expect(lines((await predict('--output', 'tsv', '--keep', 'none')).out)[0]).toBe('label\tprobability');
  expect(JSON.parse(lines((await predict('--json')).out)[0])).toMatchObject({
    schema: 'polya/predict@1',
    label: 'spam',
  });
  await predict('-o', 'answers.csv', '--output', 'csv');
  expect(readFileSync(join(path, 'answers.csv'), 'utf8')).toMatch(/^id,label,probability\n151,spam,/);
});

test('the explanation of an answer adds up to its log-odds', async () => {
  const why = await json(['explain', '-m', 'words.polya', '--text', 'win a free prize at noon', '-k', '100']);
  const sum = why.terms.reduce((all: number, { weight }: { weight: number }) => all + weight, why.prior);
  expect(sum).toBeCloseTo(why.logOdds, 9);
  expect(Math.log(why.probability / (1 - why.probability))).toBeCloseTo(why.logOdds, 6);
  const { out } = await does(['explain', '-m', 'words.polya', '--text', 'win a free prize at noon', '-k', '3']);
  expect(lines(out)[0]).toMatch(/^spam {2}0\.\d{4} {3}log-odds \+\d+\.\d\d against ham {3}prior −\d\.\d\d$/);
});

test('thresholds and rejections', async () => {
  const [strict] = lines(
    (await does(['predict', '-m', 'words.polya', '--text', 'free lunch', '--threshold', 'spam=1', '--output', 'jsonl']))
      .out,
  );
  expect(JSON.parse(strict).label).toBe('ham');
  const { err, out } = await does(['predict', 'more.csv', '-m', 'words.polya', '--reject', '1']);
  expect(err).toMatch(/60 rows · .* · 60 rejected \(p < 1\)/);
  expect(lines(out)[0]).toMatch(/\trejected$/);
});

test('a gate that is not met ends with exit code 8, and says what came', async () => {
  const gate = (...words: string[]) => polya(['evaluate', 'more.csv', '-m', 'words.polya', ...words], { cwd: path });
  const low = await gate('--fail-under', 'spam.recall=1.01', '--json');
  expect(low.code).toBe(8);
  expect(low.err).toMatch(/✖ spam\.recall \d\.\d{3} \(\d\.\d{3}–\d\.\d{3}\) is under 1\.01/);
  expect(JSON.parse(low.out).gates).toEqual([
    expect.objectContaining({ name: 'spam.recall', met: false, limit: 1.01 }),
  ]);
  expect(
    (await gate('--fail-under', 'accuracy=0.1', '--fail-under', 'f1=0.1', '--fail-under', 'macro.recall=0.1')).code,
  ).toBe(0);
  expect((await gate('--fail-over', 'log-loss=0')).code).toBe(8);
});

test('slices and another model', async () => {
  const { out } = await does([
    'evaluate',
    'more.csv',
    '-m',
    'words.polya',
    '--by',
    'label',
    '--compare',
    'words.polya',
  ]);
  expect(out).toMatch(/^label +rows +accuracy +95 % interval$/m);
  expect(out).toMatch(/^ham +40 +[01]\.\d{3} +[01]\.\d{3}–[01]\.\d{3}$/m);
  expect(out).toContain('are equal');
});

test('what was learned is unlearned exactly, and merging equals learning at once', async () => {
  const predictions = async (model: string) =>
    (await does(['predict', 'more.csv', '-m', model, '--proba', '--output', 'csv', '-q'])).out;
  const before = await predictions('words.polya');
  const updated = await does(['update', 'more.csv', '-m', 'words.polya', '-o', 'updated.polya']);
  expect(lines(updated.out)).toHaveLength(1 + Math.floor(Math.log2(60)) + 1 + 1);
  await does(['unlearn', 'more.csv', '-m', 'updated.polya', '-o', 'undone.polya', '-q']);
  expect(await predictions('undone.polya')).toBe(before);
  await does(['fit', 'more.csv', '-t', 'label', '--model', 'multinomial', '--alpha', '0.5', '-o', 'part.polya', '-q']);
  await does(['merge', 'words.polya', 'part.polya', '-o', 'sum.polya', '-q']);
  expect(await predictions('sum.polya')).toBe(await predictions('updated.polya'));
});

test('a fading memory learns, and a slim model refuses with advice', async () => {
  await does(['update', 'more.csv', '-m', 'words.polya', '--forget-half-life', '50', '-o', 'faded.polya', '-q']);
  const { learned } = (await json(['info', 'faded.polya'])).report;
  expect(learned.weight).toBeLessThan(150);
  await does(['fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '--slim', '-o', 'less.polya', '-q']);
  const refused = await polya(['update', 'more.csv', '-m', 'less.polya'], { cwd: path });
  expect(refused.code).toBe(4);
  expect(refused.err).toContain('without --slim');
});

test('the default model is updated, unlearns the same rows, and merges with what was made from it', async () => {
  await does(['fit', 'sms.csv', '-t', 'label', '-o', 'pool.polya', '-q']);
  const answers = async (file: string) => (await does(['predict', 'more.csv', '-m', file, '--json', '-q'])).out;
  const before = await answers('pool.polya');
  await does(['update', 'more.csv', '-m', 'pool.polya', '-o', 'pool-more.polya', '-q']);
  expect(await answers('pool-more.polya')).not.toBe(before);
  await does(['update', 'more.csv', '-m', 'pool.polya', '--blank', '-o', 'pool-blank.polya', '-q']);
  await does(['merge', 'pool.polya', 'pool-blank.polya', '-o', 'pool-sum.polya', '-q']);
  expect(await answers('pool-sum.polya')).toBe(await answers('pool-more.polya'));
  await does(['unlearn', 'more.csv', '-m', 'pool-more.polya', '-q']);
  expect(await answers('pool-more.polya')).toBe(before);
  expect((await does(['info', 'pool.polya'])).out).toMatch(/holds +statistics and parameters/);
  const nowhere = await polya(['update', 'more.csv', '-m', 'pool.polya', '--blank'], { cwd: path });
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('-o')]);
});

test('calibration is evaluated by folds and written', async () => {
  const result = await json([
    'calibrate',
    'more.csv',
    '-m',
    'words.polya',
    '--method',
    'temperature',
    '-o',
    'calibrated.polya',
  ]);
  expect(result).toMatchObject({ method: 'temperature', rows: 60 });
  expect((await json(['info', 'calibrated.polya'])).report.calibration.method).toBe('temperature');
});

test('features of data and of a model', async () => {
  const words = await json(['features', 'sms.csv', '-t', 'label', '-x', 'text', '-k', '5']);
  expect(words.features[0].mi).toBeGreaterThanOrEqual(words.features[4].mi);
  const columns = await json(['features', 'iris.csv', '-t', 'species', '--by', 'gain-ratio']);
  expect(
    columns.features
      .map(({ feature }: { feature: string }) => feature)
      .slice(0, 2)
      .sort(),
  ).toEqual(['petal_length', 'petal_width']);
  const counted = await does([
    'features',
    '-m',
    'words.polya',
    '--by',
    'log-odds',
    '-k',
    '3',
    '--plot',
    '--class',
    'spam',
  ]);
  expect(lines(counted.out)).toHaveLength(4);
});

test('compare by folds and by files; tune finds and writes', async () => {
  const folds = await json(['compare', 'iris.csv', '-m', 'lda', '-m', 'gaussian', '--cv', '2x3']);
  expect(folds.models.map(({ name }: { name: string }) => name)).toEqual(['lda', 'gaussian']);
  expect(folds.models[1].verdict.method).toBe('corrected resampled t');
  const baseline = await json(['compare', 'iris.csv', '-m', 'logistic', '-m', 'lda', '-m', 'gaussian', '--cv', '3']);
  const [logistic, lda] = baseline.models as { name: string; accuracy: number; logLoss: number }[];
  expect([logistic.name, lda.name]).toEqual(['logistic', 'lda']);
  expect(logistic.accuracy).toBeGreaterThan(0.9);
  expect(logistic.logLoss).toBeLessThan(0.4);
  const files = await does(['compare', 'more.csv', '-m', 'words.polya', '-m', 'words.polya']);
  expect(files.out).toContain('no difference shown (p = 1.000)');
  const tuned = await json([
    'tune',
    'iris.csv',
    '-t',
    'species',
    '--try',
    'model=lda|gaussian',
    '--cv',
    '3',
    '--outer',
    '2',
    '-o',
    'best.polya',
  ]);
  expect(tuned.table).toHaveLength(2);
  expect(tuned.nested.rows).toBe(150);
  expect(tuned.repeat).toMatch(/^polya fit iris\.csv --target species --model (lda|gaussian)$/);
  expect(existsSync(join(path, 'best.polya'))).toBe(true);
  const halved = await json([
    'tune',
    'sms.csv',
    '-t',
    'label',
    '-x',
    'text',
    '--try',
    'alpha=0.01|0.1|1|10',
    '--model',
    'multinomial',
    '--search',
    'halving',
    '--cv',
    '2',
    '--no-nested',
  ]);
  expect(halved.nested).toBeNull();
});

test('a model goes to other places and comes from scikit-learn', async () => {
  await does(['export', '-m', 'words.polya', '--to', 'csv', '-o', 'words.csv', '-q']);
  expect(readFileSync(join(path, 'words.csv'), 'utf8')).toMatch(/^feature,log_p_ham,log_p_spam\n/);
  await does(['export', '-m', 'words.polya', '--to', 'ts', '-o', 'words.ts', '-q']);
  const module = await import(/* @vite-ignore */ join(path, 'words.js'));
  const answers = lines((await does(['predict', 'more.csv', '-m', 'words.polya', '-q'])).out);
  for (const [i, { text }] of messages(210).slice(150).entries()) {
    expect(module.predict({ text })).toBe(answers[i].split('\t')[0]);
  }
  expect(readFileSync(join(path, 'words.d.ts'), 'utf8')).toContain('predict');
  await does(['fit', 'iris.csv', '--model', 'gaussian', '-o', 'bells.polya', '-q']);
  for (const form of ['json', 'sql', 'onnx', 'pmml', 'csv', 'js']) {
    await does(['export', '-m', 'bells.polya', '--to', form, '-o', `bells.${form}`, '-q']);
    expect(readFileSync(join(path, `bells.${form}`)).length, form).toBeGreaterThan(100);
  }
  expect(JSON.parse((await does(['export', '-m', 'bells.polya', '--to', 'json'])).out).format).toBe('polya/model@1');
  const small = await json(['export', '-m', 'words.polya', '--to', 'polya', '--slim', '-o', 'slim.polya']);
  expect(small.files).toEqual([{ file: 'slim.polya', bytes: expect.any(Number) }]);
  expect(inspectModel(readFileSync(join(path, 'slim.polya'))).slim).toBe(true);
});

test('a model of one step answers by the names or the order of its columns', async () => {
  const { estimator } = load<Classifier>(readFileSync(join(path, 'words.polya')));
  writeFileSync(join(path, 'bare.polya'), estimator!.toBytes());
  const bare = await does(['predict', 'more.csv', '-m', 'bare.polya', '-q']);
  expect(bare.out).toBe((await does(['predict', 'more.csv', '-m', 'words.polya', '-q'])).out);
  expect((await does(['explain', '-m', 'bare.polya', '--text', 'win a prize'])).out).toMatch(/^spam/);
  expect((await does(['info', 'bare.polya'])).out).toContain('Pipeline');
});

test('one pass without keeping rows learns the same', async () => {
  await does([
    'fit',
    'sms.csv',
    '-t',
    'label',
    '-x',
    'text',
    '--model',
    'multinomial',
    '--alpha',
    '0.5',
    '--holdout',
    '0',
    '-o',
    'stream.polya',
    '-q',
  ]);
  await does([
    'fit',
    'sms.csv',
    '-t',
    'label',
    '-x',
    'text',
    '--model',
    'multinomial',
    '--alpha',
    '0.5',
    '-o',
    'whole.polya',
    '-q',
  ]);
  const answers = async (model: string) =>
    (await does(['predict', 'more.csv', '-m', model, '--proba', '--output', 'csv', '-q'])).out;
  expect(await answers('stream.polya')).toBe(await answers('whole.polya'));
});

test('doctor, bench, datasets, init', async () => {
  expect((await json(['doctor'])).ok).toBe(true);
  const { steps } = await json([
    'bench',
    'iris.csv',
    '-t',
    'species',
    '--model',
    'gaussian',
    '--runs',
    '2',
    '--export-markdown',
    'bench.md',
  ]);
  expect(steps.map(({ step }: { step: string }) => step)).toEqual([
    'read',
    'fit',
    'predict',
    'predict 1',
    'save',
    'load',
  ]);
  expect(readFileSync(join(path, 'bench.md'), 'utf8')).toMatch(/^\| step \|/);
  expect((await does(['datasets'])).out).toContain('20newsgroups');
  expect((await does(['datasets', 'weather', '-o', '-'])).out).toMatch(/^outlook,/);
  await does(['init', 'iris.csv', '--yes', '-q']);
  expect(JSON.parse(readFileSync(join(path, 'polya.config.json'), 'utf8'))).toMatchObject({ target: 'species' });
  const refused = await polya(['init', 'iris.csv', '--force'], { cwd: path });
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('needs a terminal')]);
});

test('warnings: a column that predicts the label alone, copies, a class of few rows, identifiers', async () => {
  const rows = messages(900).map(
    ({ id, label, text }, i) => `${id},${i < 3 ? 'rare' : label},${text},${i < 3 ? 'r' : label[0]}`,
  );
  writeFileSync(join(path, 'leak.csv'), `id,label,text,letter\n${[...rows, ...rows.slice(10, 13)].join('\n')}\n`);
  const { err } = await does(['fit', 'leak.csv', '-t', 'label', '-o', 'leak.polya']);
  const flat = err.replaceAll(/\n {2}/g, ' ');
  expect(flat).toMatch(/! column "letter" alone explains \d\d\.\d % of the label's entropy/);
  expect(flat).toMatch(/! 3 rows are copies of others/);
  expect(flat).toMatch(/! class "rare" has 3 rows/);
  expect(flat).toMatch(/seed 1 · /);
  const named = await does(['fit', 'leak.csv', '-t', 'label', '--model', 'mixed', '-o', 'mixed.polya']);
  expect(named.err.replaceAll(/\n {2}/g, ' ')).toMatch(/! column "letter" alone explains/);
  const inspected = await does(['inspect', 'leak.csv', '-t', 'label']);
  expect(inspected.err.replaceAll(/\n {2}/g, ' ')).toMatch(/! column "letter" alone explains/);
});
