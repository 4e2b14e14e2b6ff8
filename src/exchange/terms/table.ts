import { dense } from '../cells.ts';
import { nested, type Shape, table, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

export interface Owner {
  /** How many levels each feature has, not counting the face for unknown levels. */
  readonly levels: Int32Array;
  /** Where the faces of each feature begin: Σ (levels + 1) before it. */
  readonly offsets: Int32Array;
}

const faces: Shape<Float64Array> = {
  ...table(3, () => []),
  write: (values, { classes }, owner) => {
    const { levels, offsets } = owner as Owner;
    return Array.from(levels, (count, j) =>
      nested(values.subarray(offsets[j] * classes, (offsets[j] + count + 1) * classes), [count + 1, classes]),
    );
  },
};

const shape = term(
  'table',
  { faces },
  'Σ faces[j][x[j]][c]; the last face of each feature is for unknown levels.',
  (_, json): Owner => {
    const levels = Int32Array.from(json.faces as unknown[][], (own) => own.length - 1);
    let from = 0;
    return { levels, offsets: levels.map((count) => (from += count + 1) - count - 1) };
  },
);

/** Σ faces[(offsets[j] + x[j]) · C + c]: each feature is a level; the last face of each feature is for unknown levels. */
export type TableTerm = ValueOf<typeof shape>;

const run: Add<TableTerm> = ({ levels, offsets, faces: all }, cells, score) => {
  const x = dense(cells);
  for (let j = 0; j < x.length; j++) {
    if (Number.isNaN(x[j])) continue;
    const from = (offsets[j] + Math.min(x[j], levels[j])) * score.length;
    for (let c = 0; c < score.length; c++) score[c] += all[from + c];
  }
};

export const tableTerm: TermOperation<TableTerm> = { shape, run };
