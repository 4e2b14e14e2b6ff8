import { Prequential, type PrequentialScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import type { Example, ServedModel } from '../model/served-model.ts';
import type { Served, VersionEntry } from '../model-store.ts';
import { Allowance } from './allowance.ts';
import { type Past, withVersion } from './history.ts';
import type { KeptFile, ModelEntry } from './manifest.ts';
import type { Record, Verb } from './record.ts';

/** A model of a durable store: what answers now, and what is on stable storage. */
export class KeptModel {
  served: Served;
  files: readonly KeptFile[];
  highest: number;
  private history: readonly Past[];
  private stream: Prequential;
  private readonly allowance = new Allowance();
  /** The scores as they were last told: all requests of a group are told the same. */
  private told: PrequentialScores | undefined;
  /** Versions that are being written as files: what is learned after them is told apart. */
  private readonly cuts = new Set<number>();
  /** Blocks with records that the latest file does not hold, each with the last version in it. */
  private blocks: { readonly number: number; readonly version: number }[] = [];

  /** `model` is what the latest file holds; without one it is yet to come, by `replace`. */
  constructor({ name, highest, files, history }: ModelEntry, model?: ServedModel, stream = new Prequential()) {
    this.files = files;
    this.served = { name, version: this.base.version, model: model as ServedModel };
    this.highest = highest;
    this.history = history.filter(({ version }) => version <= this.base.version); // later ones come from their records
    this.stream = stream;
  }

  /** The latest version that is kept as a file. */
  get base(): KeptFile {
    return this.files.at(-1) ?? { version: 0, file: '', bytes: 0, sum: 0 };
  }

  /** The first block with a record that the latest file does not hold. */
  get firstBlock(): number {
    return this.blocks[0]?.number ?? Number.POSITIVE_INFINITY;
  }

  /** Whether something was learned that the latest file does not hold. */
  get ahead(): boolean {
    return this.served.version > this.base.version;
  }

  /** The model as the manifest tells it. */
  get entry(): ModelEntry {
    const { highest, files, history } = this;
    return { name: this.served.name, highest, files, history };
  }

  /** All versions; those after the latest file can be gone back to as long as their records are there. */
  versions(): VersionEntry[] {
    return this.history.map((past) => ({
      ...past,
      at: new Date(past.at).toISOString(),
      kept: this.keeps(past.version),
    }));
  }

  /** Whether a version can be gone back to. */
  keeps(version: number): boolean {
    return version >= this.base.version || this.files.some((file) => file.version === version);
  }

  /** Does what a request asks for, in memory: all of it, or nothing and a refusal. Answers the new version. */
  apply(verb: Verb, examples: readonly Example[]): number {
    const { model, name } = this.served;
    const judged = verb === 'learn' ? this.allowance.take(examples.length, performance.now()) : 0;
    const guesses = judged > 0 ? guess(model, examples.slice(0, judged)) : [];
    model[verb](examples);
    for (let i = 0; i < guesses.length; i++) {
      this.stream.update(examples[i].label, guesses[i].label, guesses[i].probability);
    }
    this.highest++;
    this.served = { name, version: this.highest, model };
    return this.highest;
  }

  /** The model has learned the record of this version again. */
  reach(version: number): void {
    this.highest = Math.max(this.highest, version);
    this.served = { ...this.served, version };
  }

  /** How good the model was on rows before it learned them; null before the first. */
  scores(): PrequentialScores | null {
    const { n } = this.stream;
    if (n > 0 && this.told?.n !== n) this.told = this.stream.scores();
    return this.told ?? null;
  }

  /** Another model takes the place of this one under a new version. */
  replace(model: ServedModel): Served {
    this.highest++;
    this.served = { name: this.served.name, version: this.highest, model };
    return this.served;
  }

  /** The model of now is to become a file: its version. */
  cut(): number {
    this.cuts.add(this.served.version);
    return this.served.version;
  }

  /** Notes a file that holds the model up to its version: older records are not needed any more. */
  keep(file: KeptFile, past?: Past): void {
    if (past) this.note(past);
    this.cuts.delete(file.version);
    this.files = [...this.files, file].sort((a, b) => a.version - b.version);
    this.blocks = this.blocks.filter(({ version }) => version > file.version);
  }

  /** Forgets all but the latest files; answers those that are forgotten. */
  forgetFiles(most: number): readonly KeptFile[] {
    const old = this.files.slice(0, -most);
    this.files = this.files.slice(-most);
    return old;
  }

  /** Notes a record that is in a block on stable storage. */
  noteRecord({ version, verb, at, examples }: Record, block: number): void {
    const origin = verb === 'learn' ? 'learned' : 'unlearned';
    this.note({ version, origin, at, rows: examples.length });
    this.noteBlock(block, version);
  }

  /** Notes that a block holds the record of a version. */
  noteBlock(number: number, version: number): void {
    if (this.blocks.at(-1)?.number === number) this.blocks.pop();
    this.blocks.push({ number, version });
  }

  /** What it was judged by so far, for the model that takes its place. */
  get judged(): Prequential {
    return this.stream;
  }

  /** Notes a version. */
  note(past: Past): void {
    const isKept = (version: number) => this.cuts.has(version) || this.files.some((file) => file.version === version);
    this.history = withVersion(this.history, past, isKept);
  }
}

/** What a model says of examples, and the probability that it gives to their labels. */
function guess(model: ServedModel, examples: readonly Example[]) {
  const { classes } = model;
  const logProba = model.predictLogProba(
    examples.map(({ instance }) => instance),
    true,
    'examples',
  );
  return examples.map(({ label }, i) => {
    const row = logProba.row(i);
    const c = classes.indexOf(label);
    return { label: classes[argmax(row)], probability: c < 0 ? 0 : Math.min(1, Math.exp(row[c])) };
  });
}
