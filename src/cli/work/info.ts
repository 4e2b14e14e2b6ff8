import { basename } from 'node:path';
import { Classifier } from '../../auto/classifier.ts';
import { load } from '../../auto/load.ts';
import { inspectModel, type ModelCard } from '../../core/card.ts';
import type { Info } from '../commands/info.ts';
import { bytes, count } from '../numbers.ts';
import { pad, safe, wrap } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { readModelBytes, refuseModel } from './model-input.ts';

/** Shows the card of a model file. */
export async function info(context: Info): Promise<undefined> {
  const [path] = context.args;
  const { print } = context;
  const content = await readModelBytes(context, path);
  const { card, report } = read(path, content);
  if (print.json) {
    await print.object({ schema: 'polya/info@1', file: basename(path), ...card, ...(report && { report }) });
    return undefined;
  }
  const rows = rowsOf(card, report);
  const wide = Math.min(print.screen.columns, 100);
  await print.line(`${print.screen.paint.bold(safe(basename(path)))}  ${texts.info.intact(bytes(card.bytes))}`);
  for (const [name, value] of rows) await print.line(`  ${pad(name, 11)}${wrap(value, wide - 13, ' '.repeat(13))}`);
  return undefined;
}

function read(path: string, content: Uint8Array) {
  try {
    const card = inspectModel(content);
    const model = card.kind === 'Classifier' ? load<Classifier>(content) : undefined;
    return { card, report: model instanceof Classifier ? model.report() : undefined };
  } catch (error) {
    return refuseModel(path, error);
  }
}

function rowsOf(card: ModelCard, report: ReturnType<Classifier['report']> | undefined): (readonly [string, string])[] {
  const { provenance } = card;
  const classes = (report?.classes ?? card.classes)?.map(String) ?? [];
  const features = report?.schema.columns.filter(({ role }) => role === 'feature') ?? [];
  const rows: (readonly [string, string | undefined])[] = [
    [texts.info.model(), safe(report?.summary ?? card.kind)],
    [texts.info.target(), report && safe(report.target)],
    [texts.info.classes(), classes.length > 0 ? listed(classes) : undefined],
    [
      texts.info.features(),
      features.length > 0
        ? listed(features.map(({ name, kind }) => `${name} (${kind})`))
        : card.features === undefined
          ? undefined
          : count(card.features),
    ],
    [texts.info.rows(), provenance?.rows === undefined ? undefined : count(provenance.rows)],
    [texts.info.judged(), report?.evaluation ? texts.info.evaluation(report.evaluation) : undefined],
    [texts.info.data(), provenance?.dataHash && `sha256 ${provenance.dataHash}`],
    [texts.info.made(), provenance?.notes && safe(provenance.notes)],
    [texts.info.version(), texts.info.format(card.formatVersion, provenance?.version)],
    [texts.info.kept(), card.slim ? texts.info.slim() : texts.info.full()],
    [texts.info.sha256(), card.sha256],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '');
}

const listed = (names: readonly string[]): string =>
  `${count(names.length)}: ${names
    .slice(0, 12)
    .map((name) => safe(name, 40))
    .join(', ')}${names.length > 12 ? ' …' : ''}`;
