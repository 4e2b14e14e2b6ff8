/** A class label: all labels of one model are strings, or all are integers, or all are booleans. */
export type ServedLabel = string | number | boolean;

/** An instance to classify: a text, cells by name, or cells in column order. */
export type ServedInstance = string | Readonly<Record<string, unknown>> | readonly unknown[];

/** An instance with its label: the cells beside the label, or all of them as `instance`. */
export type ServedExample<L extends ServedLabel = ServedLabel> =
  | ({ readonly label: L; readonly weight?: number } & Readonly<Record<string, unknown>>)
  | { readonly instance: ServedInstance; readonly label: L; readonly weight?: number };

/** What to return besides the label. */
export interface PredictOptions {
  /** Return only the k most probable classes. Default: all. */
  readonly topK?: number | undefined;
  /** Return a label only if its probability is at least this. Default: no threshold. */
  readonly threshold?: Readonly<Record<string, number>> | undefined;
  /** Misclassification costs, by true label and predicted label; all others cost 1. Excludes `threshold`. Default: none. */
  readonly costs?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
  /** Mark predictions with a lower probability than this. Default: none are marked. */
  readonly reject?: number | undefined;
  /** Return this many of the features that contributed most. Default: none. */
  readonly explain?: number | undefined;
  /** Give each prediction an id, for `feedback`. Default: false. */
  readonly remember?: boolean | undefined;
  /** Reject an instance with missing or extra columns, or a cell of another type. Default: true. */
  readonly strict?: boolean | undefined;
}

/** The contribution of a feature to the log-odds of a label. */
export interface ServedContribution {
  readonly feature: string;
  readonly value: unknown;
  readonly weight: number;
}

/** Why a label was predicted rather than another, in nats. */
export interface ServedReasons<L extends ServedLabel = ServedLabel> {
  readonly against: L;
  readonly log_odds: number;
  readonly prior: number;
  readonly contributions: readonly ServedContribution[];
}

/** The prediction for one instance. */
export interface Prediction<L extends ServedLabel = ServedLabel> extends Partial<ServedReasons<L>> {
  /** For `feedback`; present if requested with `remember`. */
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

/** Metrics of a range of rows; null if undefined. */
export interface ServedScores {
  readonly n: number;
  readonly accuracy: number | null;
  readonly log_loss: number | null;
  readonly kappa: number | null;
}

/** The result of learning. */
export interface LearnAnswer {
  readonly model: string;
  readonly version: number;
  readonly learned: number;
  readonly prequential?: ServedScores & { readonly window: ServedScores };
  readonly repeated?: boolean;
}

/** The result of feedback. */
export interface FeedbackAnswer<L extends ServedLabel = ServedLabel> {
  readonly model: string;
  readonly version: number;
  readonly predicted: L;
  readonly correct: boolean;
  readonly repeated?: boolean;
}

/** A remembered prediction without feedback. */
export interface OpenPrediction<L extends ServedLabel = ServedLabel> {
  readonly id: string;
  readonly instance: ServedInstance;
  readonly label: L;
  readonly probability: number;
}

/** The result of unlearning. */
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

/** The description of a model. */
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

/** The difference between two versions. */
export interface ServedDifference {
  readonly model: string;
  readonly from: number;
  readonly to: number;
  /** The unit of the numbers in `moved`: counts of words, or information in nats. */
  readonly unit: 'count' | 'nats';
  /** The class shares. */
  readonly classes: readonly {
    readonly class: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  /** The number of values that changed, and those that changed most. */
  readonly all: number;
  readonly moved: readonly {
    readonly class: string;
    readonly feature: string;
    readonly before: number;
    readonly after: number;
  }[];
}

/** Metrics on labelled rows: those of scikit-learn's `classification_report`, with intervals. */
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

/** A background job. */
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

/** The parameters of a job. */
export interface JobRequest {
  readonly kind: 'fit' | 'tune' | 'compare';
  /** The id of a dataset. */
  readonly data: string;
  readonly config: Readonly<Record<string, unknown>> & { readonly target: string };
}
