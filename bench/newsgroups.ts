/** 20 Newsgroups by date for benchmarks: complete, or without headers, footers and quotes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SparseMatrix } from '../src/data/sparse.ts';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';

interface Document {
  readonly split: 'train' | 'test';
  readonly label: string;
  readonly text: string;
}

/** Documents and labels of both parts. */
export interface NewsTexts {
  readonly train: string[];
  readonly y: string[];
  readonly test: string[];
  readonly testY: string[];
}

/** Word counts and labels of both parts. */
export interface Newsgroups {
  readonly X: SparseMatrix;
  readonly y: string[];
  readonly testX: SparseMatrix;
  readonly testY: string[];
}

// The white space of Python's str.strip.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators U+001C–1F are among them
const strip = (text: string) => text.replace(/^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g, '');
const QUOTE = /writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>/;

/** Removes headers, footers and quotes like scikit-learn's fetch_20newsgroups. */
function stripped(text: string): string {
  const blank = text.indexOf('\n\n');
  const body = blank < 0 ? '' : text.slice(blank + 2);
  const lines = strip(body).split('\n');
  const last = lines.findLastIndex((line) => /^-*$/.test(strip(line)));
  const signed = last > 0 ? lines.slice(0, last).join('\n') : body;
  return signed
    .split('\n')
    .filter((line) => !QUOTE.test(line))
    .join('\n');
}

/** Reads the file in `folder`. */
export function readNewsTexts(folder: string, kind: 'raw' | 'stripped'): NewsTexts {
  const lines = gunzipSync(readFileSync(join(folder, '20news-bydate.jsonl.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const documents = lines.map((line) => JSON.parse(line) as Document);
  const [train, test] = ['train', 'test'].map((split) => documents.filter((document) => document.split === split));
  const textOf = ({ text }: Document) => (kind === 'raw' ? text : stripped(text));
  const labelOf = ({ label }: Document) => label;
  return { train: train.map(textOf), y: train.map(labelOf), test: test.map(textOf), testY: test.map(labelOf) };
}

/** Reads the file in `folder` and counts its words as scikit-learn does. */
export function readNewsgroups(folder: string, kind: 'raw' | 'stripped'): Newsgroups {
  const { train, y, test, testY } = readNewsTexts(folder, kind);
  const vectorizer = new CountVectorizer();
  return { X: vectorizer.fitTransform(train), y, testX: vectorizer.transform(test), testY };
}
