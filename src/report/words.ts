import * as Plot from '@observablehq/plot';
import { type Chart, colourOf } from './chart.ts';
import { type Html, html, own, table } from './html.ts';

/** What a report says of words. */
export interface WordTables {
  readonly classes: readonly string[];
  /** p(word is there | c) of words in the order of the vocabulary, at most a few hundred; class by class. */
  readonly curve: readonly { readonly word: string; readonly probabilities: readonly number[] }[];
  /** The most probable words of each class. */
  readonly probable: readonly (readonly { readonly word: string; readonly probability: number }[])[];
  /** The words with the highest mutual information, in bits. */
  readonly informative: readonly { readonly word: string; readonly information: number }[];
}

/** Murphy's figure 3.8: one stem per word, one panel per class. */
export function stemChart({ classes, curve }: WordTables): Chart {
  const shown = classes.slice(0, 4);
  const stems = curve.flatMap(({ word, probabilities }, j) =>
    shown.map((label, c) => ({ j, word, label, c, p: probabilities[c] })),
  );
  return {
    title: 'p(word is there | class)',
    reading: `One stem for each of ${curve.length} words, in alphabetical order; a word that stands out in one panel alone tells.${classes.length > 4 ? ' The first four classes.' : ''}`,
    plot: {
      width: 960,
      height: 60 + 110 * shown.length,
      marginRight: 110,
      fy: { domain: shown, label: null },
      x: { label: 'word', ticks: [], domain: [0, curve.length] },
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
      heads: ['word', ...shown],
      rows: curve.map(({ word, probabilities }) => [word, ...shown.map((_, c) => probabilities[c])]),
    },
  };
}

/** Murphy's table 3.1: the most probable words of each class beside the most informative ones. */
export function wordTable({ classes, probable, informative }: WordTables): Html {
  const shown = classes.slice(0, 6);
  const heads = ['', ...shown.flatMap((label) => [label, 'p']), 'most informative', 'bits'];
  const rows = informative.map(({ word, information }, k) => [
    String(k + 1),
    ...shown.flatMap((_, c) => {
      const likely = probable[c][k];
      return likely ? [own(likely.word), likely.probability.toFixed(3)] : ['', ''];
    }),
    own(word),
    information.toFixed(4),
  ]);
  return html`<p class="soft">The most probable words of each class are much alike; the words with the highest mutual information are not.</p>${table(heads, rows)}`;
}
