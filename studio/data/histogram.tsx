import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { binEdge } from '../bins.ts';
import type { Drawn } from '../parts/draw.ts';
import { showTips } from '../parts/tips.ts';
import type { ColumnCard } from '../protocol.ts';
import { type ColumnFilter, columnFilters, filterColumn, toggleFilter } from '../rows/filter.ts';
import { short, texts, whole } from '../texts/index.ts';

const [WIDTH, HEIGHT] = [200, 36];

/** The histogram of a column of numbers; each bar has a tip, and one or several adjacent ones filter the rows. */
export function Histogram({
  name,
  histogram,
}: {
  name: string;
  histogram: NonNullable<ColumnCard['histogram']>;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const { bars, from, to } = histogram;
  const most = Math.max(...bars, 1);
  const step = WIDTH / bars.length;
  const top = (bar: number) => HEIGHT * (1 - bar / most);
  const { chart, data } = texts.value;
  const edge = (k: number) => binEdge(histogram, k);
  useEffect(() => {
    const filterOf = (first: number, last: number): ColumnFilter => ({
      ...{ kind: 'number', column: name, from: edge(first), to: edge(last + 1) },
      ...(last === bars.length - 1 && { closed: true }),
    });
    const tips = bars.map((bar, k) => ({
      ...{ x: (k + 0.5) * step, y: top(bar), pick: () => toggleFilter(filterOf(k, k)) },
      text: `${short(edge(k))} – ${short(edge(k + 1))}\n${chart.rows(whole(bar))}`,
    }));
    const svg = place.current!.querySelector('svg')!;
    const drawn: Drawn = { svg, place: ({ x, y }) => [Number(x), Number(y)] };
    const choose = (first: number, last: number) => filterColumn(filterOf(first, last));
    return showTips(place.current!, drawn, tips, data.binsByKeys(name), choose);
  }, [bars, chart]);
  const filter = columnFilters().find((own) => own.column === name);
  const isChosen = (k: number) => filter?.kind === 'number' && edge(k) >= filter.from && edge(k + 1) <= filter.to;
  return (
    <>
      <div class="spark" ref={place}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: ${short(from)} … ${short(to)}`}>
          {bars.map((bar, k) => (
            <rect
              key={k}
              class={isChosen(k) ? 'chosen' : ''}
              {...{ x: k * step, y: top(bar), width: 0.9 * step, height: HEIGHT - top(bar) }}
              fill="currentColor"
            />
          ))}
        </svg>
      </div>
      <p class="ends">
        <span>{short(from)}</span>
        <span>{short(to)}</span>
      </p>
    </>
  );
}
