import { addScaledInto, argmax } from '../math/arrays.ts';
import type { Frame } from './records.ts';
import { Lesson, type Reading } from './records-lesson.ts';
import type { Member } from './records-members.ts';

/** How well a member told the class in some rows. */
export interface Tally {
  readonly rows: number;
  /** The sum of −ln p(y | x), each at most −ln 1e-15. */
  readonly loss: number;
  readonly right: number;
}

/**
 * A column as counts: how many rows of each class have each value in each fold. Whatever looks at this column alone learns and
 * is judged by values instead of rows, and all rows but those of some folds are the whole minus the parts.
 */
export class ColumnCounts {
  private readonly values: Float64Array;
  private readonly classes: number;
  private readonly reading: Reading;
  private readonly whole: Float64Array; // whole[v * classes + c]
  private readonly parts: readonly Part[];

  /** Counts a column of a lesson; rows of fold −1 are in the whole alone. */
  constructor({ frame, codes, classes, readings }: Lesson, column: number, folds: Int32Array) {
    const cells = frame.columns[column];
    this.values = Float64Array.from(new Set(cells)).sort();
    this.classes = classes;
    this.reading = readings[column];
    const places = new Map(Array.from(this.values, (value, v) => [value, v]));
    const count = folds.reduce((most, fold) => Math.max(most, fold + 1), 0);
    const size = this.values.length * classes;
    this.whole = new Float64Array(size);
    const parts = Array.from({ length: count }, () => new Float64Array(size));
    cells.forEach((value, i) => {
      const cell = places.get(value)! * classes + codes[i];
      this.whole[cell]++;
      if (folds[i] >= 0) parts[folds[i]][cell]++;
    });
    this.parts = parts.map((counts) => this.partOf(counts));
  }

  /** All rows but those of some folds: each value with each of its classes once, as heavy as it is frequent. */
  lesson(...without: readonly number[]): Lesson {
    const { classes } = this;
    const left = this.whole.slice();
    for (const fold of without) addScaledInto(left, -1, this.parts[fold].counts);
    const cells = filled(left);
    const frame = this.frameOf(cells.map((cell) => Math.floor(cell / classes)));
    const codes = cells.map((cell) => cell % classes);
    const weights = Float64Array.from(cells, (cell) => left[cell]);
    return new Lesson(frame, codes, classes, [this.reading], weights);
  }

  /** How a member that has learned this column as the first of a lesson tells the classes in a fold. */
  judge(member: Member, fold: number): Tally {
    const { classes } = this;
    const { counts, places, frame } = this.parts[fold];
    const { data } = member.scores(frame);
    const least = Math.log(1e-15);
    let [rows, loss, right] = [0, 0, 0];
    places.forEach((v, k) => {
      const best = argmax(data, k * classes, classes);
      for (let c = 0; c < classes; c++) {
        const count = counts[v * classes + c];
        rows += count;
        if (count > 0) loss -= count * Math.max(least, data[k * classes + c]);
        if (c === best) right += count;
      }
    });
    return { rows, loss, right };
  }

  private partOf(counts: Float64Array): Part {
    const places = Int32Array.from(new Set(filled(counts).map((cell) => Math.floor(cell / this.classes))));
    return { counts, places, frame: this.frameOf(places) };
  }

  private frameOf(places: Int32Array): Frame {
    return { rows: places.length, columns: [Float64Array.from(places, (v) => this.values[v])] };
  }
}

/** One fold: its counts, the places of the values that are in it, and these values. */
interface Part {
  readonly counts: Float64Array;
  readonly places: Int32Array;
  readonly frame: Frame;
}

/** The cells that are not empty, in order. */
function filled(counts: Float64Array): Int32Array {
  const cells = new Int32Array(counts.length);
  let found = 0;
  for (let cell = 0; cell < counts.length; cell++) if (counts[cell] > 0) cells[found++] = cell;
  return cells.subarray(0, found);
}
