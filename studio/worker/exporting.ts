import type { Classifier } from '../../src/index.ts';
import {
  cellOf,
  confidentErrors,
  informativeLists,
  parametersCsv,
  type ReportInput,
  refuse,
  renderReport,
  wordOf,
  wordTablesOf,
} from '../../src/workbench.ts';
import { numbersByClass } from './densities.ts';
import type { Reading } from './reading.ts';
import type { Trained } from './training.ts';
import { wordsOf } from './words.ts';

/** The export formats, as in `polya export --to`. */
export type ExportForm = 'onnx' | 'json' | 'js' | 'ts' | 'pmml' | 'sql' | 'csv';

/** Exports a model; throws E_CONFLICT if the format cannot express it. */
export async function exportModel(model: Classifier, form: ExportForm): Promise<Uint8Array<ArrayBuffer>> {
  const { toJavaScript, toJson, toOnnx, toPmml, toSql } = await import('../../src/exchange.ts');
  const own = model as never;
  if (form === 'onnx') return toOnnx(own);
  const text = {
    json: () => `${JSON.stringify(toJson(own))}\n`,
    js: () => toJavaScript(own).code,
    ts: () => toJavaScript(own).types,
    pmml: () => toPmml(own, { target: model.target }),
    sql: () => {
      const { setup, select } = toSql(own, { dialect: 'duckdb', table: 'rows' });
      return [...setup, select].map((statement) => `${statement.replace(/;?\s*$/, '')};\n`).join('\n');
    },
    csv: () => parametersCsv(model),
  }[form]();
  return new TextEncoder().encode(text);
}

const MOST_COLUMNS = 12;
const MOST_WORDS = 15;
const MOST_MISTAKES = 20;
const MOST_CONTENT = 300;

/** What the page says in its own language in a report. */
export interface ReportWording
  extends Required<Pick<ReportInput, 'language'>>,
    Pick<ReportInput, 'command' | 'summary'> {
  readonly on: string;
  readonly tried: ReportInput['tried'];
  readonly warnings: readonly string[];
  /** The names of the facts. */
  readonly facts: { readonly data: string; readonly rows: string; readonly target: string; readonly seed: string };
}

/** The HTML report of a model, without scripts or network access. */
export const reportPage = (reading: Reading, trained: Trained, wording: ReportWording): string =>
  renderReport(inputOf(reading, trained, wording));

function inputOf(reading: Reading, trained: Trained, { facts, ...wording }: ReportWording): ReportInput {
  const { scored, run } = trained;
  if (!scored || !run.evaluated) refuse('E_CONFLICT', 'no rows were held out, so there is nothing to report');
  const { evaluation } = run.evaluated;
  return {
    title: `${reading.name}: ${run.settings.target}`,
    facts: [
      [facts.data, `${reading.name}, sha256 ${reading.sha256}`],
      [facts.rows, String(trained.rows.length)],
      [facts.target, run.settings.target],
      [facts.seed, String(run.settings.seed)],
    ],
    ...evaluation,
    scored,
    columns: numericColumns(trained),
    words: run.texts.map((column) => ({ column, tables: wordTablesOf(wordsOf(trained, column), MOST_WORDS) })),
    informative: informativeLists(trained.model.mostInformative({ k: MOST_WORDS }), run.classes, run.texts),
    mistakes: mistakesOf(trained),
    ...wording,
  };
}

function numericColumns(trained: Trained): ReportInput['columns'] {
  const names = trained.model.schema.columns
    .filter(({ role, kind }) => role === 'feature' && kind === 'number')
    .slice(0, MOST_COLUMNS)
    .map(({ name }) => name);
  return names.map((name) => ({
    name,
    byClass: [...numbersByClass(trained, name)].map(([label, values]) => ({ label, values: Array.from(values) })),
  }));
}

function mistakesOf({ scored, rows, test, run }: Trained): ReportInput['mistakes'] {
  return confidentErrors(scored!, MOST_MISTAKES).map(({ i, guess: answer, sure }) => {
    const names = Object.keys(rows[test[i]]).filter((name) => name !== run.settings.target);
    const content = names.map((name) => wordOf(cellOf(rows[test[i]], name) ?? '')).join(' · ');
    return { truth: scored!.truth[i], answer, sure, content: content.slice(0, MOST_CONTENT) };
  });
}
