import { type Classifier, Random } from '../../src/index.ts';
import { cellOf, type DataRow, isBlank, wordOf } from '../../src/workbench.ts';
import { disagreements } from './disagreement.ts';
import type { EditedTable } from './edited-table.ts';
import { sampleOf } from './sample.ts';
import { type Mark, spansOf } from './spans.ts';
import type { Trained } from './training.ts';

/** The order in which rows are presented. */
export type Queue = 'uncertain' | 'random' | 'disagreement' | 'doubted';

/** A row that waits for a label. */
export interface Waiting {
  readonly place: number;
  /** The cells, with the parts that favour the first guess over the second, or the second over the first. */
  readonly cells: readonly { readonly name: string; readonly value: string; readonly marks: readonly Mark[] }[];
  /** Its present label, if the model doubts it. */
  readonly has?: string;
  /** All classes, the most probable first; without a model by name and without probabilities. */
  readonly guesses: readonly { readonly label: string; readonly probability?: number }[];
}

/** The state of the labelling. */
export interface Labelling {
  readonly next?: Waiting;
  readonly left: number;
  /** Accuracy on the held-out rows with all labels so far. */
  readonly accuracy?: number;
  readonly tests: number;
}

/** The context of labelling: the data, a model if there is one, and the runs to compare. */
export interface LabelDesk {
  readonly table: EditedTable;
  readonly target: string;
  readonly model: Classifier | undefined;
  readonly trained: Trained | undefined;
  readonly others: readonly Classifier[];
  /** Rows not to present again: skipped or labelled ones. */
  readonly done: ReadonlySet<number>;
}

const LOOKED_AT = 500;
const MOST_TESTS = 1_000;
const MOST_CLASSES = 200;

/** The next row of a queue, and the state of the labelling. */
export function labellingOf(desk: LabelDesk, queue: Queue): Labelling {
  const places = waiting(desk, queue);
  const next = pick(desk, places, queue);
  const tests = testsOf(desk);
  const accuracy = accuracyOf(desk, tests);
  return {
    ...(next !== undefined && { next: show(desk, next, queue) }),
    left: places.length,
    ...(accuracy !== undefined && { accuracy }),
    tests: tests.length,
  };
}

function labelOf({ table, target }: LabelDesk, place: number): string | undefined {
  const cell = cellOf(table.now.rows[place], target);
  return isBlank(cell) ? undefined : String(cell);
}

/** Unlabelled rows, or labelled ones in the queue of doubted labels. Held-out rows are excluded: they evaluate the model. */
function waiting(desk: LabelDesk, queue: Queue): number[] {
  const { table, done, trained } = desk;
  const held = new Set(trained?.test.map((i) => trained.places[i]));
  return [...table.now.rows.keys()].filter((place) => {
    if (done.has(place) || held.has(place)) return false;
    return (labelOf(desk, place) === undefined) === (queue !== 'doubted');
  });
}

function pick(desk: LabelDesk, places: readonly number[], queue: Queue): number | undefined {
  const { model, others } = desk;
  if (places.length === 0 || (queue === 'disagreement' && others.length === 0)) return undefined;
  // the same row while the queue is unchanged
  if (queue === 'random' || !model) return places[new Random(places.length).integer(places.length)];
  const step = Math.ceil(places.length / LOOKED_AT);
  const looked = places.filter((_, k) => k % step === 0);
  const doubt = doubts(desk, model, looked, queue);
  return looked[doubt.indexOf(Math.max(...doubt))];
}

/** How informative a label of each row would be. */
function doubts(desk: LabelDesk, model: Classifier, places: readonly number[], queue: Queue): number[] {
  const rows = places.map((place) => desk.table.now.rows[place]);
  if (queue === 'disagreement') return disagreements([model, ...desk.others], rows);
  const logs = model.predictLogProba(rows, { strict: false });
  const classes = model.classes.map(String);
  return places.map((place, i) => {
    const row = logs.row(i);
    return queue === 'doubted' ? -(row[classes.indexOf(labelOf(desk, place)!)] ?? 0) : -Math.max(...row);
  });
}

function show(desk: LabelDesk, place: number, queue: Queue): Waiting {
  const row = desk.table.now.rows[place];
  const has = queue === 'doubted' ? labelOf(desk, place) : undefined;
  const guesses = guessesFor(desk, row);
  const marksOf = markerOf(desk, row, guesses);
  return {
    place,
    cells: Object.keys(row)
      .filter((name) => name !== desk.target)
      .slice(0, 30)
      .map((name) => {
        const value = wordOf(cellOf(row, name) ?? '').slice(0, 5_000);
        return { name, value, marks: marksOf(name, value) };
      }),
    ...(has !== undefined && { has }),
    guesses,
  };
}

/** The classes for a row: those of the model by probability, then those that occur only in the data. */
function guessesFor(desk: LabelDesk, row: DataRow): Waiting['guesses'] {
  const { model, target } = desk;
  const named = new Set<string>();
  for (const own of desk.table.now.rows) {
    const cell = cellOf(own, target);
    if (!isBlank(cell)) named.add(String(cell));
  }
  if (!model) {
    const sorted = [...named].sort().slice(0, MOST_CLASSES);
    return sorted.map((label) => ({ label }));
  }
  const { probabilities } = model.classify(row, { strict: false });
  const ranked = probabilities
    .map(({ label, probability }) => ({ label: String(label), probability }))
    .sort((a, b) => b.probability - a.probability);
  const known = new Set(ranked.map(({ label }) => label));
  const others = [...named].filter((label) => !known.has(label)).sort();
  return [...ranked, ...others.map((label) => ({ label }))].slice(0, MOST_CLASSES);
}

/** Finds the marks of a cell: the words of a text, or a cell as a whole. */
function markerOf(
  { model }: LabelDesk,
  row: DataRow,
  [first, second]: Waiting['guesses'],
): (name: string, value: string) => Mark[] {
  if (!model || second?.probability === undefined) return () => [];
  const { classes, terms } = model.explain(row, { strict: false });
  const names = classes.map(String);
  const [best, rival] = [names.indexOf(first.label), names.indexOf(second.label)];
  const isText = (name: string) => model.schema.columns.some((own) => own.name === name && own.kind === 'text');
  return (name, value) => {
    const own = terms.filter(({ feature }) => feature === name);
    const whole = own.map(({ byClass }) => ({ from: 0, to: value.length, byClass }));
    const spans = isText(name) ? spansOf(value, own, names.length) : whole.slice(0, 1);
    return spans.map(({ from, to, byClass }) => ({ from, to, weight: byClass[best] - byClass[rival] }));
  };
}

const testsOf = ({ trained }: LabelDesk): readonly number[] =>
  trained ? sampleOf(trained.test, trained.labels, MOST_TESTS) : [];

function accuracyOf({ model, trained }: LabelDesk, tests: readonly number[]): number | undefined {
  if (!model || !trained || tests.length === 0) return undefined;
  const answers = model.classifyAll(
    tests.map((i) => trained.rows[i]),
    { strict: false },
  );
  return answers.filter(({ label }, k) => String(label) === trained.labels[tests[k]]).length / tests.length;
}
