import type { JSX } from 'preact';

/** A native select with a few values. */
export function Choice({
  label,
  value,
  options,
  disabled = false,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, title: string])[];
  disabled?: boolean;
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([own, title]) => (
          <option key={own} value={own} selected={own === value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A checkbox. */
export function Check({
  label,
  on,
  onChange,
}: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} /> {label}
    </label>
  );
}

/** A native slider with its value beside it. */
export function Slider({
  label,
  value,
  min,
  max,
  step,
  shown = String(value),
  onInput,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  shown?: string;
  onInput: (value: number) => void;
}): JSX.Element {
  return (
    <label class="field slider">
      <span>
        {label} <output>{shown}</output>
      </span>
      <input
        type="range"
        {...{ min, max, step, value }}
        aria-valuetext={shown}
        onInput={(event) => onInput(Number(event.currentTarget.value))}
      />
    </label>
  );
}
