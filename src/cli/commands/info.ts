import { basename } from 'node:path';
import { Classifier } from '../../auto/classifier.ts';
import { load } from '../../auto/load.ts';
import { inspectModel, type ModelCard } from '../../core/card.ts';
import { describeHash } from '../data-hash.ts';
import { type Context, command } from '../declare.ts';
import { bytes, count, interval, score } from '../numbers.ts';
import { pad, safe, wrap } from '../terminal.ts';
import { listed as shortened } from '../usage.ts';
import { readModelBytes, refuseModel, writtenBy } from '../work/model-input.ts';

/** What the command prints with `--json`. */
export interface Prints {
  /** The description of a model file. */
  'info@1': ModelCard & { file: string; report?: object };
}

/** `polya info` */
export const declaration = command({
  arguments: [{ name: 'model', doc: 'the model file', required: true, complete: 'model' }],
  options: {},
  examples: {
    'polya info spam.polya': 'describes the model',
    'polya info spam.polya --json': 'the same as JSON',
  },
  run,
});

/** Describes a model file. */
async function run(context: Context): Promise<void> {
  const [path] = context.args;
  const { print } = context;
  const content = await readModelBytes(context, path);
  const { card, report } = read(path, content);
  if (print.json) {
    await print.object<Prints>('info@1', { file: basename(path), ...card, ...(report && { report }) });
    return;
  }
  const rows = rowsOf(card, report);
  const wide = Math.min(print.screen.columns, 100);
  await print.line(`${print.screen.paint.bold(safe(basename(path)))}  ${`${bytes(card.bytes)}, checksum verified`}`);
  for (const [name, value] of rows) await print.line(`  ${pad(name, 11)}${wrap(value, wide - 13, ' '.repeat(13))}`);
}

function read(path: string, content: Uint8Array) {
  try {
    const card = inspectModel(content);
    const model = card.kind === 'Classifier' ? load<Classifier>(content) : undefined;
    if (!(model instanceof Classifier)) return { card, report: undefined };
    return { card: { ...card, slim: !model.learns }, report: model.report() }; // some of its parts may be slim
  } catch (error) {
    return refuseModel(path, error);
  }
}

function rowsOf(card: ModelCard, report: ReturnType<Classifier['report']> | undefined): (readonly [string, string])[] {
  const { provenance } = card;
  const classes = (report?.classes ?? card.classes)?.map(String) ?? [];
  const features = report?.schema.columns.filter(({ role }) => role === 'feature') ?? [];
  const rows: (readonly [string, string | undefined])[] = [
    ['model', safe(report?.summary ?? card.kind)],
    ['target', report && safe(report.target)],
    ['classes', classes.length > 0 ? listed(classes) : undefined],
    [
      'features',
      features.length > 0
        ? listed(features.map(({ name, kind }) => `${name} (${kind})`))
        : card.features === undefined
          ? undefined
          : count(card.features),
    ],
    ['rows', provenance?.rows === undefined ? undefined : count(provenance.rows)],
    ['evaluated', report?.evaluation ? evaluationText(report.evaluation) : undefined],
    ['data', provenance?.dataHash && describeHash(provenance.dataHash)],
    ['made by', provenance?.notes && safe(provenance.notes)],
    ['written by', writtenBy(card)],
    ['holds', card.slim ? 'parameters only: it cannot be updated' : 'statistics and parameters'],
    ['sha256', card.sha256],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '');
}

const listed = (names: readonly string[]): string => `${count(names.length)}: ${shortened(names, 12)}`;

type Evaluation = NonNullable<ReturnType<Classifier['report']>['evaluation']>;

const evaluationText = ({ on, accuracy, interval: [low, high], logLoss, rows }: Evaluation): string =>
  `accuracy ${score(accuracy)} (${interval(low, high)}), log-loss ${score(logLoss)}, n = ${rows}; ${on}`;
