import type { JSX } from 'preact';
import { Bars } from '../parts/bars.tsx';
import { Choice } from '../parts/choice.tsx';
import type { ColumnCard } from '../protocol.ts';
import { columnFilters, toggleFilter } from '../rows/filter.ts';
import { settings } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';
import { FilterChip } from './filter-chip.tsx';
import { Histogram } from './histogram.tsx';

const KINDS = ['number', 'category', 'boolean', 'date', 'text', 'ignored'] as const;

/** One column: its kind, distribution, missing values, and information about the label. */
export function Column({ column, rows }: { column: ColumnCard; rows: number }): JSX.Element {
  const { data: say } = texts.value;
  const { name, kind, role, missing, distinct, information, typicalLength } = column;
  const chosen = settings.value.kinds[name] ?? '';
  const filter = columnFilters().find((own) => own.column === name);
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
          options={[['', texts.value.named(say.asFound, found)], ...KINDS.map((own) => [own, say.kinds[own]] as const)]}
          onChange={setKind}
        />
      )}
      <Spark column={column} rows={rows} />
      {filter && (
        <p>
          <FilterChip filter={filter} />
        </p>
      )}
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

/** A histogram or the most frequent values, small; a bin or a value filters the rows. */
function Spark({ column: { histogram, top, name }, rows }: { column: ColumnCard; rows: number }): JSX.Element | null {
  if (histogram) return <Histogram name={name} histogram={histogram} />;
  if (!top) return null;
  const bars = top.slice(0, 4).map(({ value, rows: own }) => ({
    ...{ name: value, share: own / rows, shown: percent(own / rows) },
    pick: () => toggleFilter({ kind: 'value', column: name, value }),
  }));
  return <Bars small bars={bars} />;
}
