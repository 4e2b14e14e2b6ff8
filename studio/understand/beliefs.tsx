import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart, type ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import { PickClass, PickColumn } from '../parts/pick.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { profile } from '../state.ts';
import { texts, three } from '../texts/index.ts';
import type { Belief } from '../worker/beliefs.ts';
import { columnsOf } from './columns.ts';
import { Counted } from './counted.tsx';
import { Simplex } from './simplex.tsx';

/** Posterior distributions of one probability and of three shares, by number of rows counted. */
export function Beliefs({ run }: { run: Run }): JSX.Element {
  const columns = columnsOf(run, 'text', 'category', 'boolean');
  return (
    <>
      {columns.length > 0 && <OneProbability run={run} columns={columns} />}
      <Simplex run={run} />
      {columns.length === 0 && run.classes.length < 3 && <p class="card">{texts.value.understand.noEvent}</p>}
    </>
  );
}

/** The Beta posterior of one probability. */
function OneProbability({ run, columns }: { run: Run; columns: readonly string[] }): JSX.Element {
  const { view } = route.value;
  const column = columns.find((name) => name === view.column) ?? columns[0];
  const label = run.classes.find((own) => own === view.class) ?? run.classes.at(-1)!;
  const isText = run.texts.includes(column);
  const words = useAnswer(() => (isText ? lab.ask('words', [run.id, column]) : undefined), [run.id, column]);
  const first = isText ? words.value.value?.ranking[0]?.word : usualValue(column);
  const event = view.event ?? first ?? '';
  const pseudo = useSignal(1);
  const place = useSignal(99);
  const asked = useAnswer(
    () => (event === '' ? undefined : lab.ask('beliefs', [run.id, column, event, label, pseudo.value])),
    [run.id, column, event, label, pseudo.value],
  );
  const beliefs = asked.value.value;
  const at = Math.min(place.value, (beliefs?.length ?? 1) - 1);
  const spec = useMemo(() => beliefs && beliefSpec(beliefs, at, event, label), [beliefs, at, texts.value]);
  return (
    <>
      <div class="row panel">
        <PickColumn columns={columns} value={column} />
        <Event value={event} />
        <PickClass classes={run.classes} value={label} />
        <Counted rows={beliefs?.map(({ rows }) => rows)} {...{ at, place, pseudo }} />
      </div>
      {spec ? <Chart spec={spec} wide /> : <Refusing asked={asked} />}
    </>
  );
}

function Event({ value }: { value: string }): JSX.Element {
  return (
    <label class="field">
      <span>{texts.value.understand.event}</span>
      <input type="text" value={value} onChange={({ currentTarget }) => show({ event: currentTarget.value })} />
    </label>
  );
}

/** The most frequent value of a category. */
const usualValue = (column: string): string | undefined =>
  profile.value?.columns.find(({ name }) => name === column)?.top?.[0]?.value;

/** The vertical axis fits the current posterior; an earlier one may exceed it. */
function farthest(beliefs: readonly Belief[], at: number): number {
  const { mean, high } = beliefs[at];
  return Math.min(1, Math.max(0.05, mean + 3 * (high - mean)));
}

function beliefSpec(beliefs: readonly Belief[], at: number, event: string, label: string): ChartSpec {
  const { understand: say } = texts.value;
  const { mean, low, high, rows } = beliefs[at];
  const points = beliefs
    .slice(0, at + 1)
    .flatMap(({ density, rows: n }, k) => density.map(([x, p]) => ({ x, p, n, k })));
  const highest = Math.max(...beliefs[at].density.map(([, p]) => p).filter(Number.isFinite));
  return {
    title: say.belief(event, label),
    reading: say.beliefReading(three(mean), three(low), three(high)),
    n: rows,
    plot: (Plot) => ({
      x: { domain: [0, farthest(beliefs, at)], label: `p(${event} | ${label})`, grid: true },
      y: { domain: [0, highest * 1.1], label: say.densityOf, grid: true, ticks: 5 },
      marks: [
        Plot.line(points, {
          x: 'x',
          y: 'p',
          z: 'k',
          stroke: colourOf(0),
          strokeOpacity: ({ k }: { k: number }) => (k === at ? 1 : 0.3),
          clip: true,
        }),
        Plot.areaY(
          points.filter(({ k }) => k === at),
          { x: 'x', y1: 0, y2: 'p', fill: colourOf(0), fillOpacity: 0.2, clip: true },
        ),
        Plot.ruleX([low, high], { stroke: colourOf(1), strokeDasharray: '4 3' }),
        Plot.ruleX([mean], { stroke: colourOf(1), strokeWidth: 2 }),
        Plot.ruleY([0]),
      ],
    }),
    tips: beliefs[at].density
      .filter((_, k) => k % 4 === 0)
      .map(([x, p]) => ({ x, y: Math.min(p, highest), text: `p = ${three(x)}\n${say.densityOf} ${p.toPrecision(3)}` })),
    data: {
      heads: ['n', 'a', 'b', 'E', '2.5 %', '97.5 %'],
      rows: beliefs.map(({ rows: n, a, b, mean: m, low: l, high: h }) => [n, a, b, m, l, h]),
    },
  };
}
