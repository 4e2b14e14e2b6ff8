import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import type { DataRow } from '../../data/cells.ts';
import { RecordTable } from '../../data/column-table.ts';
import { quantiles } from '../../evaluate/numpy.ts';
import { Random } from '../../math/random.ts';
import { openRows } from '../data.ts';
import { type Context, command, integer, text } from '../declare.ts';
import { count, duration, rate } from '../numbers.ts';
import type { Count } from '../print.ts';
import { silent } from '../progress.ts';
import { modelling, reading, roles, writing } from '../shared-options.ts';
import { readLabelledRows } from '../work/labelled.ts';
import { requireFree, writeFile } from '../work/model-output.ts';
import { recipeFor } from '../work/options.ts';

const options = {
  runs: integer('how many times each step is measured', { default: 5, min: 1, max: 1000, common: true }),
  exportJson: text('write the figures as JSON', { value: 'FILE', common: true, complete: 'file', setting: false }),
  exportMarkdown: text('write the figures as Markdown', { value: 'FILE', complete: 'file', setting: false }),
  force: writing.force,
  ...roles,
  ...modelling,
  ...reading,
} as const;

type Bench = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Times in milliseconds. */
  'bench@1': { model: string; rows: Count; bytes: Count; runs: Count; steps: readonly Measured[] };
}

/** `polya bench` */
export const declaration = command({
  arguments: [
    { name: 'data', doc: 'labelled data; a generated text dataset if not given', many: true, complete: 'file' },
  ],
  options,
  examples: {
    'polya bench --runs 3': 'measures with generated texts',
    'polya bench iris.csv --model gaussian --runs 3': 'measures with your data',
  },
  run,
});

/** One step with its times in milliseconds. */
interface Measured {
  readonly step: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rowsPerSecond: number;
  readonly times: readonly number[];
}

/** Measures every step from reading the data to loading the model. */
async function run(context: Bench): Promise<void> {
  const { options, args, print } = context;
  for (const file of [options.exportJson, options.exportMarkdown]) if (file) requireFree(context, file, options.force);
  const { rows, target, read } = args.length > 0 ? await given(context) : generated(options.seed);
  const family = options.model === 'auto' && args.length === 0 ? 'multinomial' : options.model;
  const recipe = { ...recipeFor(context, { table: new RecordTable(rows), target }, family), evaluate: false };
  const { runs } = options;
  context.progress.plan({
    reading: 1,
    fitting: 4,
    read: runs,
    fit: 4 * runs,
    predict: runs,
    'predict 1': 0,
    save: 0.1,
    load: 0.1,
  });
  const model = fitOnce(rows, recipe, (share, what) => context.progress.step('fitting', { share, what }));
  const bytes = model.toBytes();
  const steps: readonly Step[] = [
    ...(read ? [{ step: 'read', act: read }] : []),
    { step: 'fit', act: (onShare) => fitOnce(rows, recipe, onShare) },
    { step: 'predict', act: () => model.predictLogProba(rows) },
    { step: 'predict 1', act: () => model.predictLogProba(rows.slice(0, 1)) },
    { step: 'save', act: () => model.toBytes() },
    { step: 'load', act: () => Classifier.load(bytes) },
  ];
  const table: Measured[] = [];
  for (const step of steps) table.push(await measure(context, step, step.step === 'predict 1' ? 1 : rows.length));
  context.progress.end();
  const { summary } = model.report();
  const result = { model: summary, rows: rows.length, bytes: bytes.length, runs, steps: table };
  const asJson = () => `${JSON.stringify({ schema: 'polya/bench@1', ...result }, null, 2)}\n`;
  if (options.exportJson) await writeFile(context, options.exportJson, asJson());
  if (options.exportMarkdown) await writeFile(context, options.exportMarkdown, markdownOf(table));
  if (print.json) await print.object<Prints>('bench@1', result);
  else await printTable(context, result.model, rows.length, table);
}

async function given(context: Bench) {
  const { table, target } = await readLabelledRows(context, context.args);
  const quiet = { ...context, progress: silent };
  const read = async () => {
    const source = await openRows(quiet, context.args);
    for await (const _ of source.tables());
  };
  return { rows: table.records(), target, read };
}

/** 5,000 documents of sixty words, drawn so that few words are frequent and most are rare. */
function generated(seed: number): { rows: DataRow[]; target: string; read: undefined } {
  const random = new Random(seed);
  const rows = Array.from({ length: 5000 }, (_, i): DataRow => {
    const kind = i % 4;
    const words = Array.from(
      { length: 60 },
      () => `w${Math.floor(20_000 ** random.uniform()) + (random.uniform() < 0.2 ? 20_000 + 50 * kind : 0)}`,
    );
    return { text: words.join(' '), label: `class ${kind + 1}` };
  });
  return { rows, target: 'label', read: undefined };
}

/** What is measured. */
interface Step {
  readonly step: string;
  readonly act: (onShare: (share: number) => void) => unknown;
}

const fitOnce = (
  rows: readonly DataRow[],
  recipe: ClassifierOptions,
  onProgress: (share: number, what: string) => void,
) => Classifier.fit(rows, { ...recipe, onProgress });

async function measure({ options: { runs }, progress }: Bench, { step, act }: Step, rows: number): Promise<Measured> {
  const onShare = (share: number) => progress.step(step, { share });
  const times: number[] = [];
  for (let k = 0; k <= runs; k++) {
    const begun = performance.now();
    await act((share) => onShare((k + share) / (runs + 1)));
    if (k > 0) times.push(performance.now() - begun); // the first run warms up
    onShare((k + 1) / (runs + 1));
  }
  const [least, median, most] = quantiles(Float64Array.from(times).sort(), Float64Array.of(0, 0.5, 1));
  return { step, median, least, most, rowsPerSecond: (1000 * rows) / median, times };
}

const shown = (ms: number): string => (ms < 100 ? `${ms.toFixed(2)} ms` : duration(ms));

async function printTable(
  { print, options }: Bench,
  model: string,
  rows: number,
  table: readonly Measured[],
): Promise<void> {
  await print.line(`${model}, ${count(rows)} rows, medians of ${options.runs}`);
  const lines = table.map(({ step, median, least, most, rowsPerSecond }) => {
    const speed = step === 'save' || step === 'load' ? '' : rate(rowsPerSecond, 'rows');
    return [step, ...[median, least, most].map(shown), speed];
  });
  await print.table(['', 'median', 'least', 'most', ''], lines);
  for (const { step, median, most } of table) {
    if (most > 3 * median)
      print.warn(`${step}: the slowest run took more than three times the median; the machine was probably busy`);
  }
}

function markdownOf(table: readonly Measured[]): string {
  const rows = table.map(({ step, median, least, most, rowsPerSecond }) => {
    const cells = [step, ...[median, least, most].map((ms) => ms.toFixed(3)), Math.round(rowsPerSecond)];
    return `| ${cells.join(' | ')} |\n`;
  });
  return `| step | median ms | least | most | rows/s |\n|---|---:|---:|---:|---:|\n${rows.join('')}`;
}
