import type { Classifier } from '../../auto/classifier.ts';
import type { BlockTable } from '../../data/column-table.ts';
import type { Label } from '../../data/labels.ts';
import { Prequential, type PrequentialScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import { type Context, command, flag, number } from '../declare.ts';
import { count, score } from '../numbers.ts';
import type { Count, OrNull } from '../print.ts';
import { misuse } from '../problem.ts';
import { safe } from '../terminal.ts';
import { withCellErrors } from '../work/cell-problems.ts';
import { isTraining } from '../work/labelled.ts';
import { alone, changing, prepare, rowsFor, writeBack } from '../work/model-change.ts';
import { checksOf } from '../work/model-input.ts';
import type { Written } from '../work/model-output.ts';
import { FittingTable } from '../work/table-rows.ts';

const options = {
  ...changing,
  forgetHalfLife: number('forget gradually: the weight of a row halves after ROWS further rows', {
    value: 'ROWS',
    min: 1,
    common: true,
  }),
  blank: flag('start from an empty model with the same settings, to merge later (with -o)'),
} as const;

type Update = Context<typeof options>;

/** Prequential scores: of all rows so far, of the last rows, and with older rows fading. */
type Stream = OrNull<Omit<PrequentialScores, 'window' | 'fading'>> & {
  window: OrNull<PrequentialScores['window']>;
  fading: OrNull<PrequentialScores['fading']>;
};

/** What the command prints with `--json`. */
export interface Prints {
  /** Rows were predicted, then learned. */
  'update@1': Written & { learned: Count; classes: readonly Label[]; prequential: readonly Stream[] };
}

/** `polya update` */
export const declaration = command({
  about:
    'The model file is replaced once all rows are learned; -o writes another file. New labels, words and categories are added. A model saved with --slim cannot be updated.',
  arguments: [{ name: 'data', doc: 'files, or - for stdin', required: true, many: true, complete: 'file' }],
  options,
  examples: {
    'polya update more.csv -m words.polya': 'learns, and prints scores after 1, 2, 4, 8 … rows',
    'cat more.csv | polya update - -m words.polya --forget-half-life 10000 -o newer.polya':
      'gives old rows less and less weight',
    'polya update more.csv -m spam.polya --blank -o part.polya':
      'a model of these rows only, for polya merge spam.polya part.polya -o all.polya',
  },
  run: (context) => alone(context, () => run(context)),
});

/** The number of rows that are predicted, then learned, at a time. */
const BATCH = 32;

/** Learns more rows, each predicted before it is learned. */
async function run(context: Update): Promise<void> {
  const { options, print } = context;
  const change = await prepare(context);
  const { source } = change;
  if (options.blank && !options.output) {
    misuse('--blank writes a separate model: name its file with -o.', [...context.words, '-o', 'part.polya']);
  }
  const model = options.blank ? change.model.blank() : change.model;
  const checks = checksOf(context);
  const place = { ...source.place, words: context.words, strict: true };
  const scores = new Prequential();
  const table: PrequentialScores[] = [];
  let learned = 0;
  for await (const batch of rowsFor(change, BATCH)) {
    const own = new FittingTable(model, batch);
    if (model.classes.length > 0) table.push(...evaluateBatch(model, own, scores));
    if (options.forgetHalfLife) model.decay(0.5 ** (batch.length / options.forgetHalfLife));
    withCellErrors(batch, place, () => model.change('partialFit', own, checks));
    learned += batch.length;
  }
  if (!options.blank && (await isTraining(context, options.model!, { source })))
    print.warn(
      `the model was already trained on ${safe(source.name)}, so its rows now count twice; polya unlearn removes them again`,
    );
  if (table.at(-1)?.n !== scores.n) table.push(scores.scores());
  if (!print.json) await printTable(print, table);
  const written = await writeBack(context, model, source, learned, options.blank);
  const { classes } = model;
  if (print.json) await print.object<Prints>('update@1', { ...written, learned, classes, prequential: table });
}

function evaluateBatch(model: Classifier, table: BlockTable, scores: Prequential): PrequentialScores[] {
  const classes = model.classes.map(String);
  const labels = table.column(model.target).cells().map(String);
  const logProba = model.predictTable(table, { strict: false }); // learning checks them
  return labels.flatMap((label, i) => {
    const own = logProba.row(i);
    const place = classes.indexOf(label);
    const probability = place < 0 ? 0 : Math.min(1, Math.exp(own[place]));
    return scores.update(label, classes[argmax(own)], probability) ?? [];
  });
}

function printTable(print: Context['print'], table: readonly PrequentialScores[]): Promise<void> {
  const rows = table.map(({ n, accuracy, logLoss, window }) => [
    ...[count(n), score(accuracy), score(logLoss)],
    `${score(window.accuracy)} of ${count(window.n)}`,
  ]);
  return print.table(['rows', 'accuracy', 'log-loss', 'accuracy of the last rows'], rows, 0);
}
