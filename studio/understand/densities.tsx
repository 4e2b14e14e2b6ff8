import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { PickColumn } from '../parts/pick.tsx';
import { chosenClasses, PickClasses } from '../parts/pick-classes.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { ColumnCard, Run } from '../protocol.ts';
import { route } from '../route.ts';
import { chooseRows } from '../rows/filter.ts';
import { profile, settings, work } from '../state.ts';
import { texts, three } from '../texts/index.ts';
import { trainAgain } from '../train.ts';
import type { DensitiesResult } from '../worker/densities.ts';
import { columnsOf } from './columns.ts';

const MOST_CLASSES = 8;

/** p(x | c) of a numeric column: the fitted density beside the data. */
export function Densities({ run }: { run: Run }): JSX.Element {
  const { understand: say } = texts.value;
  const columns = columnsOf(run, 'number');
  const column = columns.find((name) => name === route.value.view.column) ?? columns[0];
  const classes = chosenClasses(run.classes, MOST_CLASSES);
  const asked = useAnswer(
    () => (column === undefined ? undefined : lab.ask('densities', [run.id, column, classes])),
    [run.id, column, JSON.stringify(classes)],
  );
  const result = asked.value.value;
  const spec = useMemo(() => result && densitySpec(result, run.classes), [result, texts.value]);
  if (column === undefined) return <p>{say.noNumber}</p>;
  return (
    <>
      <div class="row panel">
        <PickColumn columns={columns} value={column} />
        <button type="button" disabled={work.value !== undefined} onClick={() => trainWithout(column)}>
          {say.without}
        </button>
      </div>
      <PickClasses all={run.classes} shown={classes} most={MOST_CLASSES} />
      {spec ? <Chart spec={spec} wide /> : <Refusing asked={asked} />}
    </>
  );
}

/** Retrains without one column and shows the new run. */
function trainWithout(column: string): void {
  const cards = profile.value?.columns ?? [];
  const used = settings.value.features.length > 0 ? settings.value.features : features(cards);
  trainAgain({ ...settings.value, features: used.filter((name) => name !== column) });
}

const features = (cards: readonly ColumnCard[]): string[] =>
  cards.filter(({ role }) => role === 'feature').map(({ name }) => name);

const HEIGHT = 360;

function densitySpec(
  { column, grid, from, width, classes, overlap }: DensitiesResult,
  all: readonly string[],
): ChartSpec {
  const { understand: say } = texts.value;
  const own = classes.map((numbers) => ({ ...numbers, c: all.indexOf(numbers.label) })).sort((a, b) => a.c - b.c);
  const fill = ({ c }: { c: number }) => colourOf(c);
  const bars = own.flatMap(({ bars: heights, c }) =>
    heights.map((p, k) => ({
      c,
      x1: from + k * width,
      x2: from + (k + 1) * width,
      p,
      isLast: k === heights.length - 1,
    })),
  );
  const curves = own.flatMap(({ smooth, normal, c }) =>
    grid.map((x, k) => ({ c, x, smooth: smooth[k], normal: normal[k] })),
  );
  const rug = own.flatMap(({ rug: values, c }) => values.map((x) => ({ x, c })));
  return {
    title: say.density(column),
    reading: say.densityReading(three(overlap)),
    n: own.reduce((sum, { rows }) => sum + rows, 0),
    keys: own.map(({ label }) => label),
    keyColours: own.map(({ c }) => colourOf(c)),
    plot: (Plot) => ({
      height: HEIGHT,
      x: { label: column },
      y: { label: `p(${column} | c)`, grid: true, ticks: 5 },
      marks: [
        Plot.rect(bars, { x1: 'x1', x2: 'x2', y1: 0, y2: 'p', fill, fillOpacity: 0.18 }),
        Plot.line(curves, { x: 'x', y: 'smooth', z: 'c', stroke: fill, strokeWidth: 1.2 }),
        Plot.line(curves, { x: 'x', y: 'normal', z: 'c', stroke: fill, strokeWidth: 2.6 }),
        Plot.tickX(rug, { x: 'x', stroke: fill, strokeOpacity: 0.4, insetTop: HEIGHT - 80 }),
        Plot.ruleY([0]),
      ],
    }),
    tips: bars
      .filter(({ p }) => p > 0)
      .map(({ c, x1, x2, p, isLast }) => ({
        x: (x1 + x2) / 2,
        y: p,
        text: `${all[c]}\n${column} ${x1.toPrecision(3)} – ${x2.toPrecision(3)}\n${say.densityOf} ${p.toPrecision(3)}`,
        pick: () => chooseRows({ kind: 'number', column, from: x1, to: x2, closed: isLast }),
      })),
    data: {
      heads: say.densityHeads,
      rows: own.map(({ label, rows, mean, deviation }) => [label, rows, mean, deviation]),
    },
  };
}
