/**
 * The corpus of the text benchmarks: 20 Newsgroups if its file exists, otherwise random words with Zipf frequencies.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Random } from '../src/math/random.ts';

/** A labelled text. */
export interface Text {
  readonly label: string;
  readonly text: string;
}

/** Texts to learn from and texts to classify. */
export interface Corpus {
  readonly name: string;
  readonly train: readonly Text[];
  readonly test: readonly Text[];
}

/** The corpus of a data folder, or of POLYA_DATA. */
export function corpusOf(folder = process.env.POLYA_DATA ?? '../shared/data'): Corpus {
  const path = join(folder, '20news-bydate.jsonl.gz');
  if (!existsSync(path)) return seeded();
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Text & { split: string });
  const part = (name: string) => all.filter(({ split }) => split === name).map(({ label, text }) => ({ label, text }));
  return { name: '20 Newsgroups, bydate', train: part('train'), test: part('test') };
}

function seeded(): Corpus {
  const random = new Random(1);
  const word = () => `w${Math.floor(130_000 ** random.uniform()).toString(36)}`;
  const texts = Array.from({ length: 19_000 }, (_, i) => ({
    label: `class ${i % 20}`,
    text: Array.from({ length: 300 }, word).join(' '),
  }));
  return { name: 'seeded words', train: texts.slice(0, 11_400), test: texts.slice(11_400) };
}

/** Texts as JSON Lines, repeated up to a number of bytes. */
export function asLines(texts: readonly Text[], bytes = 0): string {
  const once = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
  return once.repeat(Math.max(1, Math.ceil(bytes / Buffer.byteLength(once))));
}
