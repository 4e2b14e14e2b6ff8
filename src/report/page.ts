import type { Evaluation, ScoredRows } from '../evaluate/evaluation.ts';
import { sum } from '../math/arrays.ts';
import { figure } from './chart.ts';
import { type ColumnValues, densityChart } from './densities.ts';
import { type Html, html, own, table } from './html.ts';
import { calibrationChart, confusionChart, precisionRecallChart, rocChart, surenessChart } from './quality.ts';
import { style } from './style.ts';
import { stemChart, type WordTables, wordTable } from './words.ts';

/** Everything that a report says. */
export interface ReportInput extends Evaluation {
  readonly title: string;
  /** What the model is, in one line, and facts about it. */
  readonly summary: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly scored: ScoredRows;
  readonly columns: readonly ColumnValues[];
  readonly words: readonly { readonly column: string; readonly tables: WordTables }[];
  /** What speaks for each class in the model, the strongest first, with its log-odds or the mean of a measurement. */
  readonly informative: readonly {
    readonly label: string;
    readonly terms: readonly { readonly name: string; readonly logOdds?: number; readonly mean?: number }[];
  }[];
  readonly mistakes: readonly {
    readonly truth: string;
    readonly answer: string;
    readonly sure: number;
    readonly content: string;
  }[];
  readonly tried: readonly {
    readonly of: string;
    readonly name: string;
    readonly logLoss: number;
    readonly accuracy: number;
    readonly chosen: boolean;
  }[];
  readonly warnings: readonly string[];
  /** The command that makes this report again. */
  readonly command: string;
}

/** One self-contained page: no script, no outside asset, readable on paper. */
export function renderReport(input: ReportInput): string {
  const sections = [
    head(input),
    quality(input),
    byClass(input),
    goesBy(input),
    telling(input),
    mistakes(input),
    tried(input),
    again(input),
  ];
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,"><title>${input.title}</title><style>${style}</style></head>
<body><main>${sections}</main></body></html>
`.text;
}

const share = (value: number) => `${(100 * value).toFixed(1)} %`;
const bounds = ({ low, high }: Evaluation['accuracy']) => `${share(low)} to ${share(high)}`;
const maybe = (value: number | null) => (value === null ? '–' : value.toFixed(4));

function head({ title, summary, on, accuracy, logLoss, brier, calibrationError, warnings }: ReportInput): Html {
  const cards = [
    [share(accuracy.value), `accuracy, 95 % interval ${bounds(accuracy)}`],
    [maybe(logLoss), 'log-loss'],
    [maybe(brier), 'Brier score'],
    [maybe(calibrationError), 'calibration error'],
  ];
  return html`<header><h1>${title}</h1><p class="big">${summary}</p><p class="soft">Evaluated on ${on}.</p></header>
<ul class="cards">${cards.map(([value, what]) => html`<li><b>${value}</b><span>${what}</span></li>`)}</ul>
${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}`;
}

function quality({ scored, confusion }: ReportInput): Html {
  const several = scored.classes.length > 1 && new Set(scored.truth).size > 1;
  return html`<section><h2>How good it is</h2><div class="figures">
${figure(confusionChart(confusion.labels, confusion.matrix))}
${several && [figure(rocChart(scored)), figure(precisionRecallChart(scored))]}
${figure(calibrationChart(scored))}
${figure(surenessChart(scored))}</div></section>`;
}

function byClass({ report, intervals, confusion }: ReportInput): Html {
  const rows = confusion.labels.map((label, c) => {
    const { precision, recall } = intervals[label];
    const line = report[label];
    return [
      own(label),
      share(precision.value),
      bounds(precision),
      share(recall.value),
      bounds(recall),
      (typeof line === 'object' ? line['f1-score'] : 0).toFixed(3),
      sum(confusion.matrix[c]),
    ];
  });
  return html`<section><h2>Class by class</h2>${table(['class', 'precision', '95 % interval', 'recall', '95 % interval', 'F1', 'rows'], rows)}</section>`;
}

/** What the model goes by, class by class. */
function goesBy({ informative }: ReportInput): Html | undefined {
  const rows = informative
    .filter(({ terms }) => terms.length > 0)
    .map(({ label, terms }) => [
      own(label),
      own(
        terms
          .map(({ name, logOdds, mean }) =>
            logOdds === undefined ? `${name} (mean ${Number(mean?.toPrecision(3))})` : `${name} ${logOdds.toFixed(1)}`,
          )
          .join(', '),
      ),
    ]);
  if (rows.length === 0) return undefined;
  return html`<section><h2>What the model goes by</h2>
<p class="soft">What speaks most for each class, with its log-odds against the other classes.</p>${table(['class', ''], rows)}</section>`;
}

function telling({ columns, words }: ReportInput): Html | undefined {
  if (columns.length + words.length === 0) return undefined;
  return html`<section><h2>What tells the classes apart</h2>
${words.map(({ column, tables }) => html`<h3>${own(column)}</h3>${wordTable(tables)}${figure(stemChart(tables))}`)}
<div class="figures">${columns.map((column) => figure(densityChart(column)))}</div></section>`;
}

function mistakes({ mistakes: list }: ReportInput): Html {
  const rows = list.map(({ truth, answer, sure, content }) => [share(sure), own(truth), own(answer), own(content)]);
  return html`<section><h2>The most confident mistakes</h2>${
    rows.length > 0 ? table(['sure', 'truth', 'answer', 'row'], rows) : html`<p>There is none.</p>`
  }</section>`;
}

function tried({ tried: list }: ReportInput): Html | undefined {
  if (list.length === 0) return undefined;
  const rows = [...list]
    .sort((a, b) => a.logLoss - b.logLoss)
    .slice(0, 40)
    .map(({ of, name, logLoss, accuracy, chosen }) => [
      name,
      own(of),
      logLoss.toFixed(4),
      share(accuracy),
      chosen ? 'chosen' : '',
    ]);
  return html`<section><h2>What was tried</h2><p class="soft">Held-out scores on folds of the training rows alone.</p>
${table(['model', 'of', 'log-loss', 'accuracy', ''], rows)}</section>`;
}

function again({ facts, command }: ReportInput): Html {
  return html`<section><h2>Where it comes from</h2>${table(
    ['', ''],
    facts.map(([name, value]) => [name, own(value)]),
  )}
<p>The same report again:</p><pre>${command}</pre></section>`;
}
