import type { JSX } from 'preact';
import { change, profile, settings } from '../state.ts';
import { texts } from '../texts/index.ts';

/** The columns to classify by; all useful ones by default. */
export function Features(): JSX.Element {
  const { train: say } = texts.value;
  const usable = (profile.value?.columns ?? []).filter(({ role }) => role === 'feature').map(({ name }) => name);
  const { features } = settings.value;
  const on = (name: string) => features.length === 0 || features.includes(name);
  const toggle = (name: string) => {
    const next = usable.filter((own) => (own === name ? !on(own) : on(own)));
    change({ features: next.length === usable.length || next.length === 0 ? [] : next });
  };
  return (
    <details>
      <summary>{texts.value.named(say.features, features.length === 0 ? say.all : features.join(', '))}</summary>
      <fieldset class="checks">
        <legend class="hidden">{say.features}</legend>
        {usable.slice(0, 200).map((name) => (
          <label key={name}>
            <input type="checkbox" checked={on(name)} onChange={() => toggle(name)} /> <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
