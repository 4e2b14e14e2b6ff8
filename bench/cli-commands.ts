// Every command on three datasets: wall and processor time of whole processes, of one build or of several in turn. npx
// tsx bench/cli-commands.ts DATA [runs] [cli.js …] [sms] [adult] [news]; DATA has sms-spam.jsonl.gz, adult-train.csv.gz
// and 20news-bydate.jsonl.gz.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { costsOf } from './processes.ts';

const [data, runs = '3', ...given] = process.argv.slice(2);
const named = given.filter((word) => word.endsWith('.js'));
const builds = named.length > 0 ? named : [new URL('../dist/cli/cli.js', import.meta.url).pathname];
const wanted = given.filter((word) => !word.endsWith('.js'));
const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
process.chdir(folder);

const sets = [
  { name: 'sms', source: 'sms-spam.jsonl.gz', file: 'sms.jsonl', target: 'label', model: 'multinomial' },
  { name: 'adult', source: 'adult-train.csv.gz', file: 'adult.csv', target: 'income', model: 'mixed' },
  { name: 'news', source: '20news-bydate.jsonl.gz', file: 'news.jsonl', target: 'label', model: 'multinomial' },
] as const;

/** The commands on a dataset; `auto.polya` and `named.polya` are written by the first two. */
function commandsFor({ name, file, target, model }: (typeof sets)[number]): Record<string, string[]> {
  const isText = name !== 'adult';
  const other = isText ? 'complement' : 'categorical';
  const fit = ['fit', file, '--target', target, '--holdout', '0', '-f'];
  const lines = readFileSync(file, 'utf8').split('\n');
  const [names, row] = lines.map((line) => line.split(','));
  const cells = names.map((column, k) => `${column}=${row[k]}`).slice(0, -1);
  const few = `few-${file}`;
  writeFileSync(few, `${lines.slice(0, isText ? 1000 : 1001).join('\n')}\n`);
  return {
    'fit (auto)': [...fit, '-o', 'auto.polya'],
    'fit (named)': [...fit, '--model', model, '-o', 'named.polya'],
    inspect: ['inspect', file, '--target', target],
    features: ['features', file, '--target', target],
    'compare, two models': ['compare', file, '--target', target, '-m', model, '-m', other],
    'tune, two settings': ['tune', file, '--target', target, '--try', `model=${model}|${other}`, '--no-nested'],
    'evaluate --cv 5 (named)': ['evaluate', file, '--target', target, '--cv', '5', '-m', model],
    'evaluate -m': ['evaluate', file, '-m', 'auto.polya'],
    report: ['report', file, '-m', 'named.polya', '-o', 'page.html', '-f'],
    calibrate: ['calibrate', file, '-m', 'named.polya', '-o', 'calibrated.polya', '-f'],
    predict: ['predict', file, '-m', 'auto.polya'],
    'predict, one': [
      'predict',
      '-m',
      'auto.polya',
      ...(isText ? ['--text', 'free entry'] : ['--row', cells.join(',')]),
    ],
    'explain -m': ['explain', '-m', 'auto.polya'],
    'update, 1,000 rows': ['update', few, '-m', 'named.polya', '-o', 'more.polya', '-f'],
    'unlearn, 1,000 rows': ['unlearn', few, '-m', 'more.polya', '-o', 'less.polya', '-f'],
    merge: ['merge', 'named.polya', 'more.polya', '-o', 'both.polya', '-f'],
    'export --to json': ['export', '-m', 'named.polya', '--to', 'json', '-o', 'model.json', '-f'],
    info: ['info', 'auto.polya'],
    'serve --check': ['serve', '-m', 'auto.polya', '--check'],
    init: ['init', file, '--yes', '-f'],
  };
}

/** Commands without data. */
const others: Record<string, string[]> = {
  datasets: ['datasets'],
  'datasets, one': ['datasets', 'iris', '-f'],
  completion: ['completion', 'bash'],
  doctor: ['doctor'],
  bench: ['bench'],
  help: ['help'],
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);

async function measure(title: string, commands: Record<string, string[]>): Promise<void> {
  console.log(`\n| ${title} | ${builds.map((_, k) => `wall ${k + 1} | processor ${k + 1}`).join(' | ')} |`);
  console.log(`|---|${'---:|'.repeat(2 * builds.length)}`);
  for (const [name, words] of Object.entries(commands)) {
    const cells: string[] = [];
    for (const build of builds) {
      try {
        const cost = await costsOf({ own: [process.execPath, build, ...words, '-q'] }, { runs: Number(runs) });
        cells.push(seconds(cost.own.wall), seconds(cost.own.cpu));
      } catch {
        cells.push('–', '–'); // an earlier build may not have it
      }
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

for (const set of sets.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  writeFileSync(set.file, gunzipSync(readFileSync(join(data, set.source))));
  await measure(set.name, commandsFor(set));
  rmSync('polya.config.json');
}
if (wanted.length === 0) await measure('no data', others);
process.chdir('/');
rmSync(folder, { recursive: true });
