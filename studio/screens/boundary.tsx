import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { ChooseRegion, Controls, MovePoint } from '../boundary/controls.tsx';
import type { Region } from '../boundary/drag.ts';
import { useMoves } from '../boundary/moves.ts';
import { boundarySpec } from '../boundary/picture.ts';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart } from '../parts/chart.tsx';
import { Empty } from '../parts/empty.tsx';
import { chosenClasses, PickClasses } from '../parts/pick-classes.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route, viewNumber } from '../route.ts';
import { chooseRows, chosenRows } from '../rows/filter.ts';
import { ChosenRows } from '../rows/rows.tsx';
import { opened, profile, run as shownRun } from '../state.ts';
import { texts } from '../texts/index.ts';
import { columnsOf } from '../understand/columns.ts';
import type { BoundaryAsked } from '../worker/boundary.ts';

const MOST_CLASSES = 8;

/** The Boundary screen: a Gaussian classifier on two columns. */
export default function Boundary(): JSX.Element {
  const shown = shownRun.value;
  if (!shown?.bytes) return <Empty what={opened.value ? 'run' : 'data'} />;
  const columns = columnsOf(shown, 'number');
  if (columns.length < 2) return <p class="card">{texts.value.boundary.need}</p>;
  return <Plane key={shown.id} run={shown} columns={columns} />;
}

function Plane({ run, columns }: { run: Run; columns: readonly string[] }): JSX.Element {
  const { id, classes: all } = run;
  const moved = useSignal<BoundaryAsked['moved']>([]);
  const classes = chosenClasses(all, MOST_CLASSES);
  const asking: BoundaryAsked = { ...askedBy(columns), classes, moved: moved.value };
  const asked = useAnswer(() => lab.ask('boundary', [id, asking]), [id, JSON.stringify(asking)]);
  const result = asked.value.value;
  const { move, reset } = useMoves(moved, asked);
  const [x, y] = asking.axes.length > 0 ? ['LD1', 'LD2'] : [asking.x, asking.y];
  const filter = chosenRows();
  const region = filter?.kind === 'region' ? filter : undefined;
  const brush = ({ from, to }: Region) => {
    const { x: first, y: second, axes } = asking;
    chooseRows({ kind: 'region', x: first, y: second, axes, classes, from, to });
  };
  const spec = useMemo(
    () => result && boundarySpec(result, all, x, y, { acts: { move, brush }, region }),
    [result, JSON.stringify(region), texts.value],
  );
  return (
    <>
      <Controls {...{ columns, asking }} onMoveBack={reset} />
      <PickClasses all={all} shown={classes} most={MOST_CLASSES} />
      {spec && result ? (
        <>
          <Chart spec={spec} wide />
          <MovePoint result={result} move={move} />
          <ChooseRegion result={result} region={region} brush={brush} names={[x, y]} />
          <ChosenRows run={run} />
        </>
      ) : (
        <Refusing asked={asked} />
      )}
    </>
  );
}

/** The columns in the address, else the two with the most information about the label. */
function askedBy(columns: readonly string[]): Omit<BoundaryAsked, 'moved' | 'classes'> {
  const { view } = route.value;
  const [best, second] = mostTelling(columns);
  const x = columns.find((name) => name === view.x) ?? best;
  return {
    x,
    y: columns.find((name) => name === view.y && name !== x) ?? (second === x ? best : second),
    ...{ lambda: viewNumber('lambda', 0), gamma: viewNumber('gamma', 0) },
    diagonal: view.diagonal === '1',
    axes: view.axes === '1' ? columns : [],
  };
}

/** Columns sorted by their information about the label, best first. */
function mostTelling(columns: readonly string[]): string[] {
  const cards = profile.value?.columns ?? [];
  const bits = (name: string) => cards.find((card) => card.name === name)?.information ?? 0;
  return [...columns].sort((a, b) => bits(b) - bits(a));
}
