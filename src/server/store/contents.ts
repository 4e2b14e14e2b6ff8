import { compareCodePoints } from '../../data/order.ts';
import { PolyaError, refuse, show } from '../../errors.ts';
import { LearnScorer } from '../model/learn-scorer.ts';
import type { Example, ServedModel } from '../model/served-model.ts';
import { KeyTable } from './keys.ts';
import type { LearnRecord, ModelEntry, Past, Served, StoredFile, Verb } from './records.ts';

/** Entries of a history at most. */
const MAX_HISTORY = 500;

/** Rows that were learned one by one are learned again this many at a time: the counts are the same at a third of the cost. */
const REPLAYED_ROWS = 16_384;

/** A model of a store: what answers now, and what is on stable storage. */
export class StoredModel {
  /** The model that answers, with all that was applied in memory. */
  served: Served;
  /** The highest version number that was ever given. */
  highest: number;
  files: readonly StoredFile[];
  /** How well the model predicted rows before it learned them. */
  readonly scorer: LearnScorer;
  /** The latest version on stable storage. */
  private version: number;
  private readonly history: Past[];
  /** The version that is being written as a file: the history lists it separately. */
  private written = 0;
  /** Rows that `replay` has not applied yet. */
  private unapplied: Example[] = [];

  /** `model` is the content of the latest file. */
  constructor(
    { name, highest, version, files, history }: ModelEntry,
    model: ServedModel,
    scorer: LearnScorer = new LearnScorer(),
  ) {
    this.files = files;
    this.highest = highest;
    this.version = version;
    this.served = { name, version: this.base, model };
    this.history = [...history];
    this.scorer = scorer;
  }

  /** The latest version with a file. */
  get base(): number {
    return this.files.at(-1)?.version ?? 0;
  }

  /** Whether something was learned since the latest file. */
  get ahead(): boolean {
    return this.served.version > this.base;
  }

  /** The model for a manifest: what is on stable storage. */
  get entry(): ModelEntry {
    const { highest, version, files, history } = this;
    return { name: this.served.name, highest, version, files, history };
  }

  /** Does what requests ask for in memory, completely or not at all; each makes a version. */
  apply(verb: Verb, examples: readonly Example[], requests: number): void {
    const { model } = this.served;
    const score = verb === 'learn' ? this.scorer.predict(model, examples) : undefined;
    model[verb](examples);
    score?.();
    this.serve(model, this.highest + requests);
  }

  /** Applies a record of the log, unless the model contains it. `finishReplay` applies what is left after the last one. */
  replay({ kind, examples, version }: LearnRecord): void {
    if (version <= this.served.version) return;
    if (kind === 'unlearn') {
      this.finishReplay();
      this.replayRows('unlearn', examples);
    } else for (const example of examples) this.unapplied.push(example);
    if (this.unapplied.length >= REPLAYED_ROWS) this.finishReplay();
    this.serve(this.served.model, version);
  }

  finishReplay(): void {
    const rows = this.unapplied;
    this.unapplied = [];
    if (rows.length > 0) this.replayRows('learn', rows);
  }

  /** Serves a model, this one or another in its place, as a version. */
  serve(model: ServedModel, version: number): void {
    this.served = { name: this.served.name, version, model };
    this.highest = Math.max(this.highest, version);
  }

  /** The served version is about to be written as a file. */
  startFile(): Served {
    this.written = this.served.version;
    return this.served;
  }

  /** The files that a manifest is about to name: with a snapshot, or with another model, which `past` describes. */
  setFiles(files: readonly StoredFile[], past?: Past): void {
    this.files = files;
    if (past) this.addPast(past);
  }

  /**
   * Records of one kind are on stable storage, up to a version. What is learned between two snapshots becomes one entry of the history: a
   * stream of a million rows needs no million entries. The same holds for what is unlearned.
   */
  note(kind: Verb, version: number, at: number, rows: number): void {
    if (version <= this.version) return; // read again after a manifest that knows it
    const origin = kind === 'learn' ? 'learned' : 'unlearned';
    const last = this.history.at(-1);
    const goesOn = last?.origin === origin && !this.isFile(last.version);
    if (goesOn) this.history.pop();
    this.addPast({ version, origin, at, rows: rows + (goesOn ? last.rows : 0) });
  }

  /** What was accepted once is accepted again, unless file and records do not belong together. */
  private replayRows(verb: Verb, rows: readonly Example[]): void {
    const { name, model } = this.served;
    try {
      model[verb](rows, false); // they were checked before they were acknowledged
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      const sentence = `the log does not fit the model ${name}: ${cause.message}`;
      refuse('E_STORE_CORRUPT', sentence, { model: name, code: cause.code }, cause);
    }
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
    for (const file of this.files) if (file.version === version) return true; // no closure: a start asks once per record
    return false;
  }
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

  /** All models, by name. */
  list(): Served[] {
    const all = Array.from(this.models.values(), ({ served }) => served);
    return all.sort((a, b) => compareCodePoints(a.name, b.name));
  }

  /** The model of a name; an unknown one is `E_NOT_FOUND`. */
  find(name: string): StoredModel {
    const found = this.models.get(name);
    if (found) return found;
    const names = this.list().map((own) => own.name);
    const known = names.length > 0 ? `there are ${names.slice(0, 10).join(', ')}` : 'none is loaded';
    return refuse('E_NOT_FOUND', `there is no model ${show(name)}; ${known}`, { model: name });
  }

  /** Records are on stable storage, in this order. */
  note(records: readonly LearnRecord[]): void {
    let rows = 0;
    for (const [i, record] of records.entries()) {
      const { kind, model, version, at, examples } = record;
      const next = records[i + 1];
      this.keys.note(record);
      rows += examples.length;
      if (next?.kind === kind && next.model === model) continue;
      this.models.get(model)?.note(kind, version, at, rows);
      rows = 0;
    }
  }

  /** The models on stable storage, for a manifest. */
  entries(): ModelEntry[] {
    const gone = Array.from(this.removed, ([name, highest]) => ({ name, highest, version: 0, files: [], history: [] }));
    return [...Array.from(this.models.values(), ({ entry }) => entry), ...gone];
  }
}
