import type { Classifier } from '../../src/auto/classifier.ts';
import { cellOf, type DataRow, isBlank, wordOf } from '../../src/data/cells.ts';
import { refuse } from '../../src/errors.ts';
import { Random } from '../../src/math/random.ts';
import { disagreements } from './committee.ts';
import type { Reading } from './reading.ts';
import { sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** In which order rows are asked for. */
export type Queue = 'uncertain' | 'random' | 'disagreement' | 'doubted';

/** A row that waits for a label. */
export interface Waiting {
  readonly place: number;
  readonly cells: readonly { readonly name: string; readonly value: string }[];
  /** The label it has, where it has one that the model doubts. */
  readonly has?: string;
  readonly guesses: readonly { readonly label: string; readonly probability: number }[];
}

/** How far the labelling is. */
export interface Labelling {
  readonly next?: Waiting;
  readonly left: number;
  readonly given: readonly { readonly place: number; readonly label: string }[];
  /** Accuracy on the held-out rows, with all labels given so far. */
  readonly accuracy?: number;
  readonly tests: number;
}

const LOOKED_AT = 500;
const MOST_TESTS = 1_000;

/** Labels rows one after the other; the model learns each answer at once, exactly. */
export class LabelDesk {
  private readonly target: string;
  private readonly rows: readonly DataRow[];
  private readonly model: Classifier;
  private readonly tests: readonly { readonly row: DataRow; readonly label: string }[];
  private readonly given: { place: number; label: string; was: string | undefined }[] = [];
  private readonly skipped = new Set<number>();
  private readonly random = new Random(1);
  /** Models of other runs: where they answer otherwise, a label tells most. */
  private readonly others: readonly Classifier[];

  constructor(reading: Reading, { judge, rows, labels, test, run }: Trained, others: readonly Trained[] = []) {
    if (!judge.learns) refuse('E_CONFLICT', 'this model does not learn on; train "auto" or a model by its name');
    this.target = run.settings.target;
    this.rows = reading.rows;
    this.model = judge.clone();
    this.others = others.map((other) => other.judge);
    this.tests = sampleOf(test, labels, MOST_TESTS).map((i) => ({ row: rows[i], label: labels[i] }));
  }

  /** The next row of a queue, and how far it is. */
  state(queue: Queue): Labelling {
    const places = this.waiting(queue);
    const next = this.pick(places, queue);
    const accuracy = this.accuracy();
    return {
      ...(next !== undefined && { next: this.show(next, queue) }),
      left: places.length,
      given: this.given.map(({ place, label }) => ({ place, label })),
      ...(accuracy !== undefined && { accuracy }),
      tests: this.tests.length,
    };
  }

  /** Learns a label; of a row that had another, that one is unlearned if the model knew it. */
  answer(place: number, label: string): void {
    const was = this.labelOf(place);
    this.model.partialFit([{ ...this.rows[place], [this.target]: label }], { strict: false });
    this.given.push({ place, label, was });
  }

  /** Leaves a row out. */
  skip(place: number): void {
    this.skipped.add(place);
  }

  /** Takes the last answer back. */
  undo(): void {
    const last = this.given.pop();
    if (last) this.model.unlearn([{ ...this.rows[last.place], [this.target]: last.label }]);
  }

  private labelOf(place: number): string | undefined {
    const cell = cellOf(this.rows[place], this.target);
    return isBlank(cell) ? undefined : String(cell);
  }

  /** Rows without a label; where labels are doubted, those with one. */
  private waiting(queue: Queue): number[] {
    const done = new Set([...this.given.map(({ place }) => place), ...this.skipped]);
    const open = (place: number) => (this.labelOf(place) === undefined) === (queue !== 'doubted') && !done.has(place);
    return [...this.rows.keys()].filter(open);
  }

  private pick(places: readonly number[], queue: Queue): number | undefined {
    if (places.length === 0 || (queue === 'disagreement' && this.others.length === 0)) return undefined;
    if (queue === 'random') return places[this.random.integer(places.length)];
    const step = Math.ceil(places.length / LOOKED_AT);
    const looked = places.filter((_, k) => k % step === 0);
    const doubt = this.doubts(looked, queue);
    return looked[doubt.indexOf(Math.max(...doubt))];
  }

  /** How much a label of each row would tell. */
  private doubts(places: readonly number[], queue: Queue): number[] {
    const rows = places.map((place) => this.rows[place]);
    if (queue === 'disagreement') return disagreements([this.model, ...this.others], rows);
    const logs = this.model.predictLogProba(rows, { strict: false });
    const classes = this.model.classes.map(String);
    return places.map((place, i) => {
      const row = logs.row(i);
      return queue === 'doubted' ? -row[classes.indexOf(this.labelOf(place)!)] : -Math.max(...row);
    });
  }

  private show(place: number, queue: Queue): Waiting {
    const row = this.rows[place];
    const has = queue === 'doubted' ? this.labelOf(place) : undefined;
    const { probabilities } = this.model.classify(row, { strict: false });
    return {
      place,
      cells: Object.keys(row)
        .filter((name) => name !== this.target)
        .slice(0, 30)
        .map((name) => ({ name, value: wordOf(cellOf(row, name) ?? '').slice(0, 5_000) })),
      ...(has !== undefined && { has }),
      guesses: probabilities.map(({ label, probability }) => ({ label: String(label), probability })),
    };
  }

  private accuracy(): number | undefined {
    if (this.tests.length === 0) return undefined;
    const answers = this.model.classifyAll(
      this.tests.map(({ row }) => row),
      { strict: false },
    );
    return answers.filter(({ label }, i) => String(label) === this.tests[i].label).length / this.tests.length;
  }
}
