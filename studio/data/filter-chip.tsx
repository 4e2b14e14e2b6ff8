import type { JSX } from 'preact';
import { type ColumnFilter, dropFilter, filterTitle } from '../rows/filter.ts';
import { texts } from '../texts/index.ts';

/** An active column filter; pressing it removes the filter. */
export function FilterChip({ filter }: { filter: ColumnFilter }): JSX.Element {
  const title = filterTitle(filter);
  return (
    <button
      type="button"
      class="small chip"
      data-filter={filter.column}
      aria-label={texts.value.data.dropFilter(title)}
      onClick={() => dropFilter(filter.column)}
    >
      <bdi>{title}</bdi> ×
    </button>
  );
}
