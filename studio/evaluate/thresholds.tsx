import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { Chart } from '../parts/chart.tsx';
import { Choice, Slider } from '../parts/choice.tsx';
import { download } from '../parts/download.ts';
import { Refusing } from '../parts/refusing.tsx';
import type { Evaluated, Operating, Run, ThresholdRule } from '../protocol.ts';
import { gateLine, HELD_OUT, modelName } from '../repeat.ts';
import { show, viewNumber } from '../route.ts';
import { opened, refused } from '../state.ts';
import { percent, texts, three } from '../texts/index.ts';
import { calibrationSpec, histogramSpec, liftSpec, precisionRecallSpec, rocSpec } from './curve-charts.ts';
import { shownClass, useOperating } from './decision.ts';
import { cheapest, pointAt } from './point-at.ts';

/** One class against the others: a threshold and a cost, shown on all curves. */
export function Thresholds({
  run,
  evaluated,
  rule,
}: {
  run: Run;
  evaluated: Evaluated;
  rule: ThresholdRule | undefined;
}): JSX.Element {
  const { evaluate: say } = texts.value;
  const { labels } = evaluated.evaluation.confusion;
  const label = shownClass(evaluated)!;
  const { shown, asked } = useOperating(run, evaluated, label);
  const threshold = rule?.threshold ?? 0.5;
  const cost = viewNumber('cost', 1);
  return (
    <section>
      <div class="row sticky">
        <Choice
          label={say.classShown}
          value={label}
          options={labels.map((own) => [own, own] as const)}
          onChange={(own) => show({ class: own })}
        />
        <Slider
          label={say.threshold}
          {...{ min: 0, max: 1, step: 0.001, value: threshold }}
          shown={three(threshold)}
          onInput={(value) => show({ threshold: String(value) })}
        />
        <Slider
          label={say.cost}
          {...{ min: 0.1, max: 20, step: 0.1, value: cost }}
          shown={String(cost)}
          onInput={(value) => show({ cost: String(value) })}
        />
      </div>
      {shown ? (
        <>
          <AtThreshold {...{ shown, threshold, cost }} />
          <Curves shown={shown} threshold={threshold} classes={run.classes}>
            <Gate
              id={run.id}
              label={label}
              rule={rule}
              recall={evaluated.evaluation.intervals[label]?.recall.value ?? 0}
            />
          </Curves>
        </>
      ) : (
        <Refusing asked={asked} />
      )}
    </section>
  );
}

/** The rates at the threshold, and the threshold with the least cost. */
function AtThreshold({ shown, threshold, cost }: { shown: Operating; threshold: number; cost: number }): JSX.Element {
  const { evaluate: say } = texts.value;
  const best = useMemo(() => cheapest(shown, cost), [shown, cost]);
  const { precision, recall, fpr } = pointAt(shown, threshold);
  return (
    <p aria-live="polite">
      {say.atThreshold(three(threshold), three(precision), three(recall), percent(fpr))}{' '}
      {say.bestThreshold(three(best))}{' '}
      <button type="button" class="small" onClick={() => show({ threshold: String(best) })}>
        {say.useBest}
      </button>
    </p>
  );
}

/** The curves. They are redrawn when the class changes; a new threshold only moves one mark on each. */
function Curves({
  shown,
  threshold,
  classes,
  children,
}: {
  shown: Operating;
  threshold: number;
  classes: readonly string[];
  children: ComponentChildren;
}): JSX.Element {
  const say = texts.value;
  const specs = useMemo(
    () => [
      rocSpec(shown, threshold),
      precisionRecallSpec(shown, threshold),
      calibrationSpec(shown),
      histogramSpec(shown, threshold, classes.indexOf(shown.label)),
      liftSpec(shown, threshold),
    ],
    [shown, threshold, say],
  );
  return (
    <div class="charts">
      {specs.map((spec) => (
        <Chart key={spec.title} spec={spec} />
      ))}
      {children}
    </div>
  );
}

/** A quality gate at the current recall: a command for CI, a script, and the held-out rows it was measured on. */
function Gate({
  id,
  label,
  rule,
  recall,
}: {
  id: number;
  label: string;
  rule: ThresholdRule | undefined;
  recall: number;
}): JSX.Element {
  const { evaluate: say } = texts.value;
  const line = gateLine(modelName(opened.value?.name ?? ''), label, rule, recall);
  const rows = async () => download(HELD_OUT, await lab.ask('heldOut', [id]), 'text/csv');
  return (
    <figure class="chart">
      <figcaption>
        <b>{say.gate}</b>
        <p class="soft">{say.gateReading}</p>
      </figcaption>
      <pre data-gate>{line}</pre>
      <div class="tools">
        <button type="button" class="ghost" data-held-out onClick={() => rows().catch(refused)}>
          {say.gateRows}
        </button>
        <button
          type="button"
          class="ghost"
          onClick={() => download('gate.sh', `#!/bin/sh\nset -e\n${line}\n`, 'text/x-shellscript')}
        >
          {say.gateSave}
        </button>
      </div>
    </figure>
  );
}
