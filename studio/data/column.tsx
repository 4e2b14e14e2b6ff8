import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Choice } from '../parts/choice.tsx';
import { showTips } from '../parts/tips.ts';
import type { ColumnCard } from '../protocol.ts';
import { settings } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';

const KINDS = ['number', 'category', 'boolean', 'date', 'text', 'ignored'] as const;

/** One column: its kind, distribution, missing values, and information about the label. */
export function Column({ column, rows }: { column: ColumnCard; rows: number }): JSX.Element {
  const { data: say } = texts.value;
  const { name, kind, role, missing, distinct, information, typicalLength } = column;
  const chosen = settings.value.kinds[name] ?? '';
  const setKind = (value: string) => {
    const { [name]: _, ...others } = settings.value.kinds;
    settings.value = { ...settings.value, kinds: value === '' ? others : { ...others, [name]: value } };
  };
  const found = say.kinds[kind as keyof typeof say.kinds] ?? kind;
  return (
    <section class={`card column ${role}`}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {role === 'target' ? (
        <p class="soft">{say.target}</p>
      ) : (
        <Choice
          label={say.kind}
          value={chosen}
          options={[['', `${say.asFound}: ${found}`], ...KINDS.map((own) => [own, say.kinds[own]] as const)]}
          onChange={setKind}
        />
      )}
      <Spark column={column} rows={rows} />
      <p class="soft">
        {[
          say.distinct(whole(distinct)),
          ...(missing > 0 ? [say.missing(whole(missing))] : []),
          ...(typicalLength !== undefined ? [say.typical(whole(typicalLength))] : []),
          ...(information !== undefined ? [say.information(three(information))] : []),
        ].join(' · ')}
      </p>
    </section>
  );
}

/** A histogram or the most frequent values, small. */
function Spark({ column: { histogram, top, name }, rows }: { column: ColumnCard; rows: number }): JSX.Element | null {
  if (histogram) return <Histogram name={name} histogram={histogram} />;
  if (!top) return null;
  return (
    <ul class="bars small">
      {top.slice(0, 4).map(({ value, rows: own }) => (
        <li key={value}>
          <bdi>{value || '∅'}</bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(100 * own) / rows} height="8" fill="currentColor" />
          </svg>
          <span class="number">{percent(own / rows)}</span>
        </li>
      ))}
    </ul>
  );
}

const [WIDTH, HEIGHT] = [200, 36];

const short = (value: number): string => String(Number(value.toPrecision(4)));

/** The histogram of a column of numbers; each bar has a tip. */
function Histogram({
  name,
  histogram: { bars, from, to },
}: {
  name: string;
  histogram: NonNullable<ColumnCard['histogram']>;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const most = Math.max(...bars, 1);
  const step = WIDTH / bars.length;
  const top = (bar: number) => HEIGHT * (1 - bar / most);
  const { chart } = texts.value;
  useEffect(() => {
    const edge = (k: number) => short(from + (k * (to - from)) / bars.length);
    const tips = bars.map((bar, k) => ({
      ...{ x: (k + 0.5) * step, y: top(bar), text: `${edge(k)} – ${edge(k + 1)}\n${chart.rows(whole(bar))}` },
    }));
    const svg = place.current!.querySelector('svg')!;
    return showTips(place.current!, { svg, place: ({ x, y }) => [Number(x), Number(y)] }, tips, chart.byKeys(name));
  }, [bars, chart]);
  return (
    <>
      <div class="spark" ref={place}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: ${short(from)} … ${short(to)}`}>
          {bars.map((bar, k) => (
            <rect key={k} x={k * step} y={top(bar)} width={0.9 * step} height={HEIGHT - top(bar)} fill="currentColor" />
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
