import { type Chart, colourOf } from './chart.ts';
import { type Html, html, own, table } from './html.ts';
import { label, stems } from './plot.ts';
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
  const base = (c: number) => (shown.length - 1 - c) * 1.25; // of the panel of a class, each of height 1
  return {
    title: texts.stems,
    reading: texts.stemsReading(curve.length, classes.length > 4),
    plot: {
      width: 960,
      height: 60 + 110 * shown.length,
      right: 110,
      x: { domain: [-1, curve.length], label: texts.word, ticks: [] },
      y: {
        domain: [0, base(0) + 1],
        label: '',
        grid: true,
        ticks: shown.flatMap((_, c) => [0, 0.5, 1].map((p) => ({ at: base(c) + p, text: p.toFixed(1) }))),
      },
      marks: shown.flatMap((name, c) => [
        stems(
          curve.map(({ probabilities }, j) => ({ x: j, y: base(c) + probabilities[c] })),
          base(c),
          colourOf(c),
        ),
        label({ x: curve.length, y: base(c) + 0.5 }, ` ${name}`, 'start'),
      ]),
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
