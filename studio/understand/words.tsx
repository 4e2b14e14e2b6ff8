import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { cutTo } from '../parts/margins.ts';
import { PickColumn } from '../parts/pick.tsx';
import { chosenClasses, PickClasses } from '../parts/pick-classes.tsx';
import { Refusing } from '../parts/refusing.tsx';
import { Table } from '../parts/table.tsx';
import type { Run } from '../protocol.ts';
import { route } from '../route.ts';
import { chooseRows } from '../rows/filter.ts';
import { texts, three, whole } from '../texts/index.ts';
import type { WordsResult } from '../worker/words.ts';
import { Ranking } from './words-ranking.tsx';

const MOST_CLASSES = 4;

/** The Words tab: probability of words by class, and their information. */
export function Words({ run }: { run: Run }): JSX.Element {
  const { understand: say } = texts.value;
  const column = run.texts.find((name) => name === route.value.view.column) ?? run.texts[0];
  const asked = useAnswer(
    () => (column === undefined ? undefined : lab.ask('words', [run.id, column])),
    [run.id, column],
  );
  const result = asked.value.value;
  const classes = chosenClasses(run.classes, MOST_CLASSES);
  const spec = useMemo(() => result && stemSpec(result, classes), [result, JSON.stringify(classes), texts.value]);
  if (column === undefined) return <p>{say.noText}</p>;
  if (!result || !spec) return <Refusing asked={asked} />;
  return (
    <>
      {run.texts.length > 1 && <PickColumn columns={run.texts} value={column} />}
      <PickClasses all={run.classes} shown={classes} most={MOST_CLASSES} />
      <Chart spec={spec} wide />
      <div class="split roomy">
        <Probable result={result} shown={classes} />
        <Ranking key={run.id} run={run} result={result} />
      </div>
    </>
  );
}

/** One stem per word, one panel per class (Murphy, figure 3.8). */
function stemSpec({ column, classes, stems, rows, all: allRows }: WordsResult, shown: readonly string[]): ChartSpec {
  const { understand: say } = texts.value;
  const places = shown.map((label) => classes.indexOf(label));
  const all = stems.flatMap(({ word, probabilities }, j) =>
    shown.map((label, k) => ({ j, word, label, c: places[k], p: probabilities[places[k]] })),
  );
  return {
    title: say.stems,
    reading: say.stemsReading(whole(stems.length)),
    n: rows,
    of: allRows,
    plot: (Plot) => ({
      height: 24 + 104 * shown.length,
      marginRight: 84,
      marginTop: 12,
      marginBottom: 12,
      fy: { domain: shown, label: null, tickFormat: (label: string) => cutTo(label, 84) },
      x: { label: null, ticks: [], domain: [0, stems.length] },
      y: { domain: [0, 1], grid: true, ticks: 3, label: null },
      marks: [
        Plot.ruleX(all, {
          x: 'j',
          y: 'p',
          fy: 'label',
          stroke: ({ c }: { c: number }) => colourOf(c),
          strokeWidth: 1.3,
        }),
        Plot.ruleY([0]),
      ],
    }),
    tips: all.map(({ j, word, label, p }) => ({
      ...{ x: j, y: p, fy: label, text: `${word}\np(${word} | ${label}) = ${three(p)}` },
      pick: () => chooseRows({ kind: 'word', column, word }),
    })),
    data: {
      heads: [say.rankingHeads[0], ...shown],
      rows: stems.map(({ word, probabilities }) => [word, ...places.map((c) => probabilities[c])]),
    },
  };
}

/** The most probable and the most informative words (Murphy, table 3.1). */
function Probable({
  result: { classes, probable, ranking },
  shown,
}: {
  result: WordsResult;
  shown: readonly string[];
}): JSX.Element {
  const { understand: say } = texts.value;
  const places = shown.map((label) => classes.indexOf(label));
  const rows = ranking
    .slice(0, 15)
    .map(({ word, information }, k) => [
      ...places.flatMap((c) => [probable[c][k]?.word ?? '', three(probable[c][k]?.probability)]),
      word,
      three(information),
    ]);
  return (
    <section>
      <h2>{say.table}</h2>
      <p class="soft">{say.tableReading}</p>
      <Table
        label={say.table}
        heads={[...shown.flatMap((label) => [label, 'p']), say.informative, say.bits]}
        rows={rows}
      />
    </section>
  );
}
