import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { boundarySpec } from '../charts/boundary.ts';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart } from '../parts/chart.tsx';
import { Choice, Slider } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { Refusing } from '../parts/refusing.tsx';
import { route, show, viewNumber } from '../route.ts';
import { opened, profile, run } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import { columnsOf } from '../understand/columns.ts';
import type { BoundaryAsked, BoundaryTold } from '../worker/boundary.ts';

/** Two columns, and what a Gaussian classifier makes of them. */
export default function Boundary(): JSX.Element {
  const shown = run.value;
  const moved = useSignal<BoundaryAsked['moved']>([]);
  const { view } = route.value;
  const columns = shown ? columnsOf(shown, 'number') : [];
  const [best, second] = mostTelling(columns);
  const x = columns.find((name) => name === view.x) ?? best ?? '';
  const y = columns.find((name) => name === view.y && name !== x) ?? (second === x ? best : second) ?? '';
  const asking: BoundaryAsked = {
    ...{ x, y, lambda: viewNumber('lambda', 0), gamma: viewNumber('gamma', 0) },
    diagonal: view.diagonal === '1',
    axes: view.axes === '1' ? columns : [],
    moved: moved.value,
  };
  const onAxes = asking.axes.length > 0;
  const ready = shown?.bytes !== undefined && x !== '' && y !== '';
  const asked = useAnswer(
    () => (ready ? lab.ask('boundary', [shown!.id, asking]) : undefined),
    [shown?.id, ready, JSON.stringify(asking)],
  );
  const told = asked.value.value;
  const move = (place: number, px: number, py: number) => {
    moved.value = [...moved.value.filter((own) => own.place !== place), { place, x: px, y: py }];
  };
  const spec = useMemo(
    () => told && boundarySpec(told, onAxes ? 'LD1' : x, onAxes ? 'LD2' : y, move),
    [told, texts.value],
  );
  if (!shown?.bytes) return <Empty what={opened.value ? 'run' : 'data'} />;
  const { boundary: say } = texts.value;
  if (columns.length < 2) return <p class="card">{say.need}</p>;
  return (
    <>
      <Controls {...{ columns, asking }} onMoveBack={() => (moved.value = [])} />
      {spec && told ? (
        <>
          <Chart spec={spec} wide />
          <MovePoint told={told} move={move} />
        </>
      ) : (
        <Refusing asked={asked} />
      )}
    </>
  );
}

/** Columns by what they tell about the label, best first. */
function mostTelling(columns: readonly string[]): string[] {
  const cards = profile.value?.columns ?? [];
  const bits = (name: string) => cards.find((card) => card.name === name)?.information ?? 0;
  return [...columns].sort((a, b) => bits(b) - bits(a));
}

function Controls({
  columns,
  asking,
  onMoveBack,
}: {
  columns: readonly string[];
  asking: BoundaryAsked;
  onMoveBack: () => void;
}): JSX.Element {
  const { boundary: say } = texts.value;
  const options = columns.map((name) => [name, name] as const);
  return (
    <div class="row">
      <Choice label={say.x} value={asking.x} options={options} onChange={(x) => show({ x })} />
      <Choice label={say.y} value={asking.y} options={options} onChange={(y) => show({ y })} />
      <Slider
        label={say.lambda}
        {...{ min: 0, max: 1, step: 0.02, value: asking.lambda }}
        onInput={(value) => show({ lambda: String(value) })}
      />
      <Slider
        label={say.gamma}
        {...{ min: 0, max: 1, step: 0.02, value: asking.gamma }}
        onInput={(value) => show({ gamma: String(value) })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={asking.diagonal}
          onChange={(event) => show({ diagonal: event.currentTarget.checked ? '1' : undefined })}
        />{' '}
        {say.diagonal}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={asking.axes.length > 0}
          onChange={(event) => show({ axes: event.currentTarget.checked ? '1' : undefined })}
        />{' '}
        {say.axes}
      </label>
      <button type="button" disabled={asking.moved.length === 0} onClick={onMoveBack}>
        {say.reset} {asking.moved.length > 0 && say.moved(whole(asking.moved.length))}
      </button>
    </div>
  );
}

/** The same as dragging, for the keyboard: a point is chosen, and two sliders move it. */
function MovePoint({
  told,
  move,
}: {
  told: BoundaryTold;
  move: (place: number, x: number, y: number) => void;
}): JSX.Element {
  const chosen = useSignal(0);
  const { points, from, to } = told;
  const point = points[Math.min(chosen.value, points.length - 1)];
  const step = (k: 0 | 1) => (to[k] - from[k]) / 100;
  return (
    <div class="row">
      <Slider
        label={texts.value.boundary.point}
        {...{ min: 0, max: points.length - 1, step: 1, value: Math.min(chosen.value, points.length - 1) }}
        onInput={(value) => (chosen.value = value)}
      />
      <Slider
        label={texts.value.boundary.x}
        {...{ min: from[0], max: to[0], step: step(0), value: point.x }}
        shown={point.x.toPrecision(3)}
        onInput={(value) => move(point.place, value, point.y)}
      />
      <Slider
        label={texts.value.boundary.y}
        {...{ min: from[1], max: to[1], step: step(1), value: point.y }}
        shown={point.y.toPrecision(3)}
        onInput={(value) => move(point.place, point.x, value)}
      />
    </div>
  );
}
