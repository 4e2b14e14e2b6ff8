import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { lab } from '../client.ts';
import { editRow, targetNow, undo } from '../edits.ts';
import { isTyping } from '../keyboard.ts';
import { useAnswer } from '../parts/answers.ts';
import { Choice } from '../parts/choice.tsx';
import { download } from '../parts/download.ts';
import { Refusing } from '../parts/refusing.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { route, show } from '../route.ts';
import { columnFilters } from '../rows/filter.ts';
import { acts, edits, opened, refused, run } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import type { Browse, Browsed } from '../worker/browsing.ts';
import { FilterChip } from './filter-chip.tsx';

const PAGE = 50;
const MOST_COLUMNS = 60;

/** The filters and the page, as the address has them. */
function asked(): Browse {
  const { search = '', label = '', answers = '', sort = '', page = '0' } = route.value.view;
  return {
    search,
    label,
    answers: answers === 'right' || answers === 'wrong' ? answers : '',
    where: columnFilters(),
    sort: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    from: PAGE * Math.max(0, Number.parseInt(page, 10) || 0),
    count: PAGE,
  };
}

/** All rows, with search, filters, sorting and editing in place. */
export function Rows(): JSX.Element {
  const { data: say } = texts.value;
  const browse = asked();
  const id = run.value?.bytes ? run.value.id : undefined;
  const target = targetNow();
  const key = JSON.stringify(browse);
  const found = useAnswer(
    () => lab.ask('browse', [id, target, browse]),
    [key, id, target, edits.value, opened.value?.sha256],
  );
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'u' && !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey)
        undo().catch(refused);
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  const rows = found.value.value;
  return (
    <section>
      <h2>{say.rows}</h2>
      {rows ? <Filters browse={browse} rows={rows} /> : null}
      {rows ? <Grid browse={browse} rows={rows} target={target} /> : <Refusing asked={found} />}
      {rows && <Pages browse={browse} total={rows.total} />}
      <p class="row">
        <button type="button" disabled={acts.value.length === 0} onClick={() => undo().catch(refused)}>
          {texts.value.label.undo} (u)
        </button>
        <button type="button" data-merged onClick={() => saveRows().catch(refused)}>
          {say.download}
        </button>
        {edits.value.length > 0 && <span class="soft">{say.edited(whole(edits.value.length))}</span>}
      </p>
    </section>
  );
}

/** All rows with all changes, as a file. */
export async function saveRows(): Promise<void> {
  const name = opened.value!.name.replace(/(\.(csv|tsv|json|jsonl|parquet|txt))?(\.gz)?$/i, '');
  download(`${name}.edited.csv`, await lab.ask('csv', []), 'text/csv');
}

function Filters({ browse, rows }: { browse: Browse; rows: Browsed }): JSX.Element {
  const { data: say } = texts.value;
  const { right, wrong } = rows.answers;
  return (
    <div class="row filters">
      <label class="field">
        <span>{say.search}</span>
        <input
          type="search"
          value={browse.search}
          onInput={(event) => show({ search: event.currentTarget.value || undefined, page: undefined })}
        />
      </label>
      {rows.labels.length > 0 && targetNow() !== '' && (
        <Choice
          label={say.ofClass}
          value={browse.label}
          options={[
            ['', say.allClasses],
            ...(browse.label === '' || rows.labels.some(({ label }) => label === browse.label)
              ? []
              : [[browse.label, browse.label] as const]),
            ...rows.labels.map(
              ({ label, rows: own }) => [label, `${label === ' ' ? say.noLabel : label} (${whole(own)})`] as const,
            ),
          ]}
          onChange={(label) => show({ label: label || undefined, page: undefined })}
        />
      )}
      {(right + wrong > 0 || browse.answers !== '') && (
        <Choice
          label={say.answers}
          value={browse.answers}
          options={[
            ['', say.anyAnswer],
            ['wrong', `${say.wrong} (${whole(wrong)})`],
            ['right', `${say.right} (${whole(right)})`],
          ]}
          onChange={(answers) => show({ answers: answers || undefined, page: undefined })}
        />
      )}
      {browse.where.map((filter) => (
        <FilterChip key={filter.column} filter={filter} />
      ))}
      <p class="soft" aria-live="polite" data-total={rows.total}>
        {say.found(whole(rows.total), whole(opened.value?.rows ?? 0))}
      </p>
    </div>
  );
}

