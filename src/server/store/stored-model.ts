import { Prequential, type StreamScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import { TokenBucket } from '../http/token-bucket.ts';
import type { Example, ServedModel } from '../model/served-model.ts';
import type { Learned, LearnScores, Served, Verb, VersionEntry } from '../model-store.ts';
import type { LearnRecord, ModelEntry, Past, StoredFile } from './records.ts';

/** Entries of a history at most. */
const MAX_HISTORY = 500;

/**
 * Rows that are predicted before they are learned: at most 250 per second. A prediction costs twice as much as learning, and the scores
 * look back on the latest thousand rows.
 */
const [EVALUATED_PER_SECOND, EVALUATED_AT_ONCE] = [250, 1000];

/** A model of a durable store: what answers now, and what is on stable storage. */
export class StoredModel {
  /** The model that answers, with all that was applied in memory. */
  served: Served;
  /** The highest version number that was ever given. */
  highest: number;
  /** Files on stable storage, and those that will be once all that is queued is written. */
  files: readonly StoredFile[];
  planned: readonly StoredFile[];
  /** How well the model predicted rows before it learned them. */
  readonly stream: Prequential;
  /** The latest version on stable storage. */
  private version: number;
  private readonly history: Past[];
  /** Versions that have a file or are being written as one: the history lists them separately. */
  private readonly snapshots: Set<number>;
  private readonly budget = new TokenBucket(EVALUATED_PER_SECOND, EVALUATED_AT_ONCE);
  private scored: Learned['prequential'] = null;

  /** `model` is the content of the latest file; `snapshots` are versions that had one. */
  constructor(
    { name, highest, version, files, history }: ModelEntry,
    model: ServedModel,
    { stream = new Prequential(), snapshots = files.map((file) => file.version) as Iterable<number> } = {},
  ) {
    this.files = files;
    this.planned = files;
    this.highest = highest;
    this.version = version;
    this.served = { name, version: this.base.version, model };
    this.history = [...history];
    this.stream = stream;
    this.snapshots = new Set(snapshots);
  }

  /** The latest version with a file. */
  get base(): StoredFile {
    return this.files.at(-1) ?? { version: 0, file: '', bytes: 0, sum: 0 };
  }

  /** Whether something was learned since the latest file. */
  get ahead(): boolean {
    return this.served.version > this.base.version;
  }

  /** The model for a checkpoint: what is on stable storage. */
  get entry(): ModelEntry {
    const { highest, version, files, history } = this;
    return { name: this.served.name, highest, version, files, history };
  }

  /** All versions. Those after the latest file can be rolled back to as long as their records are there. */
  versions(): VersionEntry[] {
    const { base, files } = this;
    const kept = (version: number) => version >= base.version || files.some((file) => file.version === version);
    return this.history.map((past) => ({ ...past, at: new Date(past.at).toISOString(), kept: kept(past.version) }));
  }

  /** Does what requests ask for in memory, completely or not at all; each makes a version. */
  apply(verb: Verb, examples: readonly Example[], requests: number): void {
    const { model, name } = this.served;
    const count = verb === 'learn' ? this.budget.take(examples.length, performance.now()) : 0;
    const guesses = count > 0 ? predict(model, examples.slice(0, count)) : [];
    model[verb](examples);
    for (const [i, { label, probability }] of guesses.entries()) {
      this.stream.update(examples[i].label, label, probability);
    }
    this.highest += requests;
    this.served = { name, version: this.highest, model };
  }

  /** Prequential scores; null before the first row. Requests of one group share an object. */
  scores(): Learned['prequential'] {
    const { n } = this.stream;
    if (n > 0 && this.scored?.n !== n) {
      const all = this.stream.scores();
      this.scored = { ...scoresOf(all), window: scoresOf(all.window) };
    }
    return this.scored;
  }

  /** Serves another model under a new version. */
  replace(model: ServedModel): Served {
    this.served = { name: this.served.name, version: ++this.highest, model };
    return this.served;
  }

  /** The served version is about to be written as a file; returns it. */
  startSnapshot(): number {
    this.snapshots.add(this.served.version);
    return this.served.version;
  }

  /** A record is on stable storage. */
  noteRecord({ kind, version, at, examples }: LearnRecord): void {
    this.note({ version, origin: kind === 'learn' ? 'learned' : 'unlearned', at, rows: examples.length });
  }

  /** Files are on stable storage, the last with the model up to its version. */
  noteFiles(files: readonly StoredFile[], past?: Past): void {
    if (past) this.note(past);
    this.files = files;
    for (const { version } of files) this.snapshots.add(version);
  }

  /** The model was removed: another one of the name has a history of its own. */
  forget(): void {
    this.history.length = 0;
  }

  /** A model that recovery has brought to a version. */
  reach(version: number): void {
    this.served = { ...this.served, version };
    this.version = version;
    this.highest = Math.max(this.highest, version);
  }

  /**
   * Adds a version to the history. What is learned between two snapshots becomes one entry: a stream of a million rows needs no
   * million entries. The same holds for what is unlearned.
   */
  private note(past: Past): void {
    const { history } = this;
    const last = history.at(-1);
    this.version = past.version;
    const learning = past.origin === 'learned' || past.origin === 'unlearned';
    if (last && learning && last.origin === past.origin && !this.snapshots.has(last.version)) {
      history[history.length - 1] = { ...past, rows: last.rows + past.rows };
      return;
    }
    history.push(past);
    if (history.length <= MAX_HISTORY) return;
    const kept = new Set(this.files.map(({ version }) => version));
    const dropped = history.findIndex(({ version }) => !kept.has(version));
    history.splice(Math.max(0, dropped), 1);
  }
}

/** Scores for JSON, which has no NaN. */
function scoresOf({ n, accuracy, logLoss, kappa }: StreamScores): LearnScores {
  const number = (value: number) => (Number.isFinite(value) ? value : null);
  return { n, accuracy: number(accuracy), log_loss: number(logLoss), kappa: number(kappa) };
}

/** The labels that a model predicts for examples, and the probability that it gives to their true labels. */
function predict(model: ServedModel, examples: readonly Example[]) {
  const { classes } = model;
  const instances = examples.map(({ instance }) => instance);
  const logProba = model.predictLogProba(instances, true, 'examples');
  return examples.map(({ label }, i) => {
    const row = logProba.row(i);
    const c = classes.indexOf(label);
    return { label: classes[argmax(row)], probability: c < 0 ? 0 : Math.min(1, Math.exp(row[c])) };
  });
}
