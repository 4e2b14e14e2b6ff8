import { Prequential, type StreamScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import { TokenBucket } from '../http/token-bucket.ts';
import type { Example, ServedModel } from '../model/served-model.ts';
import { KeyTable } from './keys.ts';
import type {
  KeysRecord,
  Learned,
  LearnRecord,
  LearnScores,
  ModelEntry,
  Past,
  Served,
  StoredFile,
  Verb,
} from './records.ts';

/** Entries of a history at most. */
const MAX_HISTORY = 500;

/**
 * Rows that are predicted before they are learned: at most 250 per second, and all of a group or none, because the first prediction after
 * learning costs as much as a hundred others. The scores look back on the latest thousand rows.
 */
const [EVALUATED_PER_SECOND, EVALUATED_AT_ONCE] = [250, 1000];

/** A model of a store: what answers now, and what is on stable storage. */
export class StoredModel {
  /** The model that answers, with all that was applied in memory. */
  served: Served;
  /** The highest version number that was ever given. */
  highest: number;
  files: readonly StoredFile[];
  /** How well the model predicted rows before it learned them. */
  readonly stream: Prequential;
  /** The latest version on stable storage. */
  private version: number;
  private readonly history: Past[];
  /** The version that is being written as a file: the history lists it separately. */
  private written = 0;
  private readonly budget = new TokenBucket(EVALUATED_PER_SECOND, EVALUATED_AT_ONCE);
  private scored: Learned['prequential'] = null;

  /** `model` is the content of the latest file. */
  constructor(
    { name, highest, version, files, history }: ModelEntry,
    model: ServedModel,
    stream: Prequential = new Prequential(),
  ) {
    this.files = files;
    this.highest = highest;
    this.version = version;
    this.served = { name, version: this.base, model };
    this.history = [...history];
    this.stream = stream;
  }

  /** The latest version with a file. */
  get base(): number {
    return this.files.at(-1)?.version ?? 0;
  }

  /** Whether something was learned since the latest file. */
  get ahead(): boolean {
    return this.served.version > this.base;
  }

  /** The model for a checkpoint: what is on stable storage. */
  get entry(): ModelEntry {
    const { highest, version, files, history } = this;
    return { name: this.served.name, highest, version, files, history };
  }

  /** Does what requests ask for in memory, completely or not at all; each makes a version. */
  apply(verb: Verb, examples: readonly Example[], requests: number): void {
    const { model } = this.served;
    const wanted = verb === 'learn' ? Math.min(examples.length, EVALUATED_AT_ONCE) : 0;
    const now = performance.now();
    const count = this.budget.has(wanted, now) ? this.budget.take(wanted, now) : 0;
    const guesses = count > 0 ? predict(model, examples.slice(0, count)) : [];
    model[verb](examples);
    for (const [i, { label, probability }] of guesses.entries()) {
      this.stream.update(examples[i].label, label, probability);
    }
    this.serve(model, this.highest + requests);
  }

  /** Serves a model, this one or another in its place, as a version. */
  serve(model: ServedModel, version: number): void {
    this.served = { name: this.served.name, version, model };
    this.highest = Math.max(this.highest, version);
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

  /** The served version is about to be written as a file. */
  startFile(): Served {
    this.written = this.served.version;
    return this.served;
  }

  /** A file is about to be named by a manifest, beside the latest ones up to a number: a snapshot, or with `past` another model. */
  addFile(files: readonly StoredFile[], past?: Past): void {
    this.files = files;
    if (past) this.addPast(past);
  }

  /**
   * A record is on stable storage. What is learned between two snapshots becomes one entry of the history: a stream of a million rows
   * needs no million entries. The same holds for what is unlearned.
   */
  note({ kind, version, at, examples }: LearnRecord): void {
    if (version <= this.version) return; // read again after a manifest that knows it
    const origin = kind === 'learn' ? 'learned' : 'unlearned';
    const last = this.history.at(-1);
    const goesOn = last?.origin === origin && !this.isFile(last.version);
    if (goesOn) this.history.pop();
    this.addPast({ version, origin, at, rows: examples.length + (goesOn ? last.rows : 0) });
  }

  /** Adds a version to the history. */
  private addPast(past: Past): void {
    const { history } = this;
    this.version = past.version;
    history.push(past);
    if (history.length <= MAX_HISTORY) return;
    const dropped = history.findIndex((own) => !this.isFile(own.version));
    history.splice(Math.max(0, dropped), 1);
  }

  private isFile(version: number): boolean {
    if (version === this.written) return true;
    for (const file of this.files) if (file.version === version) return true;
    return false;
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

/** All that a store contains. */
export class Contents {
  readonly models: Map<string, StoredModel> = new Map();
  /** Models that were removed, with the highest version that they had. */
  readonly removed: Map<string, number> = new Map();
  readonly keys: KeyTable;

  constructor(keys: KeyTable = new KeyTable(0)) {
    this.keys = keys;
  }

  /** A record is on stable storage. */
  note(record: LearnRecord | KeysRecord): void {
    this.keys.note(record);
    if (record.kind !== 'keys') this.models.get(record.model)?.note(record);
  }

  /** The models on stable storage, for a manifest. */
  entries(): ModelEntry[] {
    const gone = Array.from(this.removed, ([name, highest]) => ({ name, highest, version: 0, files: [], history: [] }));
    return [...Array.from(this.models.values(), ({ entry }) => entry), ...gone];
  }
}
