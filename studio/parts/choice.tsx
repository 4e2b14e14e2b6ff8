import type { JSX } from 'preact';

/** One of a few values, as a native list. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, title: string])[];
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([own, title]) => (
          <option key={own} value={own} selected={own === value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A number on a native slider, shown beside it. */
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
