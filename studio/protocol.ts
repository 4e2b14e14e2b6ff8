import type { ErrorDetails, Warning } from '../src/index.ts';
import type { Evaluation, NumberStyle } from '../src/workbench.ts';

/** The encodings of text that can be chosen. */
export const textEncodings = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'gbk', 'gb18030', 'big5', 'shift_jis', 'euc-kr', 'windows-1252', 'latin1'],
] as const;

/** A file, with its path below the folder that was opened. */
export interface NamedFile {
  readonly path: string;
  readonly blob: Blob;
}

/** The source of the data. */
export type DataSource =
  | { readonly kind: 'files'; readonly files: readonly NamedFile[]; readonly encoding?: string }
  | { readonly kind: 'sample'; readonly name: string }
  | { readonly kind: 'paste'; readonly text: string };

/** The frequency of a value. */
export interface Share {
  readonly value: string;
  readonly rows: number;
  readonly share: number;
}

/** The description of a column. */
export interface ColumnCard {
  readonly name: string;
  readonly kind: string;
  readonly role: 'target' | 'feature' | 'ignored';
  readonly reason: string;
  readonly missing: number;
  readonly distinct: number;
  readonly top?: readonly Share[];
  readonly typicalLength?: number;
  /** For numbers: bins of equal width between minimum and maximum. */
  readonly histogram?: {
    readonly from: number;
    readonly to: number;
    readonly bars: readonly number[];
    /** How the cells are read. */
    readonly style?: NumberStyle;
  };
  /** I(column; target) in bits; absent for texts and where there is no target. */
  readonly information?: number;
}

/** A warning of the library: kind, subject, value and sentence. */
export type Notice = Warning;

/** The profile of the rows for a target. */
export interface Profile {
  readonly target?: {
    readonly name: string;
    readonly guessed: boolean;
    readonly reason: string;
    readonly classes: readonly Share[];
    readonly missing: number;
  };
  readonly columns: readonly ColumnCard[];
  readonly duplicates: number;
  readonly warnings: readonly Notice[];
}

/** The value of a cell; null is a blank. */
export type CellValue = string | number | boolean | null;

/** An edit of the data: changed cells of a row, or a new last row; null removes the last row. */
export interface Edit {
  readonly place: number;
  readonly cells: Readonly<Record<string, CellValue>> | null;
}

/** A row before and after some edits; undefined where there is none. */
export interface RowChange {
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
}

/** The effect of an edit, and its inverse. */
export interface Edited extends RowChange {
  readonly inverse: Edit;
  /** The runs whose models have learned the row and are updated. */
  readonly follows: readonly number[];
  /** The columns after the edit, which may have added one, and the number of rows. */
  readonly columns: readonly string[];
  readonly rows: number;
}

/** Data that are open. */
export interface Opened {
  readonly name: string;
  readonly source: DataSource['kind'];
  readonly format: string;
  /** The text encoding; '' if the data are not text. */
  readonly encoding: string;
  readonly reason: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
  /** The new names of columns whose name another column had before them. */
  readonly renamed: readonly string[];
  readonly profile: Profile;
}

/** The settings of a training, named as on the command line. */
export interface Settings {
  readonly target: string;
  readonly model: string;
  readonly alpha: string;
  readonly ngrams: string;
  readonly calibrate: string;
  /** '' or balanced. */
  readonly classWeight: string;
  readonly holdout: number;
  readonly seed: number;
  /** The columns to classify by; empty for all useful columns. */
  readonly features: readonly string[];
  readonly kinds: Readonly<Record<string, string>>;
  /** The column that marks training and test rows; '' if rows are held out at random. */
  readonly splitColumn: string;
  /** Words to ignore in all texts. */
  readonly without: readonly string[];
  /** Seconds after which `auto` finishes with the best models so far; 0 for no limit. */
  readonly budget: number;
}