function Grid({ browse, rows, target }: { browse: Browse; rows: Browsed; target: string }): JSX.Element {
  const { data: say } = texts.value;
  const columns = (opened.value?.columns ?? []).slice(0, MOST_COLUMNS);
  const hasAnswers = rows.rows.some(({ answer }) => answer !== undefined);
  return (
    <Scroll label={say.rows}>
      <table class="grid">
        <thead>
          <tr>
            <th scope="col" class="number">
              {say.row}
            </th>
            {columns.map((name) => (
              <Head key={name} name={name} browse={browse} />
            ))}
            {hasAnswers && <th scope="col">{say.answer}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.rows.map(({ place, cells, answer }) => (
            <tr key={place} data-place={place}>
              <td class="number">{whole(place + 1)}</td>
              {columns.map((name, k) => (
                <Cell key={name} place={place} name={name} value={cells[k]} isLabel={name === target} />
              ))}
              {hasAnswers && (
                <td class={answer !== undefined && answer !== cells[columns.indexOf(target)] ? 'wrong' : ''}>
                  <bdi>{answer ?? ''}</bdi>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A column header; clicking it sorts ascending, descending, then in file order. */
function Head({ name, browse }: { name: string; browse: Browse }): JSX.Element {
  const isSorted = browse.sort === name;
  const next = !isSorted ? name : browse.descending ? undefined : `-${name}`;
  return (
    <th scope="col" aria-sort={isSorted ? (browse.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" class="ghost" onClick={() => show({ sort: next, page: undefined })}>
        <bdi>{name}</bdi>
        {isSorted ? (browse.descending ? ' ↓' : ' ↑') : ''}
      </button>
    </th>
  );
}

/** An editable cell: Enter or leaving it saves the change, Escape discards it. */
function Cell({
  place,
  name,
  value,
  isLabel,
}: {
  place: number;
  name: string;
  value: string;
  isLabel: boolean;
}): JSX.Element {
  const editing = useSignal(false);
  const keep = (next: string) => {
    editing.value = false;
    if (next !== value) editRow({ place, cells: { [name]: next } }).catch(refused);
  };
  const label = texts.value.data.editCell(name, String(place + 1));
  if (!editing.value) {
    return (
      <td class={isLabel ? 'label' : ''}>
        <button type="button" class="cell-value" title={label} onClick={() => (editing.value = true)}>
          <bdi>{value.length > 200 ? `${value.slice(0, 200)}…` : value || '∅'}</bdi>
        </button>
      </td>
    );
  }
  return (
    <td>
      <input
        type="text"
        aria-label={label}
        value={value}
        list={isLabel ? 'known-labels' : undefined}
        ref={(field) => field?.focus()}
        onBlur={(event) => editing.value && keep(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep(event.currentTarget.value);
          if (event.key === 'Escape') editing.value = false;
        }}
      />
    </td>
  );
}

function Pages({ browse, total }: { browse: Browse; total: number }): JSX.Element | null {
  const { data: say } = texts.value;
  const page = browse.from / PAGE;
  const last = Math.max(0, Math.ceil(total / PAGE) - 1);
  if (last === 0) return null;
  const to = (next: number) => show({ page: next > 0 ? String(next) : undefined });
  return (
    <p class="row">
      <button type="button" disabled={page === 0} onClick={() => to(page - 1)}>
        {say.earlier}
      </button>
      <span>{say.page(whole(page + 1), whole(last + 1))}</span>
      <button type="button" disabled={page >= last} onClick={() => to(page + 1)}>
        {say.later}
      </button>
    </p>
  );
}
