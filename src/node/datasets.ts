import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { parseCsv } from '../data/csv.ts';
import { recordsOf } from '../data/table.ts';
import { loadCareers } from '../datasets/careers.ts';
import { loadChinaJapan } from '../datasets/china-japan.ts';
import type { Dataset, SampleRow } from '../datasets/dataset.ts';
import { loadHouses } from '../datasets/houses.ts';
import { loadIris } from '../datasets/iris.ts';
import { loadPostings } from '../datasets/postings.ts';
import { loadTitanic } from '../datasets/titanic.ts';
import { loadWeather } from '../datasets/weather.ts';
import { refuseFile } from './file.ts';

type TextRow<L extends string> = { label: L; text: string };

/** The SMS Spam Collection, complete: 5,574 text messages in English, 747 of them spam. */
export function loadSms(): Dataset<TextRow<'ham' | 'spam'>, 'label'> {
  return {
    name: 'sms',
    title: 'Text messages, ham or spam',
    columns: ['label', 'text'],
    target: 'label',
    text: 'text',
    description: '5,574 English text messages, 747 of them spam, most of them from the United Kingdom and Singapore.',
    source: 'T. A. Almeida, J. M. Gómez Hidalgo and A. Yamakami, SMS Spam Collection v.1 (2011)',
    license: 'CC BY 4.0',
    rows: readRows('sms'),
    questions: [{ text: 'free entry, call now' }, { text: 'are we still on for lunch?' }],
  };
}

/** The sentence polarity data of Pang and Lee, complete: 10,662 sentences of film reviews, half of them positive. */
export function loadReviews(): Dataset<TextRow<'positive' | 'negative'>, 'label'> {
  return {
    name: 'reviews',
    title: 'Sentences of film reviews, positive or negative',
    columns: ['label', 'text'],
    target: 'label',
    text: 'text',
    description:
      '10,662 sentences of film reviews, half of them positive. They are in lower case, with blanks around punctuation.',
    source: 'B. Pang and L. Lee, sentence polarity data set v1.0 (2005)',
    license: 'CC BY 4.0',
    rows: readRows('reviews'),
    questions: [{ text: 'a wonderful, moving film' }, { text: 'what a waste of time' }],
  };
}

/**
 * The rows of a CSV file in the folder `data`, which is two levels up from `src/node`, `dist/lib` and `dist/cli`. The published package
 * has the files once, with the studio.
 */
function readRows<Row extends SampleRow>(name: string): Row[] {
  const places = ['../../data/', '../studio/assets/'].map(
    (folder) => new URL(`${folder}${name}.csv.br`, import.meta.url),
  );
  const file = places.find((place) => existsSync(place)) ?? places[0];
  let packed: Uint8Array;
  try {
    packed = readFileSync(file);
  } catch (error) {
    return refuseFile(file, error); // a bundle without the folder
  }
  return recordsOf(parseCsv(brotliDecompressSync(packed))) as Row[];
}

/** The loaders of all sample data sets in the package, by short name. */
export const datasets: ReadonlyMap<string, () => Dataset> = new Map<string, () => Dataset>([
  ['sms', loadSms],
  ['reviews', loadReviews],
  ['iris', loadIris],
  ['titanic', loadTitanic],
  ['weather', loadWeather],
  ['postings', loadPostings],
  ['careers', loadCareers],
  ['china-japan', loadChinaJapan],
  ['houses', loadHouses],
]);
