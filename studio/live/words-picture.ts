import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo } from '../parts/margins.ts';
import { texts, three } from '../texts/index.ts';
import type { LiveWord } from '../worker/live.ts';

const MARGIN = 110;

/** The words that speak most for each class, as bars of log-odds. */
export function wordsSpec(words: readonly LiveWord[], classes: readonly string[], rows: number): ChartSpec {
  const { live: say, understand } = texts.value;
  const [wordHead, labelHead] = understand.rankingHeads;
  const { logOdds: logOddsHead } = understand.sorts;
  const bars = words.map((own) => ({ ...own, key: `${own.label}\n${own.word}` })); // a word may speak for two classes
  const wordOf = (key: string) => key.slice(key.indexOf('\n') + 1);
  return {
    title: say.words,
    reading: say.wordsReading,
    n: rows,
    keys: classes,
    plot: (Plot) => ({
      height: 44 + 22 * bars.length,
      marginLeft: MARGIN,
      x: { label: logOddsHead, grid: true, ticks: 5 },
      y: {
        domain: bars.map(({ key }) => key),
        label: null,
        tickSize: 0,
        tickFormat: (key: string) => cutTo(wordOf(key), MARGIN),
      },
      marks: [
        Plot.barX(bars, { x: 'logOdds', y: 'key', fill: ({ label }: LiveWord) => colourOf(classes.indexOf(label)) }),
        Plot.ruleX([0]),
      ],
    }),
    tips: bars.map(({ key, word, label, logOdds }) => ({
      ...{ x: logOdds, y: key },
      text: `${word} → ${label}\n${logOddsHead} ${three(logOdds)}`,
    })),
    data: {
      heads: [wordHead, labelHead, logOddsHead],
      rows: bars.map(({ word, label, logOdds }) => [word, label, logOdds]),
    },
  };
}
