import type { JSX } from 'preact';
import { show } from '../route.ts';
import { texts } from '../texts/index.ts';
import { Choice } from './choice.tsx';

/** A select for the column to show; the choice is kept in the address. */
export function PickColumn({ columns, value }: { columns: readonly string[]; value: string }): JSX.Element {
  return (
    <Choice
      label={texts.value.understand.column}
      value={value}
      options={columns.map((name) => [name, name] as const)}
      onChange={(column) => show({ column, event: undefined })}
    />
  );
}

/** A select for the class to show. */
export function PickClass({ classes, value }: { classes: readonly string[]; value: string }): JSX.Element {
  return (
    <Choice
      label={texts.value.understand.forClass}
      value={value}
      options={classes.map((label) => [label, label] as const)}
      onChange={(label) => show({ class: label })}
    />
  );
}
