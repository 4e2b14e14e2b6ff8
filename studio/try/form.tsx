import type { JSX } from 'preact';
import { texts } from '../texts/index.ts';
import { typed } from '../typed.ts';
import type { ModelFacts } from '../worker/asking.ts';

const MOST_FIELDS = 60;

/** A form with one field for each feature column. */
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
  return (
    <label class="field" htmlFor={`field-${column.name}`}>
      <span>
        <bdi>{title}</bdi>
      </span>
      <Input column={column} />
    </label>
  );
}

/** A field that fits the kind of its column. */
function Input({ column: { name, kind, levels } }: { column: ModelFacts['columns'][number] }): JSX.Element {
  const value = typed.value[name] ?? '';
  const set = ({ currentTarget }: { currentTarget: { value: string } }) => {
    typed.value = { ...typed.value, [name]: currentTarget.value };
  };
  const same = { id: `field-${name}`, 'data-column': name, value };
  if (kind === 'text') return <textarea rows={4} {...same} onInput={set} />;
  if (levels.length === 0) return <input type="text" inputMode="decimal" {...same} onInput={set} />;
  return (
    <select {...same} onChange={set}>
      <option value="">–</option>
      {levels.map((level) => (
        <option key={level} value={level} selected={level === value}>
          {level}
        </option>
      ))}
    </select>
  );
}
