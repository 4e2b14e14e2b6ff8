import type { JSX } from 'preact';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { Empty } from '../parts/empty.tsx';
import { RunList } from '../parts/run-list.tsx';
import { Table } from '../parts/table.tsx';
import type { Run } from '../protocol.ts';
import { opened, run, runs } from '../state.ts';
import { texts, three } from '../texts/index.ts';
import { Choices } from '../train/choices.tsx';

/** Three choices, the progress, and every run. */
export default function Train(): JSX.Element {
  if (!opened.value) return <Empty what="data" />;
  const shown = run.value;
  return (
    <>
      <Choices />
      {shown && shown.curve.length > 1 && <Chart spec={curveSpec(shown)} wide />}
      <h2>{texts.value.train.runs}</h2>
      {runs.value.length === 0 ? <p class="soft">{texts.value.train.noRuns}</p> : <RunList />}
      {shown && shown.tried.length > 1 && <Tried run={shown} />}
    </>
  );
}

function curveSpec({ curve, testRows }: Run): ChartSpec {
  const { train: say, evaluate } = texts.value;
  return {
    title: say.curve,
    reading: say.curveReading,
    n: testRows,
    plot: (Plot) => ({
      height: 260,
      x: { type: 'log', label: say.columns[4], grid: true },
      y: { label: evaluate.accuracy, grid: true },
      marks: [
        Plot.line(curve, { x: 'rows', y: 'accuracy', stroke: colourOf(0), strokeWidth: 2 }),
        Plot.dot(curve, { x: 'rows', y: 'accuracy', fill: colourOf(0) }),
      ],
    }),
    data: {
      heads: [say.columns[4], evaluate.accuracy, evaluate.logLoss],
      rows: curve.map(({ rows, accuracy, logLoss }) => [rows, accuracy, logLoss]),
    },
  };
}

function Tried({ run: { tried } }: { run: Run }): JSX.Element {
  const { train: say, evaluate } = texts.value;
  const rows = [...tried]
    .sort((a, b) => a.logLoss - b.logLoss)
    .slice(0, 40)
    .map(({ of, name, logLoss, accuracy, chosen }) => [
      name,
      of,
      three(logLoss),
      three(accuracy),
      chosen ? say.chosen : '',
    ]);
  return (
    <details>
      <summary>{say.tried}</summary>
      <Table label={say.tried} heads={[say.model, '', evaluate.logLoss, evaluate.accuracy, '']} rows={rows} />
    </details>
  );
}