/** A model that `auto` compares, with its log-loss on more and more held-out rows. */
export interface Racer {
  /** The text column that it classifies by, or 'columns'. */
  readonly of: string;
  readonly name: string;
  readonly points: readonly { readonly rows: number; readonly logLoss: number; readonly accuracy: number }[];
}

/** One class against all others: everything that depends on a threshold. */
export interface Operating {
  readonly label: string;
  readonly positives: number;
  readonly negatives: number;
  /** Rows of the class, and of the others, whose score is at least k / (length − 1). */
  readonly above: readonly [own: Float64Array, others: Float64Array];
  readonly roc: readonly (readonly [x: number, y: number])[];
  readonly area: number;
  readonly precisionRecall: readonly (readonly [x: number, y: number])[];
  readonly averagePrecision: number;
  /** Ten bins of equal width; empty bins are left out. */
  readonly calibration: readonly {
    readonly from: number;
    readonly to: number;
    readonly rows: number;
    readonly predicted: number;
    readonly observed: number;
    readonly low: number;
    readonly high: number;
  }[];
  readonly histogram: readonly { readonly from: number; readonly own: number; readonly others: number }[];
}

/**
 * A threshold rule: the class is predicted if and only if its probability reaches the threshold. Without a rule the most probable class is
 * predicted.
 */
export interface ThresholdRule {
  readonly label: string;
  readonly threshold: number;
}

/** The evaluation of a model on held-out rows. */
export interface Evaluated {
  readonly evaluation: Evaluation;
  readonly operating: readonly Operating[];
}

/** A training run and its results. */
export interface Run {
  readonly id: number;
  /** The name that the user gave it. */
  readonly name?: string;
  readonly settings: Settings;
  /** The number of edits made before it was trained. */
  readonly edits: number;
  readonly features: readonly string[];
  readonly texts: readonly string[];
  readonly model: string;
  readonly summary: string;
  readonly classes: readonly string[];
  readonly learns: boolean;
  readonly tried: readonly {
    readonly of: string;
    readonly name: string;
    readonly logLoss: number;
    readonly accuracy: number;
    readonly chosen: boolean;
  }[];
  /** How the models that `auto` tried did as more rows were held out; absent for a named model. */
  readonly race?: readonly Racer[];
  readonly warnings: readonly Notice[];
  readonly trainRows: number;
  readonly testRows: number;
  readonly seconds: number;
  readonly evaluated?: Evaluated;
  /** The learning curve: accuracy on a sample of the held-out rows by number of training rows. */
  readonly curve: readonly {
    readonly rows: number;
    readonly tests: number;
    readonly accuracy: number;
    readonly logLoss: number;
  }[];
  /**
   * How the training was stopped: during the search, so that these are the best models until then, or later, so that the model of the
   * training rows is the final one.
   */
  readonly stopped?: 'search' | 'rows';
  /** The model of all rows, once it is trained. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** An error as plain data. */
export interface Refusal {
  readonly code: string;
  readonly sentence: string;
  /** Position and amounts, by the names that `PolyaError.details` uses. */
  readonly details?: ErrorDetails;
}

/** A progress report of a worker. */
export type News =
  | {
      readonly kind: 'progress';
      readonly phase: Phase;
      readonly share: number;
      readonly what: string;
      /** Estimated seconds left, once they can be estimated. */
      readonly left?: number;
    }
  | { readonly kind: 'race'; readonly race: readonly Racer[] }
  | { readonly kind: 'curve'; readonly id: number; readonly curve: Run['curve'] }
  | { readonly kind: 'evaluated'; readonly run: Run; readonly bytes: Uint8Array<ArrayBuffer> };

/** The phase of the current task. */
export type Phase = 'reading' | 'learning' | 'evaluating' | 'again' | 'curve';

/** A request to the worker, and its reply. */
export interface Question {
  readonly id: number;
  readonly method: string;
  readonly given: readonly unknown[];
}

/** See `Question`. */
export type Reply =
  | { readonly id: number; readonly news: News }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly refusal: Refusal };
