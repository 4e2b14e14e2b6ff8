import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Chart } from '../parts/chart.tsx';
import { Choice } from '../parts/choice.tsx';
import { PickClass } from '../parts/pick.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { texts } from '../texts/index.ts';
import { columnsOf } from './columns.ts';
import { Counted } from './counted.tsx';
import { simplexSpec } from './simplex-picture.ts';

/** The Dirichlet posterior of three shares as a triangle, by number of rows counted. */
export function Simplex({ run }: { run: Run }): JSX.Element | null {
  const { understand: say } = texts.value;
  const columns = columnsOf(run, 'category');
  const { view } = route.value;
  const column = columns.find((name) => name === view.of) ?? (run.classes.length > 2 ? '' : columns[0]);
  const label = run.classes.find((own) => own === view.class) ?? run.classes.at(-1)!;
  const pseudo = useSignal(1);
  const place = useSignal(99);
  const asked = useAnswer(
    () => (column === undefined ? undefined : lab.ask('simplex', [run.id, column, label, pseudo.value])),
    [run.id, column, label, pseudo.value],
  );
  const result = asked.value.value;
  const at = Math.min(place.value, (result?.beliefs.length ?? 1) - 1);
  const of = column === '' ? '' : `${column} | ${label}`;
  const spec = useMemo(() => result && simplexSpec(result, at, of), [result, at, texts.value]);
  if (column === undefined) return null;
  const options = [...(run.classes.length > 2 ? [['', say.ofClasses] as const] : []), ...columns.map(same)];
  return (
    <section>
      <h2>{say.simplex}</h2>
      <div class="row panel">
        <Choice label={say.of} value={column} options={options} onChange={(name) => show({ of: name || undefined })} />
        {column !== '' && <PickClass classes={run.classes} value={label} />}
        <Counted rows={result?.beliefs.map(({ rows }) => rows)} {...{ at, place, pseudo }} />
      </div>
      {spec && <Chart spec={spec} wide />}
      {result === null && <p>{say.noSimplex}</p>}
      {result === undefined && <Refusing asked={asked} />}
    </section>
  );
}

const same = (name: string) => [name, name] as const;
