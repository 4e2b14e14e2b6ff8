/** What becomes of a cell that is absent or on no list: a refusal, a missing number (NaN), or this number. */
export type Fallback = 'refuse' | 'missing' | number;

interface Column {
  /** The name of the column: its own, or x0, x1 … by its place. */
  readonly name: string;
  /** The place of the column in rows that are lists. */
  readonly column: number;
}

/** A part of a date as it is written, whatever its offset; in days since 1970, or as a word: Sun, Mon …, 1 to 12, 0 to 23. */
export interface PlanDate {
  /** Whether `5/4/2023` is in April or in May. */
  readonly order: 'day-first' | 'month-first';
  readonly part: 'days' | 'weekday' | 'month' | 'hour';
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
  /**
   * With `lenient`, strings may have a currency sign, a percent sign, separators between thousands, or parentheses for a negative
   * amount, and this decimal mark; without it they are plain numbers.
   */
  readonly spelling?: 'point' | 'comma';
  /** With `lenient`, the cell is a date, and the number its days. */
  readonly date?: PlanDate;
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
  /** Words that stand for a missing cell; with `match` trimmed. */
  readonly absent?: readonly string[];
  /** Other words for some of the levels, each with the level that it stands for; with `match` trimmed. */
  readonly aliases?: readonly (readonly [word: string, level: string])[];
  /** The cell is a date, and the level a part of it. */
  readonly date?: PlanDate;
}

/** A text. */
export interface TextInput extends Column {
  readonly kind: 'text';
  /** What is missing is an empty text, and what is no string becomes one. */
  readonly lenient: boolean;
}
