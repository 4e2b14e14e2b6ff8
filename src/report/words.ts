import * as Plot from '@observablehq/plot';
import { type Chart, colourOf } from './chart.ts';
import { type Html, html, own, table } from './html.ts';
import type { ReportTexts } from './texts.ts';

/** The statistics of the words of a text column. */
export interface WordTables {
  readonly classes: readonly string[];
  /** p(word occurs | c) for at most a few hundred words in alphabetical order, class by class. */
  readonly curve: readonly { readonly word: string; readonly probabilities: readonly number[] }[];
  /** The most probable words of each class. */
  readonly probable: readonly (readonly { readonly word: string; readonly probability: number }[])[];
  /** The words with the highest mutual information, in bits. */
  readonly informative: readonly { readonly word: string; readonly information: number }[];
}

/** One stem per word, one panel per class (Murphy, figure 3.8). */
export function stemChart({ classes, curve }: WordTables, texts: ReportTexts): Chart {
  const shown = classes.slice(0, 4);
  const stems = curve.flatMap(({ word, probabilities }, j) =>
    shown.map((label, c) => ({ j, word, label, c, p: probabilities[c] })),
  );
  return {
    title: texts.stems,
    reading: texts.stemsReading(curve.length, classes.length > 4),
    plot: {
      width: 960,
      height: 60 + 110 * shown.length,
      marginRight: 110,
      fy: { domain: shown, label: null },
      x: { label: texts.word, ticks: [], domain: [0, curve.length] },
      y: { domain: [0, 1], grid: true, ticks: 3, label: null },
      marks: [
        Plot.ruleX(stems, {
          x: 'j',
          y: 'p',
          fy: 'label',
          stroke: ({ c }: { c: number }) => colourOf(c),
          strokeWidth: 1.2,
        }),
        Plot.ruleY([0]),
      ],
    },
    data: {
      heads: [texts.word, ...shown],
      rows: curve.map(({ word, probabilities }) => [word, ...shown.map((_, c) => probabilities[c])]),
    },
  };
}

/** The most probable words of each class beside the most informative ones (Murphy, table 3.1). */
export function wordTable({ classes, probable, informative }: WordTables, texts: ReportTexts): Html {
  const shown = classes.slice(0, 6);
  const heads = ['', ...shown.flatMap((label) => [label, 'p']), texts.informative, texts.bits];
  const rows = informative.map(({ word, information }, k) => [
    String(k + 1),
    ...shown.flatMap((_, c) => {
      const likely = probable[c][k];
      return likely ? [own(likely.word), likely.probability.toFixed(3)] : ['', ''];
    }),
    own(word),
    information.toFixed(4),
  ]);
  return html`<p class="soft">${texts.words}</p>${table(heads, rows)}`;
}
