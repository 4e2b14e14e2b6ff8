import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { Slider } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { percent, texts, three, whole } from '../texts/index.ts';
import type { SmoothingResult } from '../worker/smoothing.ts';

/** Log-loss by pseudo-count, including α = 0. */
export function Smoothing({ run }: { run: Run }): JSX.Element {
  const { understand: say } = texts.value;
  const [column] = run.texts;
  const place = useSignal(0);
  const asked = useAnswer(
    () => (column === undefined ? undefined : lab.ask('smoothing', [run.id, column])),
    [run.id, column],
  );
  const result = asked.value.value;
  const spec = useMemo(() => result && smoothingSpec(result, place.value), [result, place.value, texts.value]);
  if (column === undefined) return <p>{say.noText}</p>;
  if (!result || !spec) return <Refusing asked={asked} />;
  const { alpha, impossible, ownImpossible, rows } = result.points[place.value];
  return (
    <>
      <div class="row panel">
        <Slider
          label="α"
          {...{ min: 0, max: result.points.length - 1, step: 1, value: place.value }}
          shown={String(alpha)}
          onInput={(value) => (place.value = value)}
        />
      </div>
      <p class="big" aria-live="polite">
        {say.smoothingAt(String(alpha), whole(impossible), whole(ownImpossible), whole(rows))}
      </p>
      <Chart spec={spec} wide />
    </>
  );
}

function smoothingSpec({ points: result, trained, train, test }: SmoothingResult, at: number): ChartSpec {
  const { understand: say, evaluate } = texts.value;
  const points = result.map(({ alpha, logLoss }, k) => ({ alpha: String(alpha), logLoss, k }));
  return {
    title: say.smoothing,
    reading: `${say.smoothingReading} ${say.smoothingRows(whole(trained), whole(train))}`,
    n: result[0]?.rows ?? 0,
    of: test,
    plot: (Plot) => ({
      height: 320,
      x: { type: 'point', domain: points.map(({ alpha }) => alpha), label: 'α' },
      y: { grid: true, zero: true, label: evaluate.logLoss },
      marks: [
        Plot.line(points, { x: 'alpha', y: 'logLoss', stroke: colourOf(0), strokeWidth: 2 }),
        Plot.dot(points, {
          x: 'alpha',
          y: 'logLoss',
          r: ({ k }: { k: number }) => (k === at ? 8 : 4),
          fill: ({ k }: { k: number }) => colourOf(k === at ? 1 : 0),
        }),
        Plot.ruleY([0]),
      ],
      r: { type: 'identity' },
    }),
    tips: points.map(({ alpha, logLoss, k }) => ({
      x: alpha,
      y: logLoss,
      text: `α = ${alpha}\n${evaluate.logLoss} ${three(logLoss)}\n${evaluate.accuracy} ${percent(result[k].accuracy)}`,
    })),
    data: {
      heads: ['α', evaluate.logLoss, evaluate.accuracy, 'p = 0', 'n'],
      rows: result.map(({ alpha, logLoss, accuracy, ownImpossible, rows }) => [
        alpha,
        logLoss,
        accuracy,
        ownImpossible,
        rows,
      ]),
    },
  };
}
