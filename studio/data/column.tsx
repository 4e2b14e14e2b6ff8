import type { JSX } from 'preact';
import { Choice } from '../parts/choice.tsx';
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
  if (histogram) {
    const { bars, from, to } = histogram;
    const most = Math.max(...bars, 1);
    const ends = [from, to].map((end) => String(Number(end.toPrecision(4))));
    const label = `${name}: ${ends.join(' … ')}`;
    return (
      <>
        <svg class="spark" viewBox={`0 0 ${bars.length} 20`} preserveAspectRatio="none" role="img" aria-label={label}>
          {bars.map((bar, k) => (
            <rect key={k} x={k} y={20 - (20 * bar) / most} width="0.9" height={(20 * bar) / most} fill="currentColor" />
          ))}
        </svg>
        <p class="ends">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </p>
      </>
    );
  }
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
