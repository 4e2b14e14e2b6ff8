import type { JSX } from 'preact';
import { texts } from '../texts/index.ts';
import { typed } from '../typed.ts';
import type { ModelFacts } from '../worker/asking.ts';

const MOST_FIELDS = 60;

/** One field for each column that the model classifies by. */
export function Form({ facts, onSettled }: { facts: ModelFacts; onSettled: () => void }): JSX.Element {
  const alone = facts.columns.length === 1 && facts.columns[0].kind === 'text';
  return (
    <fieldset class={alone ? 'form alone' : 'form'} onChange={onSettled}>
      <legend>{alone ? texts.value.try.text : texts.value.try.form}</legend>
      {facts.columns.slice(0, MOST_FIELDS).map((column) => (
        <Field key={column.name} column={column} title={alone ? texts.value.try.text : column.name} />
      ))}
    </fieldset>
  );
}

function Field({ column, title }: { column: ModelFacts['columns'][number]; title: string }): JSX.Element {
  const { name, kind, levels } = column;
  const value = typed.value[name] ?? '';
  const set = (text: string) => {
    typed.value = { ...typed.value, [name]: text };
  };
  return (
    <label class="field" htmlFor={`field-${name}`}>
      <span>
        <bdi>{title}</bdi>
      </span>
      {kind === 'text' ? (
        <textarea
          rows={4}
          value={value}
          id={`field-${name}`}
          data-column={name}
          onInput={(event) => set(event.currentTarget.value)}
        />
      ) : levels.length > 0 ? (
        <select
          value={value}
          id={`field-${name}`}
          data-column={name}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">–</option>
          {levels.map((level) => (
            <option key={level} value={level} selected={level === value}>
              {level}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          inputMode="decimal"
          value={value}
          id={`field-${name}`}
          data-column={name}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </label>
  );
}
