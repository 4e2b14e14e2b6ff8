import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { texts, three } from '../texts/index.ts';
import type { LiveWord } from '../worker/live.ts';

/** The words that speak most for each class, as bars of log-odds. */
export function wordsSpec(words: readonly LiveWord[], classes: readonly string[], rows: number): ChartSpec {
  const { live: say, understand } = texts.value;
  const [, wordHead, logOddsHead] = ['', understand.rankingHeads[0], understand.sorts.logOdds];
  const bars = words.map((own) => ({ ...own, key: `${own.word} ${own.label}` }));
  return {
    title: say.words,
    reading: say.wordsReading,
    n: rows,
    keys: classes,
    plot: (Plot) => ({
      height: 44 + 22 * bars.length,
      marginLeft: 96,
      x: { label: logOddsHead, grid: true, ticks: 5 },
      y: {
        domain: bars.map(({ key }) => key),
        label: null,
        tickSize: 0,
        tickFormat: (key: string) => key.split(' ')[0],
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
      heads: [wordHead, understand.rankingHeads[1], logOddsHead],
      rows: bars.map(({ word, label, logOdds }) => [word, label, logOdds]),
    },
  };
}
