/** What becomes of a cell that is absent or on no list: a refusal, a missing number (NaN), or this number. */
export type Fallback = 'refuse' | 'missing' | number;

interface Column {
  /** The name of the column: its own, or x0, x1 … by its place. */
  readonly name: string;
  /** The place of the column in rows that are lists. */
  readonly column: number;
}

/** How a column is read. */
export type PlanInput = NumberInput | LevelInput | TextInput;

/** A number, or `width` of them: consecutive cells of a row that is a list, or with `list` the elements of one cell. */
export interface NumberInput extends Column {
  readonly kind: 'number';
  readonly width: number;
  readonly list: boolean;
  /** The least and the greatest number that is taken. */
  readonly least: number;
  readonly most: number;
  /** true and false are 1 and 0, and no other numbers are taken. */
  readonly bits: boolean;
  /** null, NaN and undefined. */
  readonly missing: Fallback;
  /**
   * Strings that spell numbers are numbers, and whatever is none is missing; with `bits` the words true and false are 1 and 0,
   * whatever their case, and other numbers stay.
   */
  readonly lenient: boolean;
}

/** One of several levels, read as its number. */
export interface LevelInput extends Column {
  readonly kind: 'level';
  /** The levels in order, or the whole numbers from 0 below this one. */
  readonly levels: readonly (string | number | boolean)[] | number;
  /** The number of each level; its place by default. */
  readonly codes?: Float64Array;
  /**
   * When a cell is a level: 'word' takes true and false for their words; 'exact' asks for the same type too; 'trimmed'
   * compares the cell as a string without blanks around it, and a blank one is missing.
   */
  readonly match: 'word' | 'exact' | 'trimmed';
  readonly missing: Fallback;
  /** A level on no list. */
  readonly unknown: Fallback;
  /** The cell is a list, and this is the place of the level in it. */
  readonly element?: number;
}

/** A text. */
export interface TextInput extends Column {
  readonly kind: 'text';
  /** What is missing is an empty text, and what is no string becomes one. */
  readonly lenient: boolean;
}
