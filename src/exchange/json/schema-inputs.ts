import {
  choices,
  describe,
  flag,
  list,
  numbers,
  orNull,
  place,
  record,
  ref,
  type Schema,
  text,
  whole,
} from './schema-words.ts';

const fallback = describe(
  { anyOf: [choices('refuse', 'missing'), ref('number')] },
  'What becomes of the cell: a refusal, a missing number (NaN), or this number.',
);
const column = { name: text, column: place };
const date = record(
  { order: choices('day-first', 'month-first'), part: choices('days', 'weekday', 'month', 'hour') },
  'A part of a date as written: days since 1970, Sun … Sat, 1 … 12, or 0 … 23. `order` is that of day and month.',
);

/** How columns are read. */
export const inputSchemas: readonly Schema[] = [
  record(
    {
      kind: { const: 'number' },
      ...column,
      width: place,
      list: flag,
      least: ref('number'),
      most: ref('number'),
      bits: flag,
      missing: fallback,
      lenient: flag,
      'spelling?': choices('point', 'comma'),
      'date?': date,
    },
    'A number, or `width` of them: consecutive cells of a row that is a list, or with `list` the elements of one cell. With `bits`, ' +
      'true and false are 1 and 0. With `lenient`, strings that spell numbers are numbers and all else is missing; with `spelling` they may ' +
      'have signs of money or percent, separators between thousands and this decimal mark. With `date` the number is the days of a date.',
  ),
  record(
    {
      kind: { const: 'level' },
      ...column,
      levels: { anyOf: [list({ anyOf: [text, { type: 'number' }, flag] }), whole] },
      'codes?': numbers(),
      match: choices('word', 'exact', 'trimmed'),
      missing: fallback,
      unknown: fallback,
      'element?': place,
      'absent?': list(text),
      'aliases?': list({ type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 }),
      'date?': date,
    },
    'A level, read as its code or else its place: `levels` in order, or the whole numbers from 0 below this one. `match` word takes true ' +
      'and false for their words, exact asks for the same type, trimmed compares as a string without blanks around it (a blank cell ' +
      'is missing). With `element` the cell is a list and this its place. `absent` are words for a missing cell, `aliases` other words for ' +
      'levels. With `date` the level is a part of a date.',
  ),
  record({ kind: { const: 'text' }, ...column, lenient: flag }, 'A text; with `lenient` a missing one is empty.'),
];

const from = { from: place, width: place };

const analysis = record(
  {
    unit: choices('word', 'char', 'char_wb'),
    normalize: choices('NFC', 'NFKC', null),
    lowercase: flag,
    stripAccents: choices('ascii', 'unicode', null),
    words: {
      oneOf: [
        record(
          { kind: { const: 'runs' } },
          'Runs of two or more letters, numbers and underscores: [\\p{L}\\p{N}_]{2,}.',
        ),
        record(
          { kind: { const: 'segments' } },
          'By the script of each run, with Intl.Segmenter where words have no spaces.',
        ),
        record(
          { kind: { const: 'pattern' }, source: text, flags: text },
          'Matches of a JavaScript pattern, its group where it has one.',
        ),
      ],
    },
    stopWords: list(text),
    ngrams: describe({ type: 'array', prefixItems: [place, place], minItems: 2, maxItems: 2 }, 'Least and largest n.'),
  },
  'normal form → small letters → accents → words → stop words → n-grams (words joined by one space; characters are code points).',
);

/** How vectors are made. */
export const vectorSchemas: readonly Schema[] = [
  record({ op: { const: 'inputs' }, inputs: list(place), width: place }, 'The numbers of inputs, one after the other.'),
  record(
    {
      op: { const: 'terms' },
      input: place,
      analysis,
      terms: orNull(list(text)),
      signed: flag,
      binary: flag,
      width: place,
    },
    'How often each term occurs, or with `binary` whether. Without `terms`, term t is at |h| mod width with h the signed ' +
      'MurmurHash3 (x86, 32 bits, seed 0) of its UTF-8 bytes; with `signed` it counts by the sign of h.',
  ),
  record(
    {
      op: { const: 'weigh' },
      ...from,
      tf: choices('raw', 'binary', 'sqrt', 'log1p', 'sublinear'),
      idf: orNull(numbers()),
      norm: choices('l1', 'l2', null),
    },
    'tf(x) · idf where x ≠ 0 (x, 1, √x, ln(1 + x), 1 + ln x), divided by the norm of the vector where that is not 0.',
  ),
  record({ op: { const: 'root-share' }, ...from }, '√(x / Σ x).'),
  record({ op: { const: 'pick' }, ...from, columns: list(place) }, 'x[columns[k]].'),
  record(
    { op: { const: 'bin' }, ...from, cuts: list(orNull(numbers())), missing: choices('missing', 'last') },
    'How many cuts are ≤ x; a missing x stays so or is the bin behind the last. Null: x itself.',
  ),
  record(
    { op: { const: 'equal' }, ...from, values: numbers() },
    '1 where x is the value, else 0; NaN in values: x itself.',
  ),
  record(
    { op: { const: 'scale' }, ...from, mean: numbers(), scale: numbers(), fill: numbers() },
    '(x − mean) / scale; fill where x is missing.',
  ),
  record(
    { op: { const: 'onehot' }, ...from, widths: list(place) },
    'For each x as many numbers as its width: 1 at the place x, 0 elsewhere.',
  ),
  record(
    { op: { const: 'above' }, ...from, threshold: ref('number') },
    '1 where x > threshold, else 0; missing stays so.',
  ),
  record(
    {
      op: { const: 'limit' },
      ...from,
      levels: list(place),
      unknown: choices('last', 'missing', 'refuse'),
      missing: choices('missing', 'refuse'),
    },
    'Numbers of levels; from levels[j] on they are unknown: levels[j], missing, or refused.',
  ),
  record({ op: { const: 'join' }, from: list(place), width: place }, 'Vectors one after the other.'),
];
