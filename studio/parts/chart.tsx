import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { refused } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import { colourOf } from './colours.ts';
import { asCsv, download, fileName, type Rows } from './download.ts';
import type { Caption, Drawing } from './draw.ts';
import { soon } from './queue.ts';
import { Table } from './table.tsx';
import { showTips, type Tip } from './tips.ts';
import { pictureWidth } from './width.ts';

/** A chart with a title, a sentence on how to read it, the number of rows, and its data. */
export interface ChartSpec {
  readonly title: string;
  readonly reading: string;
  readonly n?: number;
  /** The number of rows that the n rows were sampled from. */
  readonly of?: number;
  readonly plot: Drawing;
  readonly data: Rows;
  /** What the colours stand for. */
  readonly keys?: readonly string[];
  /** The colours, if they are not those of the first classes. */
  readonly keyColours?: readonly string[];
  /** The values that the pointer and the arrow keys can pick. */
  readonly tips?: readonly Tip[];
  /** Called with the drawn picture, to add pointer handlers. */
  readonly onDrawn?: (svg: SVGSVGElement) => void;
}

const MOST_ROWS = 200;

/** Draws at the width of the container and redraws when it changes, so that the font size stays the same. */
function useDrawing(spec: ChartSpec): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let drawn = 0;
    let current = true;
    let end = (): void => undefined;
    const paint = (width: number) => {
      if (width === drawn) return;
      drawn = width;
      import('./draw.ts').then(({ draw }) => {
        soon(() => {
          if (!current || !place.current || width !== drawn) return;
          const picture = draw(spec.plot, `${spec.title}. ${spec.reading}`, width);
          end();
          place.current.replaceChildren(picture.svg);
          end = showTips(place.current, picture, spec.tips ?? [], texts.value.chart.byKeys(spec.title));
          spec.onDrawn?.(picture.svg);
        });
      }, refused);
    };
    const measure = () => paint(pictureWidth(place.current?.clientWidth ?? 0));
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(place.current!);
    return () => {
      current = false;
      end();
      observer.disconnect();
    };
  }, [spec]);
  return place;
}

/** One picture of the studio. */
export function Chart({ spec, wide = false }: { spec: ChartSpec; wide?: boolean }): JSX.Element {
  const place = useDrawing(spec);
  const { title, reading, keys, data } = spec;
  return (
    <figure class={wide ? 'chart wide' : 'chart'}>
      <figcaption>
        <b>{title}</b> <span class="n">{rowsText(spec)}</span>
        <p class="soft">{reading}</p>
        {keys && <Keys keys={keys} colours={spec.keyColours} />}
      </figcaption>
      <div class="picture" ref={place} />
      <div class="tools">
        <ShowData data={data} title={title} />
        <Downloads
          title={title}
          data={data}
          rows={rowsText(spec)}
          keys={keys?.map((name, k) => ({ name, colour: spec.keyColours?.[k] ?? colourOf(k) }))}
          svg={async () => place.current?.querySelector('svg') ?? undefined}
        />
      </div>
    </figure>
  );
}

/** The number of rows shown, and of the rows they were sampled from. */
export function rowsText({ n, of = n }: { readonly n?: number | undefined; readonly of?: number | undefined }): string {
  const { chart } = texts.value;
  if (n === undefined || of === undefined) return '';
  return n < of ? chart.sample(whole(n), whole(of)) : chart.rows(whole(n));
}

/** What the colours stand for. */
function Keys({ keys, colours }: { keys: readonly string[]; colours: readonly string[] | undefined }): JSX.Element {
  return (
    <ul class="keys">
      {keys.map((key, k) => (
        <li key={key}>
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill={colours?.[k] ?? colourOf(k)} />
          </svg>
          <bdi>{key}</bdi>
        </li>
      ))}
    </ul>
  );
}

const tidy = (cell: string | number): string =>
  typeof cell === 'string' ? cell : Number.isInteger(cell) ? whole(cell) : cell.toPrecision(4);

/** The data of a picture as a table, rendered when it is opened. */
export function ShowData({ data, title }: { data: Rows; title: string }): JSX.Element {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{texts.value.chart.show}</summary>
      {open.value && <Numbers data={data} title={title} />}
    </details>
  );
}

function Numbers({ data: { heads, rows }, title }: { data: Rows; title: string }): JSX.Element {
  const step = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
  const shown = rows.filter((_, k) => k % step === 0);
  return (
    <>
      <Table label={title} heads={heads} rows={shown.map((row) => row.map(tidy))} tools={false} />
      {step > 1 && <p class="soft">{texts.value.chart.every(String(step))}</p>}
    </>
  );
}

/** Buttons that download a picture and its data. */
export function Downloads({
  title,
  data,
  rows = '',
  keys = [],
  svg,
}: {
  title: string;
  data: Rows;
  rows?: string;
  keys?: Caption['keys'] | undefined;
  svg: () => Promise<SVGSVGElement | undefined>;
}): JSX.Element {
  const name = fileName(title);
  const save = async (form: 'PNG' | 'SVG' | 'CSV') => {
    if (form === 'CSV') return download(`${name}.csv`, asCsv(data), 'text/csv');
    const picture = await svg();
    if (!picture) return undefined;
    const { asPng, standalone } = await import('./draw.ts');
    const caption = { title, rows, keys };
    if (form === 'SVG') return download(`${name}.svg`, standalone(picture, caption), 'image/svg+xml');
    return download(`${name}.png`, await asPng(picture, caption), 'image/png');
  };
  return (
    <span class="downloads">
      {(['PNG', 'SVG', 'CSV'] as const).map((form) => (
        <button
          key={form}
          type="button"
          class="ghost"
          aria-label={texts.value.named(`${texts.value.chart.download} ${form}`, title)}
          onClick={() => save(form).catch(refused)}
        >
          {form}
        </button>
      ))}
    </span>
  );
}
