import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { Empty } from '../parts/empty.tsx';
import { RunList } from '../parts/run-list.tsx';
import type { Run } from '../protocol.ts';
import { opened, run, runs } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';
import { Choices } from '../train/choices.tsx';
import { Race } from '../train/race.tsx';

/** The Train screen: settings, progress and all runs. */
export default function Train(): JSX.Element {
  if (!opened.value) return <Empty what="data" />;
  const shown = run.value;
  return (
    <>
      <div class="split">
        <Choices />
        <Curve run={shown} />
      </div>
      <Race run={shown} />
      <h2>{texts.value.train.runs}</h2>
      {runs.value.length === 0 ? <p class="soft">{texts.value.train.noRuns}</p> : <RunList />}
    </>
  );
}

/** The learning curve, drawn while rows are counted. */
function Curve({ run: shown }: { run: Run | undefined }): JSX.Element {
  const { train: say } = texts.value;
  const spec = useMemo(() => shown && shown.curve.length > 1 && curveSpec(shown), [shown, texts.value]);
  if (spec) return <Chart spec={spec} />;
  return (
    <section class="card soft">
      <b>{say.curve}</b>
      <p>{say.curveComes}</p>
    </section>
  );
}

function curveSpec({ curve, trainRows, testRows }: Run): ChartSpec {
  const { train: say, evaluate } = texts.value;
  return {
    title: say.curve,
    reading: `${say.curveReading} ${say.curveRows(whole(curve.at(-1)!.rows), whole(trainRows))}`,
    n: curve.at(-1)!.tests,
    of: testRows,
    plot: (Plot) => ({
      height: 260,
      x: { type: 'log', label: say.rowsCounted, grid: true, ticks: 4, tickFormat: whole },
      y: { label: evaluate.accuracy, grid: true, ticks: 5 },
      marks: [
        Plot.line(curve, { x: 'rows', y: 'accuracy', stroke: colourOf(0), strokeWidth: 2 }),
        Plot.dot(curve, { x: 'rows', y: 'accuracy', fill: colourOf(0) }),
      ],
    }),
    tips: curve.map(({ rows, accuracy, logLoss }) => ({
      x: rows,
      y: accuracy,
      text: `${whole(rows)} ${say.rowsCounted}\n${evaluate.accuracy} ${percent(accuracy)}\n${evaluate.logLoss} ${three(logLoss)}`,
    })),
    data: {
      heads: [say.rowsCounted, evaluate.accuracy, evaluate.logLoss],
      rows: curve.map(({ rows, accuracy, logLoss }) => [rows, accuracy, logLoss]),
    },
  };
}
