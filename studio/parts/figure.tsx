import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Downloads, rowsText, ShowData } from './chart.tsx';
import type { Rows } from './download.ts';

/** A picture not drawn by Plot, with everything a chart has: title, explanation, n, data, downloads. */
export function Figure({
  title,
  reading,
  n,
  of,
  data,
  children,
}: {
  title: string;
  reading: string;
  n?: number | undefined;
  of?: number | undefined;
  data: Rows;
  children: ComponentChildren;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  return (
    <figure class="chart wide">
      <figcaption>
        <b>{title}</b> <span class="n">{rowsText({ n, of })}</span>
        <p class="soft">{reading}</p>
      </figcaption>
      <div ref={place}>{children}</div>
      <div class="tools">
        <ShowData data={data} title={title} />
        <Downloads
          title={title}
          data={data}
          rows={rowsText({ n, of })}
          svg={async () => place.current?.querySelector('svg') ?? undefined}
        />
      </div>
    </figure>
  );
}
