import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Check, Choice, Slider } from '../parts/choice.tsx';
import { show } from '../route.ts';
import { texts, whole } from '../texts/index.ts';
import type { BoundaryAsked, BoundaryResult } from '../worker/boundary.ts';
import type { Move, Region } from './drag.ts';

/** The controls of Boundary: two columns, and sliders from QDA over RDA to LDA and to diagonal covariances. */
export function Controls({
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
  const share = { min: 0, max: 1, step: 0.02 };
  const onAxes = asking.axes.length > 0;
  return (
    <div class="row panel">
      <Choice label={say.x} value={asking.x} options={options} disabled={onAxes} onChange={(x) => show({ x })} />
      <Choice label={say.y} value={asking.y} options={options} disabled={onAxes} onChange={(y) => show({ y })} />
      <Slider
        label={say.lambda}
        {...{ ...share, value: asking.lambda, shown: asking.lambda.toFixed(2) }}
        onInput={(value) => show({ lambda: String(value) })}
      />
      <Slider
        label={say.gamma}
        {...{ ...share, value: asking.gamma, shown: asking.gamma.toFixed(2) }}
        onInput={(value) => show({ gamma: String(value) })}
      />
      <Check label={say.diagonal} on={asking.diagonal} onChange={(on) => show({ diagonal: on ? '1' : undefined })} />
      {columns.length > 2 && (
        <Check label={say.axes} on={onAxes} onChange={(on) => show({ axes: on ? '1' : undefined })} />
      )}
      <button type="button" disabled={asking.moved.length === 0} onClick={onMoveBack}>
        {say.reset} {asking.moved.length > 0 && say.moved(whole(asking.moved.length))}
      </button>
    </div>
  );
}

/** Moves a point by keyboard: choose the point, then move it with two sliders. */
export function MovePoint({ result: { points, from, to }, move }: { result: BoundaryResult; move: Move }): JSX.Element {
  const { boundary: say } = texts.value;
  const chosen = useSignal(0);
  const at = Math.min(chosen.value, points.length - 1);
  const { place, x, y } = points[at];
  const along = (k: 0 | 1, value: number) => ({
    ...{ min: from[k], max: to[k], step: (to[k] - from[k]) / 100, value },
    shown: value.toPrecision(3),
  });
  return (
    <details class="panel">
      <summary>{say.byKeys}</summary>
      <div class="row">
        <Slider
          label={say.point}
          {...{ min: 0, max: points.length - 1, step: 1, value: at, shown: whole(at + 1) }}
          onInput={(value) => (chosen.value = value)}
        />
        <Slider label={say.x} {...along(0, x)} onInput={(value) => move(place, value, y)} />
        <Slider label={say.y} {...along(1, y)} onInput={(value) => move(place, x, value)} />
      </div>
    </details>
  );
}

/** Chooses a rectangle by keyboard: its four sides are sliders. */
export function ChooseRegion({
  result: { from, to },
  region = { from, to },
  brush,
  names,
}: {
  result: BoundaryResult;
  region: Region | undefined;
  brush: (region: Region) => void;
  names: readonly [x: string, y: string];
}): JSX.Element {
  const { boundary: say, evaluate } = texts.value;
  const side = (end: 'from' | 'to', k: 0 | 1) => {
    const set = (value: number) => {
      const corner = [...region[end]] as [number, number];
      corner[k] = end === 'from' ? Math.min(value, region.to[k]) : Math.max(value, region.from[k]);
      brush({ ...region, [end]: corner });
    };
    const range = { min: from[k], max: to[k], step: (to[k] - from[k]) / 100, value: region[end][k] };
    const label = `${names[k]} ${evaluate.bins[end === 'from' ? 0 : 1]}`;
    return <Slider label={label} {...range} shown={region[end][k].toPrecision(3)} onInput={set} />;
  };
  return (
    <details class="panel">
      <summary>{say.regionByKeys}</summary>
      <div class="row">
        {side('from', 0)}
        {side('to', 0)}
        {side('from', 1)}
        {side('to', 1)}
      </div>
    </details>
  );
}
