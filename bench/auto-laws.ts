/**
 * Checks the laws of the default model on real data. For every dataset it is fitted to most rows. Then learning and
 * unlearning the others restores every prediction to the bit, merged parts equal rows learned one after the other,
 * saving and loading in between changes nothing, and unlearning training rows gives the model of the others. Datasets
 * are read from POLYA_DATA or ../shared/data; name some to run only those: `tsx bench/auto-laws.ts iris sms-spam`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Classifier } from '../src/auto/classifier.ts';
import type { DataRow } from '../src/data/cells.ts';
import { Random } from '../src/math/random.ts';
import { readTable } from '../src/node/table.ts';

const folder = process.env.POLYA_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const MOST = 12_000;
const LATER = 300;

interface Source {
  readonly rows: DataRow[];
  readonly target: string;
}

async function read(file: string): Promise<Source> {
  const path = join(folder, file);
  if (file.includes('.jsonl')) {
    const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
    const rows = lines.map((line) => {
      const { label, text } = JSON.parse(line) as { label: string; text: string };
      return { label, text };
    });
    return { rows, target: 'label' };
  }
  const { rows } = await readTable(path);
  const names = Object.keys(rows[0] as object);
  const target = ['class', 'target', 'species', 'income', 'label', 'party', 'diagnosis'].find((name) =>
    names.includes(name),
  );
  return { rows: [...rows], target: target ?? names[names.length - 1] };
}

const answers = (model: Classifier, rows: readonly DataRow[]) =>
  Array.from(model.predictLogProba(rows, { strict: false }).data);
const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, k) => Object.is(value, b[k]));

async function check(name: string, file: string): Promise<string> {
  const { rows: all, target } = await read(file);
  const rows = new Random(1).shuffle(all).slice(0, MOST);
  const later = rows.slice(0, Math.min(LATER, Math.floor(rows.length / 5)));
  const first = rows.slice(later.length);
  const [a, b] = [later.slice(0, later.length >> 1), later.slice(later.length >> 1)];
  const began = performance.now();
  const model = Classifier.fit(first, { target });
  const fitted = (performance.now() - began) / 1000;
  const before = answers(model, later);
  const load = (own: Classifier) => Classifier.load(own.save());
  const learned = load(model).partialFit(a).partialFit(b);
  const held: Record<string, boolean> = {
    'save and load': same(answers(load(model), later), before),
    'learn and unlearn': same(answers(load(learned).unlearn(later), later), before),
    order: same(answers(model.clone().partialFit(b).partialFit(a), later), answers(learned, later)),
    merge: same(answers(model.clone().merge(load(model.blank().partialFit(later))), later), answers(learned, later)),
    'unlearn training rows': same(
      answers(model.clone().unlearn(first.slice(0, later.length)), later),
      answers(model.blank().partialFit(first.slice(later.length)), later),
    ),
  };
  const start = performance.now();
  for (const row of later.slice(0, 20)) model.partialFit([row]);
  const one = (performance.now() - start) / Math.min(20, later.length);
  const broken = Object.keys(held).filter((law) => !held[law]);
  return (
    `${name.padEnd(16)} ${String(rows.length).padStart(6)} rows  fit ${fitted.toFixed(1)} s  one row ${one.toFixed(1)} ms  ` +
    `file ${(model.save().length / 1e6).toFixed(2)} MB  ${broken.length === 0 ? 'all held' : `BROKEN: ${broken.join(', ')}`}  ${model.report().summary}`
  );
}

const files = readdirSync(folder).filter((file) => /\.(csv|csv\.gz|jsonl\.gz)$/.test(file));
const asked = process.argv.slice(2);
for (const file of files) {
  const name = file.split('.')[0];
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(await check(name, file).catch((error: Error) => `${name.padEnd(16)} FAILED ${error.message}`));
}
