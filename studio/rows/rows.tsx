import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Refusing } from '../parts/refusing.tsx';
import { type Cell, Table } from '../parts/table.tsx';
import type { Run, ThresholdRule } from '../protocol.ts';
import { go } from '../route.ts';
import { percent, texts, whole } from '../texts/index.ts';
import { typed } from '../typed.ts';
import type { RowsResult, ScoredRow } from '../worker/comparing.ts';
import { chooseRows, chosenRows, filterTitle, type RowFilter } from './filter.ts';

/** The rows of the chosen part of a picture. Each opens on Try, where it is explained and can be corrected. */
export function ChosenRows({ run, rule }: { run: Run; rule?: ThresholdRule | undefined }): JSX.Element | null {
  const filter = chosenRows();
  const key = JSON.stringify(filter);
  const asked = useAnswer(
    () => (filter ? lab.ask('select', [run.id, filter, rule]) : undefined),
    [run.id, key, rule?.label, rule?.threshold],
  );
  if (!filter) return null;
  const result = asked.value.value;
  if (!result) return <Refusing asked={asked} />;
  return (
    <section data-chosen-rows>
      <h2>
        <bdi>{titleOf(filter, result)}</bdi>{' '}
        <button type="button" class="small" onClick={() => chooseRows(undefined)}>
          {texts.value.rows.close}
        </button>
      </h2>
      <RowTable title={titleOf(filter, result)} rows={result.rows} />
    </section>
  );
}

function titleOf(filter: RowFilter, { all, heldOut }: RowsResult): string {
  const { rows: say } = texts.value;
  const n = whole(all);
  if (filter.kind === 'row') return say.one(whole(filter.row + 1));
  if (filter.kind === 'region') {
    const [x, y] = filter.axes.length > 0 ? ['LD1', 'LD2'] : [filter.x, filter.y];
    const range = (k: 0 | 1) => `${filter.from[k].toPrecision(3)} – ${filter.to[k].toPrecision(3)}`;
    return say.region(n, whole(heldOut), `${x} ${range(0)}, ${y} ${range(1)}`);
  }
  return say.some(n, whole(heldOut), partTitle(filter));
}

function partTitle(filter: Exclude<RowFilter, { kind: 'row' | 'region' }>): string {
  if (filter.kind === 'score') return `p(${filter.label}) ${percent(filter.from)} – ${percent(filter.to)}`;
  return filter.kind === 'word' ? `“${filter.word}”` : filterTitle(filter);
}

/** Rows with their true and predicted class; a button opens a row on Try. */
export function RowTable({ title, rows }: { title: string; rows: readonly ScoredRow[] }): JSX.Element {
  const { evaluate: say, rows: own } = texts.value;
  return (
    <Table
      label={title}
      heads={[say.row, say.truth, say.answer, say.sure, say.content, own.action]}
      rows={rows.map((row) => [row.row, row.truth, row.answer, percent(row.sure), row.content, opener(row)])}
    />
  );
}

/** Opens a row in the form on Try. */
function opener({ row, cells }: ScoredRow): Cell {
  const { rows: say } = texts.value;
  const open = () => {
    typed.value = cells;
    go('try');
  };
  const shown = (
    <button type="button" class="small" data-open-row={row} aria-label={say.openRow(whole(row))} onClick={open}>
      {say.open}
    </button>
  );
  return { text: '', shown };
}
