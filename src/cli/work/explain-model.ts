import type { ClassifierReport } from '../../auto/classifier-report.ts';
import { PolyaError } from '../../errors.ts';
import { type Informative, mostInformative } from '../../estimators/most-informative.ts';
import { barChart } from '../charts.ts';
import type { Explain } from '../commands/explain.ts';
import { refuseLabel } from '../data-problems.ts';
import { percent, signed } from '../numbers.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import type { Judge } from './model-input.ts';

/** What tells each class from the others. */
interface Telling {
  readonly label: string;
  readonly terms: readonly { readonly feature: string; readonly weight: number }[];
}

/** What a model goes by: the most telling words or cells of every class, and what each column says by itself. */
export async function explainModel({ options, print, words }: Explain, judge: Judge): Promise<void> {
  if (options.class !== undefined && !judge.classes.includes(options.class))
    refuseLabel(words, options.class, judge.classes);
  const wanted = options.class === undefined ? judge.classes : [options.class];
  const telling = wanted.flatMap((label) => tellingOf(judge, label, options.top));
  const report = judge.classifier?.report();
  if (print.json) {
    const columns = report?.columns.map(({ name, family, accuracy }) => ({ name, family, accuracy })) ?? [];
    await print.object({
      schema: 'polya/explain-model@1',
      summary: report?.summary ?? judge.kind,
      classes: judge.classes,
      telling,
      columns,
    });
    return;
  }
  await print.line(print.screen.paint.bold(safe(report?.summary ?? judge.kind)));
  for (const { label, terms } of telling) {
    await print.line();
    await print.line(print.screen.paint.bold(safe(label)));
    const rows = terms.map(({ feature, weight }) => ({
      name: safe(feature, 40),
      value: weight,
      shown: signed(weight),
    }));
    for (const line of barChart(rows, print.screen.columns)) await print.line(line);
  }
  if (report) await printColumns(print, report);
  if (telling.length === 0)
    print.talk(judge.classifier?.estimator ? texts.explain.noList() : texts.explain.noInsight());
}

async function printColumns(print: Explain['print'], { columns }: ClassifierReport): Promise<void> {
  if (columns.length === 0) return;
  await print.line();
  await print.line(texts.explain.columns());
  const sorted = [...columns].sort((a, b) => b.accuracy - a.accuracy).slice(0, 20);
  const rows = sorted.map(({ name, family, accuracy }) => ({
    name: safe(name, 30),
    value: accuracy,
    shown: `${family}  ${percent(accuracy)}`,
  }));
  for (const line of barChart(rows, print.screen.columns)) await print.line(line);
}

/** The telling features of a class; none for a model that has no such list. */
function tellingOf({ classifier, opened, classes }: Judge, label: string, k: number): Telling[] {
  const model = classifier ? classifier.estimator : opened;
  if (model === undefined) return [];
  const own = (model as { classes: readonly unknown[] }).classes[classes.indexOf(label)];
  try {
    const found: Informative[] = mostInformative(model as never, { class: own as never, k });
    return [{ label, terms: found.map(({ feature, nats }) => ({ feature: String(feature), weight: nats })) }];
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_CONFLICT') return [];
    throw error;
  }
}
