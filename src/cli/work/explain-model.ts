import type { ClassifierReport } from '../../auto/classifier-report.ts';
import { type ClassifierInformative, type InformativeList, informativeLists } from '../../auto/informative.ts';
import { PolyaError, refuse } from '../../errors.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { mostInformative } from '../../estimators/most-informative.ts';
import { barChart } from '../charts.ts';
import type { Explain } from '../commands/explain.ts';
import { refuseLabel } from '../data-problems.ts';
import { percent, score, signed } from '../numbers.ts';
import { safe, wrap } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import type { Judge } from './model-input.ts';

/** Prints what a model goes by: the most telling words, levels and measurements of every class, and what each column says. */
export async function explainModel({ options, print, words }: Explain, judge: Judge): Promise<void> {
  if (options.class !== undefined && !judge.classes.includes(options.class))
    refuseLabel(words, options.class, judge.classes);
  const wanted = options.class === undefined ? judge.classes : [options.class];
  const found = informativeOf(judge, options.top);
  const report = judge.classifier?.report();
  if (print.json) {
    const columns = report?.columns.map(({ name, family, accuracy, information }) => ({
      ...{ name, family, accuracy },
      ...(information !== undefined && { information }),
    }));
    await print.object({
      schema: 'polya/explain-model@1',
      summary: report?.summary ?? judge.kind,
      classes: judge.classes,
      telling: (found ? wanted : []).map((label) => ({
        label,
        terms: found
          ?.filter((term) => String(term.class) === label)
          .map(({ class: _, nats, ...term }) => ({ ...term, weight: nats })),
      })),
      columns: columns ?? [],
    });
    return;
  }
  await print.line(print.screen.paint.bold(wrap(safe(report?.summary ?? judge.kind), print.screen.columns - 2, '  ')));
  if (found) await print.line(texts.explain.reading());
  for (const { label, terms } of found ? informativeLists(found, wanted, judge.texts) : []) {
    await print.line();
    await print.line(print.screen.paint.bold(safe(label)));
    const rows = terms.map((term) => ({ name: safe(term.name, 40), value: term.nats, shown: shownOf(term) }));
    for (const line of barChart(rows, print.screen.columns)) await print.line(line);
    if (rows.length === 0) await print.line(`  ${texts.explain.nothingTells()}`);
  }
  if (report) await printColumns(print, report);
  if (!found) print.talk(texts.explain.noList());
}

const shownOf = ({ logOdds, mean }: InformativeList['terms'][number]): string =>
  logOdds === undefined ? texts.explain.mean(String(Number(mean?.toPrecision(3)))) : signed(logOdds);

/** At most this many columns are shown. */
const SHOWN = 20;

async function printColumns(print: Explain['print'], { columns }: ClassifierReport): Promise<void> {
  if (columns.length === 0) return;
  await print.line();
  await print.line(texts.explain.columns());
  const strength = ({ information, accuracy }: ClassifierReport['columns'][number]) => information ?? accuracy;
  const sorted = [...columns].sort((a, b) => strength(b) - strength(a)).slice(0, SHOWN);
  const rows = sorted.map((own) => ({
    name: safe(own.name, 30),
    value: strength(own),
    shown: `${own.information === undefined ? '' : `${score(own.information, 3)} bits  `}${percent(own.accuracy)}`,
  }));
  for (const line of barChart(rows, print.screen.columns)) await print.line(line);
}

/** What speaks for each class; undefined for a model whose features do not speak for a class one by one. */
export function informativeOf(
  { classifier, opened, texts: [text] }: Judge,
  k: number,
): ClassifierInformative[] | undefined {
  try {
    if (classifier) return classifier.mostInformative({ k });
    return mostInformative(requireInside(opened), { k }).map(({ level, feature, ...own }) => ({
      ...own,
      feature: text ?? String(feature),
      ...(text !== undefined && { value: String(feature) }),
      ...(level !== undefined && { value: String(level) }),
    }));
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_CONFLICT') return undefined;
    throw error;
  }
}

/** Refuses a model that functions beside it cannot look into, such as a pool of text by itself. */
function requireInside(opened: unknown): Fitted {
  const looksInto = typeof opened === 'object' && opened !== null && 'inside' in opened;
  return looksInto ? (opened as Fitted) : refuse('E_CONFLICT', 'the model has no single list of features');
}
