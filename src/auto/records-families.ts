import { addScaledInto, argmax } from '../math/arrays.ts';
import { type Frame, type Reading, TrainingRows } from './records.ts';
import { familyPart, levelPart, type NumberFamily } from './records-candidates.ts';
import { Member, orNothing } from './records-pool.ts';

/** How well a member told the class in some rows. */
export interface Tally {
  readonly rows: number;
  /** The sum of −ln p(y | x), each at most −ln 1e-15. */
  readonly loss: number;
  readonly right: number;
}

/**
 * A column as counts: how many rows of each class have each value in each fold. Whatever looks at this column alone learns and
 * is evaluated by values instead of rows, and all rows but those of some folds are the whole minus the parts.
 */
export class ColumnCounts {
  private readonly values: Float64Array;
  private readonly classes: number;
  private readonly reading: Reading;
  private readonly whole: Float64Array; // whole[v * classes + c]
  private readonly parts: readonly Part[];

  /** Counts a column of training rows; rows of fold −1 are in the whole alone. */
  constructor({ frame, codes, classes, readings }: TrainingRows, column: number, folds: Int32Array) {
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
  training(...without: readonly number[]): TrainingRows {
    const { classes } = this;
    const left = this.whole.slice();
    for (const fold of without) addScaledInto(left, -1, this.parts[fold].counts);
    const cells = filled(left);
    const frame = this.frameOf(cells.map((cell) => Math.floor(cell / classes)));
    const codes = cells.map((cell) => cell % classes);
    const weights = Float64Array.from(cells, (cell) => left[cell]);
    return new TrainingRows(frame, codes, classes, [this.reading], weights);
  }

  /** How a member that has learned this column as the first of its rows tells the classes in a fold. */
  evaluate(member: Member, fold: number): Tally {
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

/** What one column alone says about the class, out of fold. */
export interface ColumnScore {
  readonly column: number;
  readonly family: NumberFamily | 'categorical';
  /** Log-loss of the class given this column, by family; the least decides. */
  readonly logLoss: Readonly<Record<string, number>>;
  readonly accuracy: number;
}

/** Kernels are tried where rows times different values are fewer than this. */
const MOST_KERNELS = 2e5;

/** The families that could describe a column of numbers. */
function familiesFor(column: Float64Array): NumberFamily[] {
  const values = new Set(column);
  const counts = [...values].every(
    (value) => Number.isNaN(value) || (Number.isInteger(value) && value >= 0 && value < 1e6),
  );
  return [
    'gaussian',
    ...(column.length * values.size <= MOST_KERNELS ? (['kernel'] as const) : []),
    'mdl',
    'frequency',
    ...(counts ? (['poisson'] as const) : []),
  ];
}

/** Beyond so many columns of numbers all get one family: to choose for each takes minutes, and is luck for many of them. */
const MANY_COLUMNS = 1000;

/** How well each column alone predicts the class of the held-out folds, and in which family it does best: of those given, or of all. */
export function columnScores(
  training: TrainingRows,
  folds: Int32Array,
  held: readonly number[],
  check: () => void,
  given?: readonly NumberFamily[],
): ColumnScore[] {
  const one = training.columns('number').length > MANY_COLUMNS ? (['gaussian'] as const) : undefined;
  const numbers = (column: number) => given ?? one ?? familiesFor(training.frame.columns[column]);
  return training.readings.map((reading, column) => {
    check();
    const families = reading === 'level' ? (['categorical'] as const) : numbers(column);
    return { column, ...compareFamilies(new ColumnCounts(training, column, folds), families, held) };
  });
}

type Family = ColumnScore['family'];

/** The out-of-fold loss of a column alone in every family that can learn it. */
function compareFamilies(counts: ColumnCounts, families: readonly Family[], held: readonly number[]) {
  const logLoss: Record<string, number> = {};
  const trainingSets = held.map((fold) => counts.training(fold));
  let best = { family: families[0], accuracy: 0 };
  for (const family of families) {
    const tallies = orNothing(() => trainingSets.map((training, k) => tallyOf(counts, training, family, held[k])));
    if (!tallies?.every((tally) => tally !== undefined)) continue;
    const total = (of: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[of], 0);
    logLoss[family] = total('loss') / total('rows');
    const least = Math.min(...Object.values(logLoss));
    if (logLoss[family] === least) best = { family, accuracy: total('right') / total('rows') };
  }
  return { ...best, logLoss };
}

function tallyOf(counts: ColumnCounts, training: TrainingRows, family: Family, fold: number): Tally | undefined {
  const member = memberOf(training, family);
  return member && counts.evaluate(member, fold);
}

/** A member that looks at the only column of training rows. */
function memberOf(training: TrainingRows, family: Family): Member | undefined {
  const part = family === 'categorical' ? levelPart(training, [{ column: 0 }]) : familyPart(training, family, [0]);
  return part && new Member(family, [part], training.classes);
}
