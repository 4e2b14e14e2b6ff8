/** A class label: all labels of one model are strings, or all are integers, or all are booleans. */
export type ServedLabel = string | number | boolean;

/** What a server is asked about: a text, cells by name, or cells in the order of the columns. */
export type ServedInstance = string | Readonly<Record<string, unknown>> | readonly unknown[];

/** An instance with its label: the cells beside the label, or all of them as `instance`. */
export type ServedExample<L extends ServedLabel = ServedLabel> =
  | ({ readonly label: L; readonly weight?: number } & Readonly<Record<string, unknown>>)
  | { readonly instance: ServedInstance; readonly label: L; readonly weight?: number };

/** What is asked for beside the label. */
export interface PredictOptions {
  /** Return the k most probable classes only. */
  readonly topK?: number | undefined;
  /** Predict a label only from this probability on. */
  readonly threshold?: Readonly<Record<string, number>> | undefined;
  /** Costs of errors, by the true label and the predicted one; others cost 1. Excludes `threshold`. */
  readonly costs?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
  /** Mark predictions below this probability. */
  readonly reject?: number | undefined;
  /** Return this many features with the largest weights. */
  readonly explain?: number | undefined;
  /** Give each prediction an id, for `feedback`. */
  readonly remember?: boolean | undefined;
  /** Whether an instance with a column too few or too many, or a cell of another type, is refused. Default: true. */
  readonly strict?: boolean | undefined;
}

/** What a feature adds to the log-odds of a label. */
export interface ServedContribution {
  readonly feature: string;
  readonly value: unknown;
  readonly weight: number;
}

/** Why a label was given rather than another, in nats. */
export interface ServedReasons<L extends ServedLabel = ServedLabel> {
  readonly against: L;
  readonly log_odds: number;
  readonly prior: number;
  readonly contributions: readonly ServedContribution[];
}

/** What is said of one instance. */
export interface Prediction<L extends ServedLabel = ServedLabel> extends Partial<ServedReasons<L>> {
  /** For `feedback`, if it was asked for. */
  readonly id?: string;
  readonly label: L;
  readonly probability: number;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly rejected?: boolean;
}

/** Predictions of one version. */
export interface Predictions<L extends ServedLabel = ServedLabel> {
  readonly model: string;
  readonly version: number;
  readonly predictions: readonly Prediction<L>[];
}

/** Why one instance gets its label, and what would change it. */
export interface ServedExplanation<L extends ServedLabel = ServedLabel> extends ServedReasons<L> {
  readonly model: string;
  readonly version: number;
  readonly label: L;
  readonly probability: number;
  readonly counterfactual: { readonly instead: L; readonly without: readonly unknown[] } | null;
}

/** Scores of a stretch of rows; null where nothing defines them. */
export interface ServedScores {
  readonly n: number;
  readonly accuracy: number | null;
  readonly log_loss: number | null;
  readonly kappa: number | null;
}

/** What was learned. */
export interface LearnAnswer {
  readonly model: string;
  readonly version: number;
  readonly learned: number;
  readonly prequential?: ServedScores & { readonly window: ServedScores };
  readonly repeated?: boolean;
}

/** What feedback has done. */
export interface FeedbackAnswer<L extends ServedLabel = ServedLabel> {
  readonly model: string;
  readonly version: number;
  readonly predicted: L;
  readonly correct: boolean;
  readonly repeated?: boolean;
}

/** What was unlearned. */
export interface UnlearnAnswer {
  readonly model: string;
  readonly version: number;
  readonly unlearned: number;
  readonly exact: boolean;
  readonly repeated?: boolean;
}

/** A model in the list. */
export interface ModelSummary {
  readonly name: string;
  readonly version: number;
  readonly kind: string;
  readonly summary: string;
  readonly classes: number;
  readonly learns: boolean;
}

/** What a model is. */
export interface ServedCard<L extends ServedLabel = ServedLabel> extends Omit<ModelSummary, 'classes'> {
  readonly classes: readonly L[];
  readonly priors: readonly number[] | null;
  readonly target: string | null;
  readonly columns: readonly {
    readonly name: string;
    readonly kind: 'text' | 'number' | 'date' | 'level';
    readonly optional: boolean;
  }[];
  readonly evaluation: Readonly<Record<string, unknown>> | null;
  readonly learning: 'ready' | 'read-only' | 'disk-full' | 'no-learning';
}

/** One version of a model. */
export interface ServedVersion {
  readonly version: number;
  readonly origin: 'loaded' | 'uploaded' | 'learned' | 'unlearned' | 'rolled back' | 'merged' | 'decayed';
  readonly at: string;
  readonly rows: number;
  readonly kept: boolean;
}

/** What moved between two versions. */
export interface ServedDifference {
  readonly model: string;
  readonly from: number;
  readonly to: number;
  /** What the numbers of `moved` are: counts of words, or the nats that features tell. */
  readonly unit: 'count' | 'nats';
  /** The shares of the classes. */
  readonly classes: readonly {
    readonly class: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  /** How many numbers moved, and those that moved most. */
  readonly all: number;
  readonly moved: readonly {
    readonly class: string;
    readonly feature: string;
    readonly before: number;
    readonly after: number;
  }[];
}

/** A report on labelled rows: the numbers of scikit-learn's `classification_report`, with intervals. */
export interface ServedReport {
  readonly model: string;
  readonly version: number;
  readonly rows: number;
  readonly accuracy: { readonly value: number; readonly low: number; readonly high: number };
  readonly report: Readonly<Record<string, unknown>>;
  readonly logLoss: number | null;
  readonly brier: number | null;
  readonly calibrationError: number | null;
  readonly confusion: { readonly labels: readonly string[]; readonly matrix: readonly (readonly number[])[] };
}

/** Background work. */
export interface ServedJob {
  readonly id: string;
  readonly kind: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: { readonly share: number; readonly what: string };
  readonly created: string;
  readonly ended: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

/** What a job is to do. */
export interface JobRequest {
  readonly kind: 'fit' | 'tune' | 'compare';
  /** The id of a data set. */
  readonly data: string;
  readonly config: Readonly<Record<string, unknown>> & { readonly target: string };
}
