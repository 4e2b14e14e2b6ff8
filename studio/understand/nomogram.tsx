import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { asCsv, download } from '../parts/download.ts';
import { PickClass } from '../parts/pick.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { percent, texts } from '../texts/index.ts';
import type { NomogramTold } from '../worker/insight.ts';

/** The model as axes with dots: drag them, and the probabilities follow. */
export function Nomogram({ run }: { run: Run }): JSX.Element {
  const asked = useAnswer(() => lab.ask('nomogram', [run.id]), [run.id]);
  const told = asked.value.value;
  if (!told) return <Refusing asked={asked} />;
  return <Axes key={run.id} told={told} />;
}

/** What a mark adds for the class against the mean of the others. */
function scaleOf(byClass: readonly number[], c: number): number {
  const others = byClass.filter((_, k) => k !== c);
  return byClass[c] - others.reduce((sum, value) => sum + value, 0) / Math.max(1, others.length);
}

/** Probabilities that sum to one: the softmax of what is added up. */
function posterior({ prior, axes, classes }: NomogramTold, chosen: readonly number[]): number[] {
  const scores = classes.map(
    (_, c) => prior[c] + axes.reduce((sum, { marks }, a) => sum + marks[chosen[a]].byClass[c], 0),
  );
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

function Axes({ told }: { told: NomogramTold }): JSX.Element {
  const { understand: say } = texts.value;
  const { classes, axes } = told;
  const c = Math.max(0, classes.indexOf(route.value.view.class ?? classes.at(-1)!));
  const points = route.value.view.scale === 'points';
  const chosen = useSignal<readonly number[]>(axes.map(({ marks }) => middle(marks, c)));
  const values = axes.map(({ marks }) => marks.map(({ byClass }) => scaleOf(byClass, c)));
  const low = Math.min(...values.flat());
  const high = Math.max(...values.flat());
  const unit = points ? 100 / Math.max(...values.map((own) => Math.max(...own) - Math.min(...own)), 1e-9) : 1;
  const shares = posterior(told, chosen.value);
  const pick = (axis: number, k: number) => {
    chosen.value = chosen.value.map((own, a) => (a === axis ? k : own));
  };
  return (
    <section>
      <p class="soft">{say.nomogramReading}</p>
      <div class="row">
        <PickClass classes={classes} value={classes[c]} />
        <Choice
          label={say.scale}
          value={points ? 'points' : 'nats'}
          options={[
            ['nats', say.scales.nats],
            ['points', say.scales.points],
          ]}
          onChange={(scale) => show({ scale })}
        />
      </div>
      <p class="big" aria-live="polite">
        {say.total}:{' '}
        {classes
          .slice(0, 8)
          .map((label, k) => `${label} ${percent(shares[k])}`)
          .join(' · ')}
      </p>
      <div class="nomogram">
        {axes.map(({ feature, marks }, a) => (
          <Axis
            key={feature}
            name={feature}
            values={values[a].map((value) => (points ? (value - Math.min(...values[a])) * unit : value))}
            range={points ? [0, 100] : [low, high]}
            titles={marks.map(({ value }) => value)}
            chosen={chosen.value[a]}
            colour={colourOf(c)}
            onPick={(k) => pick(a, k)}
          />
        ))}
      </div>
      <p class="downloads">
        <button
          type="button"
          class="small"
          aria-label={`${texts.value.chart.download} CSV: ${say.tabs.nomogram}`}
          onClick={() => save(told)}
        >
          CSV
        </button>
      </p>
    </section>
  );
}

function save({ classes, axes }: NomogramTold): void {
  const rows = axes.flatMap(({ feature, marks }) => marks.map(({ value, byClass }) => [feature, value, ...byClass]));
  download('nomogram.csv', asCsv({ heads: ['feature', 'value', ...classes], rows }), 'text/csv');
}

/** The mark that says least: there the dots begin. */
const middle = (marks: NomogramTold['axes'][number]['marks'], c: number): number => {
  const sizes = marks.map(({ byClass }) => Math.abs(scaleOf(byClass, c)));
  return sizes.indexOf(Math.min(...sizes));
};

/** One axis: a native slider over its marks, in the order of what they add, and a line that shows where they lie. */
function Axis({
  name,
  values,
  range: [low, high],
  titles,
  chosen,
  colour,
  onPick,
}: {
  name: string;
  values: readonly number[];
  range: readonly [number, number];
  titles: readonly string[];
  chosen: number;
  colour: string;
  onPick: (k: number) => void;
}): JSX.Element {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const at = (value: number) => 1 + (98 * (value - low)) / (high - low || 1);
  const nearest = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const x = low + (((event.clientX - left) / width) * 100 - 1) * ((high - low) / 98);
    const gaps = values.map((value) => Math.abs(value - x));
    onPick(gaps.indexOf(Math.min(...gaps)));
  };
  const shown = `${titles[chosen]} (${values[chosen].toFixed(2)})`;
  return (
    <div class="axis">
      <label>
        <span>
          <bdi>{name}</bdi> <output>{shown}</output>
        </span>
        <input
          type="range"
          min={0}
          max={values.length - 1}
          value={order.indexOf(chosen)}
          aria-valuetext={shown}
          onInput={(event) => onPick(order[Number(event.currentTarget.value)])}
        />
      </label>
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          nearest(event as never);
        }}
        onPointerMove={(event) => event.buttons > 0 && nearest(event as never)}
      >
        <line x1={at(Math.min(...values))} x2={at(Math.max(...values))} y1="3" y2="3" class="track" />
        {values.map((value, k) => (
          <line key={k} x1={at(value)} x2={at(value)} y1="1.5" y2="4.5" class="track" />
        ))}
        <rect x={at(values[chosen]) - 0.6} y="0.4" width="1.2" height="5.2" rx="0.6" fill={colour} />
      </svg>
    </div>
  );
}
