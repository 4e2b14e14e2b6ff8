import { choices, flag, list, numbers, orNull, place, record, ref, type Schema } from './schema-words.ts';

const of = (op: string) => ({ op: { const: op }, of: ref('score') });
const line = record(
  { x: numbers(), y: numbers() },
  'A rising line: constant outside its points, straight between them.',
);

/** How scores s become probabilities. */
export const curveSchema: Schema = {
  oneOf: [
    record({ method: { const: 'sigmoid' }, a: numbers(), b: numbers() }, '1 / (1 + exp(a s + b)).'),
    record({ method: { const: 'isotonic' }, lines: list(line) }),
    record({ method: { const: 'temperature' }, beta: ref('number') }, 'softmax(beta L), L = ln(p + 1e-12) or s.'),
  ],
};

const group = record(
  { vectors: list(place), text: flag },
  'Cells: the numbers of vectors, each of which may be missing; or one text, which is missing where all its numbers are 0.',
);
const share = { cells: list(group), ordinary: ref('number') };

/** How much of a row counts: r = how many cells are present / ordinary, at most 1, and 0 where none is. */
const shareSchema = orNull(record(share));

/** Scores S by class. */
export const scoreSchemas: readonly Schema[] = [
  record({ op: { const: 'sum' }, start: numbers(), terms: list(ref('term')) }, 'start[c] + Σ terms.'),
  record(
    { op: { const: 'add' }, start: numbers(), parts: list(record({ of: ref('score'), less: orNull(numbers()) })) },
    'start[c] + Σ (part[c] − less[c]).',
  ),
  record(
    { op: { const: 'either' }, first: ref('score'), second: ref('score'), needed: list(flag) },
    '`first`, unless a class with needed[c] gets no finite number from it: then `second`. They differ by what all classes share.',
  ),
  record(
    { ...of('place'), places: list(place), classes: place, fill: ref('number') },
    'Scores at their places among all classes.',
  ),
  record(of('opposed'), 'Of two classes: −d and d with d = S[1] − S[0].'),
  record(
    {
      ...of('posterior'),
      prior: orNull(numbers()),
      impossible: choices('prior', 'refuse'),
      sum: choices('together', 'apart'),
    },
    'S[c] − ln Σ exp S. Where all are −Infinity the prior stands for S, or the row is refused. `sum` tells how exponentials are added.',
  ),
  record(
    {
      ...of('soften'),
      least: ref('number'),
      tail: orNull(ref('number')),
      share: shareSchema,
      unmet: list(flag),
      unmetScore: ref('number'),
    },
    'max(least, S), bent to −tail ln(1 − S / tail) where there is a tail, r times that and 1 − r times what was not bent where there is a ' +
      'share r < 1; classes that are unmet get unmetScore.',
  ),
  record(
    {
      op: { const: 'pool' },
      members: list(ref('score')),
      weights: numbers(),
      bias: numbers(),
      share: orNull(record({ ...share, weights: numbers(), bias: numbers() })),
    },
    'Σ weights[m] Sₘ[c] + bias[c], less ln Σ exp of it; with a share r < 1, weights and biases are r times these and 1 − r times those of ' +
      'the share.',
  ),
  record({ ...of('blank'), cells: list(group), prior: numbers() }, 'S[c], and where no cell is present, prior[c].'),
  record(
    { ...of('platt'), a: numbers(), b: numbers() },
    '−ln(1 + exp(a o + b)), normalised, with the log-odds o[c] = S[c] − ln Σ{d ≠ c} exp S[d].',
  ),
  record(
    { ...of('curve'), curve: ref('curve'), floor: ref('number'), share: shareSchema },
    'Log-probabilities S on a curve. A temperature: softmax(beta max(S, −1e4)). Others over the log-odds o[c] = S[c] − ln Σ{d ≠ c} exp ' +
      'S[d] within ±1e4: ln p of every class, or by one curve ln p of the second of two and ln(1 − p) of the first, normalised; heights ' +
      'of lines are kept within floor and 1 − floor. With a share r < 1, r times that plus 1 − r times S, normalised.',
  ),
  record(
    {
      op: { const: 'calibrated' },
      members: list(
        record({
          of: ref('score'),
          over: choices('probabilities', 'scores'),
          curve: ref('curve'),
        }),
        1,
      ),
    },
    'ln of the mean of calibrated probabilities: a curve over exp S or S for each class, normalised, or one for the second of two.',
  ),
];
