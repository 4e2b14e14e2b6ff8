import type { Evaluation, ScoredRows } from '../evaluate/evaluation.ts';
import { sum } from '../math/arrays.ts';
import { figure } from './chart.ts';
import { type ColumnValues, densityChart } from './densities.ts';
import { type Html, html, own, table } from './html.ts';
import { calibrationChart, confidenceChart, confusionChart, precisionRecallChart, rocChart } from './quality.ts';
import { style } from './style.ts';
import { type ReportTexts, reportTexts } from './texts.ts';
import { stemChart, type WordTables, wordTable } from './words.ts';

/** The content of a report. */
export interface ReportInput extends Evaluation {
  /** The language of headings and explanations. Default: 'en'. */
  readonly language?: keyof typeof reportTexts;
  readonly title: string;
  /** The model in one line. */
  readonly summary: string;
  /** Named facts about data and model. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly scored: ScoredRows;
  readonly columns: readonly ColumnValues[];
  readonly words: readonly { readonly column: string; readonly tables: WordTables }[];
  /** The strongest evidence for each class, with its log-odds or the mean of a measurement. */
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

/** Renders a self-contained page: no scripts, no external assets, printable. */
export function renderReport(input: ReportInput): string {
  const language = input.language ?? 'en';
  const texts = reportTexts[language];
  const sections = [head, quality, byClass, evidence, features, mistakes, tried, origin].map((section) =>
    section(input, texts),
  );
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,"><title>${input.title}</title><style>${style}</style></head>
<body><main>${sections}</main></body></html>
`.text;
}

const share = (value: number) => `${(100 * value).toFixed(1)} %`;
const bounds = ({ low, high }: Evaluation['accuracy'], texts: ReportTexts) => texts.range(share(low), share(high));
const maybe = (value: number | null) => (value === null ? '–' : value.toFixed(4));

function head(input: ReportInput, texts: ReportTexts): Html {
  const { title, summary, on, accuracy, logLoss, brier, calibrationError, warnings } = input;
  const cards = [
    [share(accuracy.value), texts.accuracy(bounds(accuracy, texts))],
    [maybe(logLoss), texts.logLoss],
    [maybe(brier), texts.brier],
    [maybe(calibrationError), texts.calibrationError],
  ];
  return html`<header><h1>${title}</h1><p class="big">${summary}</p><p class="soft">${texts.evaluatedOn(on)}</p></header>
<ul class="cards">${cards.map(([value, what]) => html`<li><b>${value}</b><span>${what}</span></li>`)}</ul>
${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}`;
}

function quality({ scored, confusion }: ReportInput, texts: ReportTexts): Html {
  const several = scored.classes.length > 1 && new Set(scored.truth).size > 1;
  return html`<section><h2>${texts.quality}</h2><div class="figures">
${figure(confusionChart(confusion.labels, confusion.matrix, texts), texts)}
${several && [rocChart, precisionRecallChart].map((chart) => figure(chart(scored, texts), texts))}
${[calibrationChart, confidenceChart].map((chart) => figure(chart(scored, texts), texts))}</div></section>`;
}

function byClass({ report, intervals, confusion }: ReportInput, texts: ReportTexts): Html {
  const rows = confusion.labels.map((label, c) => {
    const { precision, recall } = intervals[label];
    const line = report[label];
    return [
      own(label),
      share(precision.value),
      bounds(precision, texts),
      share(recall.value),
      bounds(recall, texts),
      (typeof line === 'object' ? line['f1-score'] : 0).toFixed(3),
      sum(confusion.matrix[c]),
    ];
  });
  return html`<section><h2>${texts.byClass}</h2>${table(texts.classHeads, rows)}</section>`;
}

/** The strongest evidence for each class. */
function evidence({ informative }: ReportInput, texts: ReportTexts): Html | undefined {
  const rows = informative
    .filter(({ terms }) => terms.length > 0)
    .map(({ label, terms }) => [
      own(label),
      own(
        terms
          .map(({ name, logOdds, mean }) =>
            logOdds === undefined
              ? `${name} (${texts.mean} ${Number(mean?.toPrecision(3))})`
              : `${name} ${logOdds.toFixed(1)}`,
          )
          .join(', '),
      ),
    ]);
  if (rows.length === 0) return undefined;
  return html`<section><h2>${texts.evidence}</h2>
<p class="soft">${texts.evidenceReading}</p>${table(texts.evidenceHeads, rows)}</section>`;
}

function features({ columns, words }: ReportInput, texts: ReportTexts): Html | undefined {
  if (columns.length + words.length === 0) return undefined;
  return html`<section><h2>${texts.features}</h2>
${words.map(({ column, tables }) => html`<h3>${own(column)}</h3>${wordTable(tables, texts)}${figure(stemChart(tables, texts), texts)}`)}
<div class="figures">${columns.map((column) => figure(densityChart(column, texts), texts))}</div></section>`;
}

function mistakes({ mistakes: list }: ReportInput, texts: ReportTexts): Html {
  const rows = list.map(({ truth, answer, sure, content }) => [share(sure), own(truth), own(answer), own(content)]);
  return html`<section><h2>${texts.mistakes}</h2>${
    rows.length > 0 ? table(texts.mistakeHeads, rows) : html`<p>${texts.noMistakes}</p>`
  }</section>`;
}

function tried({ tried: list }: ReportInput, texts: ReportTexts): Html | undefined {
  if (list.length === 0) return undefined;
  const rows = [...list]
    .sort((a, b) => a.logLoss - b.logLoss)
    .slice(0, 40)
    .map(({ of, name, logLoss, accuracy, chosen }) => [
      name,
      own(of),
      logLoss.toFixed(4),
      share(accuracy),
      chosen ? texts.chosen : '',
    ]);
  return html`<section><h2>${texts.tried}</h2><p class="soft">${texts.triedReading}</p>
${table(texts.triedHeads, rows)}</section>`;
}

function origin({ facts, command }: ReportInput, texts: ReportTexts): Html {
  return html`<section><h2>${texts.origin}</h2>${table(
    ['', ''],
    facts.map(([name, value]) => [name, own(value)]),
  )}
<p>${texts.again}</p><pre>${command}</pre></section>`;
}
