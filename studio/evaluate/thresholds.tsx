import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { quoted } from '../../src/cli/shell.ts';
import { Chart } from '../parts/chart.tsx';
import { Choice, Slider } from '../parts/choice.tsx';
import { download } from '../parts/download.ts';
import type { Evaluated, Operating } from '../protocol.ts';
import { modelName } from '../repeat.ts';
import { route, show, viewNumber } from '../route.ts';
import { opened } from '../state.ts';
import { percent, texts, three } from '../texts/index.ts';
import { calibrationSpec, histogramSpec, liftSpec, precisionRecallSpec, rocSpec } from './curve-charts.ts';

/** One class against the others: a threshold and a cost that move all curves together. */
export function Thresholds({
  evaluated: { operating },
  classes,
}: {
  evaluated: Evaluated;
  classes: readonly string[];
}): JSX.Element {
  const { evaluate: say } = texts.value;
  const shown = operating.find(({ label }) => label === route.value.view.class) ?? operating[0];
  const threshold = viewNumber('threshold', 0.5);
  const cost = viewNumber('cost', 1);
  const best = useMemo(() => cheapest(shown, cost), [shown, cost]);
  const { precision, recall, fpr } = pointAt(shown, threshold);
  return (
    <section>
      <div class="row sticky">
        <Choice
          label={say.classShown}
          value={shown.label}
          options={operating.map(({ label }) => [label, label] as const)}
          onChange={(label) => show({ class: label })}
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
      <p aria-live="polite">
        {say.atThreshold(three(threshold), three(precision), three(recall), percent(fpr))}{' '}
        {say.bestThreshold(three(best))}{' '}
        <button type="button" class="small" onClick={() => show({ threshold: String(best) })}>
          {say.useBest}
        </button>
      </p>
      <Curves shown={shown} threshold={threshold} classes={classes} />
    </section>
  );
}

/** The curves are drawn again when their class changes; a threshold moves one mark on each. */
function Curves({
  shown,
  threshold,
  classes,
}: {
  shown: Operating;
  threshold: number;
  classes: readonly string[];
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
      <Gate label={shown.label} recall={pointAt(shown, threshold).recall} />
    </div>
  );
}

/** The recall of now as a gate: a line for CI, and a file for a repository. */
function Gate({ label, recall }: { label: string; recall: number }): JSX.Element {
  const { evaluate: say } = texts.value;
  const least = `${label}.recall=${Math.floor(recall * 100) / 100}`;
  const model = modelName(opened.value?.name ?? '');
  const line = `polya evaluate new.csv -m ${quoted(model)} --fail-under ${quoted(least)}`;
  return (
    <figure class="chart">
      <figcaption>
        <b>{say.gate}</b>
        <p class="soft">{say.gateReading}</p>
      </figcaption>
      <pre data-gate>{line}</pre>
      <div class="tools">
        <span />
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

/** What a threshold does. */
export function pointAt({ above: [own, others], positives, negatives }: Operating, threshold: number) {
  const k = Math.min(own.length - 1, Math.ceil(threshold * (own.length - 1)));
  const [tp, fp] = [own[k], others[k]];
  return {
    flagged: (tp + fp) / (positives + negatives),
    precision: tp + fp > 0 ? tp / (tp + fp) : 1,
    recall: tp / positives,
    fpr: fp / negatives,
  };
}

/** The threshold with the least cost, where a miss costs so many false alarms. */
function cheapest({ above: [own, others], positives }: Operating, cost: number): number {
  let [best, least] = [0, Infinity];
  for (let k = 0; k < own.length; k++) {
    const paid = cost * (positives - own[k]) + others[k];
    if (paid < least) [best, least] = [k, paid];
  }
  return best / (own.length - 1);
}
