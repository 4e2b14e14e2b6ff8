import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Slider } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { PickClass, PickColumn } from '../parts/pick.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route } from '../route.ts';
import { texts, whole } from '../texts/index.ts';
import type { Surface } from '../worker/beliefs.ts';
import { columnsOf } from './columns.ts';

const STOPS = [2, 3, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000];

/** The likelihood of mean and variance as contours. */
export function Likelihood({ run }: { run: Run }): JSX.Element {
  const { understand: say } = texts.value;
  const columns = columnsOf(run, 'number');
  const column = columns.find((name) => name === route.value.view.column) ?? columns[0];
  const label = run.classes.find((own) => own === route.value.view.class) ?? run.classes[0];
  const stop = useSignal(3);
  const asked = useAnswer(
    () => (column === undefined ? undefined : lab.ask('surface', [run.id, column, label, STOPS[stop.value]])),
    [run.id, column, label, stop.value],
  );
  const result = asked.value.value;
  const spec = useMemo(() => result && surfaceSpec(result), [result, texts.value]);
  if (column === undefined) return <p>{say.noNumber}</p>;
  return (
    <>
      <div class="row panel">
        <PickColumn columns={columns} value={column} />
        <PickClass classes={run.classes} value={label} />
        <Slider
          label={say.counted}
          {...{ min: 0, max: STOPS.length - 1, step: 1, value: stop.value }}
          shown={whole(result?.rows ?? STOPS[stop.value])}
          onInput={(value) => (stop.value = value)}
        />
      </div>
      {spec ? <Chart spec={spec} wide /> : <Refusing asked={asked} />}
    </>
  );
}

function surfaceSpec({ column, label, rows, mean, variance, size, from, to, fall }: Surface): ChartSpec {
  const { understand: say } = texts.value;
  const step = [0, 1].map((j) => (to[j] - from[j]) / (size - 1));
  return {
    title: say.surface(column, label),
    reading: say.surfaceReading(whole(rows)),
    n: rows,
    tips: [{ x: mean, y: variance, text: `μ̂ = ${mean.toPrecision(4)}\nσ̂² = ${variance.toPrecision(4)}` }],
    plot: (Plot) => ({
      height: 420,
      x: { label: say.meanOf(column), domain: [from[0] + step[0], to[0] - step[0]] },
      y: { label: say.varianceOf, domain: [from[1] + step[1], to[1] - step[1]] },
      color: { type: 'linear', domain: [-32, 0], range: ['transparent', colourOf(0)] },
      marks: [
        Plot.contour(fall, {
          ...{ width: size, height: size, clip: true },
          ...{ x1: from[0] - step[0] / 2, x2: to[0] + step[0] / 2, y1: from[1] - step[1] / 2, y2: to[1] + step[1] / 2 },
          thresholds: [-32, -16, -8, -4, -2, -1, -0.25],
          fill: colourOf(0),
          fillOpacity: 0.16,
          stroke: 'currentColor',
          strokeOpacity: 0.5,
        }),
        Plot.dot([[mean, variance]], { fill: colourOf(1), r: 5, stroke: '#fff', clip: true }),
      ],
    }),
    data: { heads: ['μ̂', 'σ̂²', 'n'], rows: [[mean, variance, rows]] },
  };
}
