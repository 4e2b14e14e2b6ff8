import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Run } from '../protocol.ts';
import { address } from '../route.ts';
import { rename, run, runs } from '../state.ts';
import { texts, three, whole } from '../texts/index.ts';
import { Scroll } from './scroll.tsx';

const HEIGHT = 32;
const SHOWN = 12;

/** All runs, the latest first. Only visible rows are rendered, so a long list scrolls smoothly. */
export function RunList(): JSX.Element {
  const top = useSignal(0);
  const all = [...runs.value].reverse();
  const first = Math.max(0, Math.floor(top.value / HEIGHT) - 4);
  const part = all.slice(first, first + SHOWN + 8);
  const { columns } = texts.value.train;
  return (
    <Scroll
      label={texts.value.train.runs}
      height={HEIGHT * (SHOWN + 1)}
      onScroll={(place) => {
        top.value = place;
      }}
    >
      <table class="runs" aria-rowcount={all.length + 1}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Space rows={first} />}
          {part.map((own) => (
            <Row key={own.id} own={own} />
          ))}
          {first + part.length < all.length && <Space rows={all.length - first - part.length} />}
        </tbody>
      </table>
    </Scroll>
  );
}

const Space = ({ rows }: { rows: number }): JSX.Element => (
  <tr>
    <td colSpan={7} style={{ height: `${rows * HEIGHT}px` }} />
  </tr>
);

function Row({ own }: { own: Run }): JSX.Element {
  const { evaluated, summary, trainRows, seconds, id } = own;
  return (
    <tr style={{ height: `${HEIGHT}px` }} class={run.value?.id === id ? 'chosen' : ''}>
      <td>
        <a href={address('evaluate', { run: String(id) })}>{id}</a>
      </td>
      <td>
        <input
          type="text"
          class="name"
          maxLength={60}
          aria-label={texts.value.train.name(String(id))}
          placeholder={texts.value.train.unnamed}
          value={own.name ?? ''}
          onChange={(event) => rename(id, event.currentTarget.value.trim())}
        />
      </td>
      <td class="cut" title={summary}>
        <bdi>{texts.value.library.summary(summary)}</bdi>
      </td>
      <td class="number">{three(evaluated?.evaluation.accuracy.value)}</td>
      <td class="number">{three(evaluated?.evaluation.logLoss)}</td>
      <td class="number">{whole(trainRows)}</td>
      <td class="number">{seconds.toFixed(1)}</td>
    </tr>
  );
}
