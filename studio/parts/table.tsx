import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { texts } from '../texts/index.ts';
import { asCsv, asJson, asMarkdown, type Rows } from './download.ts';
import { Scroll } from './scroll.tsx';

/** A cell: text, a number, or an element with its text. */
export type Cell = string | number | { readonly text: string | number; readonly shown: ComponentChildren };

const textOf = (cell: Cell): string | number => (typeof cell === 'object' ? cell.text : cell);

/** A column counts as numeric if every cell is a number or blank. */
const isNumber = (text: string | number): boolean =>
  typeof text === 'number' || text === '' || /^(?:[<>] )?[-−–+]?\d[\d.,\s%–−-]*$/.test(text) || text === '–';

/** A table with a copy button; wide tables scroll horizontally. */
export function Table({
  label,
  heads,
  rows,
  tools = true,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly Cell[])[];
  tools?: boolean;
}): JSX.Element {
  const numeric = heads.map((_, k) => rows.length > 0 && rows.every((row) => isNumber(textOf(row[k] ?? ''))));
  return (
    <div class="table">
      <Scroll label={label}>
        <table>
          <thead>
            <tr>
              {heads.map((head, k) => (
                <th key={k} scope="col" class={numeric[k] ? 'number' : ''}>
                  {head || <span class="hidden">{label}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((cell, k) => (
                  <td key={k} class={numeric[k] ? 'number' : ''}>
                    {typeof cell === 'object' ? cell.shown : <bdi>{cell}</bdi>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {tools && <CopyTable label={label} data={{ heads, rows: rows.map((row) => row.map(textOf)) }} />}
    </div>
  );
}

function CopyTable({ label, data }: { label: string; data: Rows }): JSX.Element {
  const done = useSignal('');
  const copy = async (form: 'CSV' | 'JSON' | 'Markdown') => {
    await navigator.clipboard?.writeText({ CSV: asCsv, JSON: asJson, Markdown: asMarkdown }[form](data));
    done.value = form;
  };
  return (
    <p class="downloads">
      <span class="soft">{texts.value.table.copy}</span>
      {(['CSV', 'JSON', 'Markdown'] as const).map((form) => (
        <button
          key={form}
          type="button"
          class="ghost"
          aria-label={texts.value.named(`${texts.value.table.copy} ${form}`, label)}
          onClick={() => copy(form).catch(() => undefined)}
        >
          {done.value === form ? `${form} ✓` : form}
        </button>
      ))}
    </p>
  );
}
