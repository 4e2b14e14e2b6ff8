// Writes the text samples of the package, data/sms.csv.br and data/reviews.csv.br, from JSON Lines with the keys
// `label` and `text`: tsx scripts/samples.ts sms-spam.jsonl.gz rt-polarity.jsonl.gz NOTICE states the changes made
// here.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { formatCsv } from '../src/data/csv-format.ts';

type Row = [label: string, text: string];

/** Both sources decoded Windows-1252 bytes as Latin-1; these are all that occur. */
const punctuation: Readonly<Record<string, string>> = {
  '\u0091': '‘',
  '\u0092': '’',
  '\u0093': '“',
  '\u0094': '”',
  '\u0096': '–',
  '\u0097': '—',
};
const repaired = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (control) => punctuation[control] ?? control);

function rowsOf(path: string): Row[] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { label, text }: { label: string; text: string } = JSON.parse(line);
    return [label, repaired(text)];
  });
}

/** Alternating positive and negative sentences; the original has one file of each. */
function inTurn(rows: readonly Row[]): Row[] {
  const positive = rows.filter(([label]) => label === 'pos');
  const negative = rows.filter(([label]) => label === 'neg');
  return positive.flatMap(([, text], i): Row[] => [
    ['positive', text],
    ['negative', negative[i]![1]],
  ]);
}

function write(name: string, rows: readonly Row[]): void {
  const csv = formatCsv([['label', 'text'], ...rows]);
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(new URL(`../data/${name}.csv.br`, import.meta.url), brotliCompressSync(csv, { params }));
}

const [sms, reviews] = process.argv.slice(2);
write('sms', rowsOf(sms!));
write('reviews', inTurn(rowsOf(reviews!)));
