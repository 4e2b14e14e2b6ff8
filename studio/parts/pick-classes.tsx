import type { JSX } from 'preact';
import { route, show } from '../route.ts';
import { texts, whole } from '../texts/index.ts';

/** The most checkboxes that are shown. */
const MOST_BOXES = 500;

/** The classes that the address names, in their order; without it the first ones. */
export function chosenClasses(all: readonly string[], most: number, usual = all.slice(0, most)): readonly string[] {
  const chosen = named();
  const known = all.filter((label) => chosen.includes(label)).slice(0, most);
  return known.length > 0 ? known : usual;
}

function named(): readonly string[] {
  try {
    const found: unknown = JSON.parse(route.value.view.classes ?? '[]');
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return []; // an address that was edited by hand
  }
}

/** States that a picture shows only some classes and lets the user choose them; renders nothing if all are shown. */
export function PickClasses({
  all,
  shown,
  most,
}: {
  all: readonly string[];
  shown: readonly string[];
  most: number;
}): JSX.Element | null {
  const { chart: say } = texts.value;
  if (all.length <= most) return null;
  const toggle = (label: string) => {
    const next = shown.includes(label) ? shown.filter((own) => own !== label) : [...shown, label].slice(-most);
    show({ classes: next.length > 0 ? JSON.stringify(next) : undefined });
  };
  return (
    <details class="panel" data-some-classes>
      <summary>{say.someClasses(whole(shown.length), whole(all.length), whole(most))}</summary>
      <fieldset class="checks">
        <legend class="hidden">{texts.value.understand.forClass}</legend>
        {all.slice(0, MOST_BOXES).map((label) => (
          <label key={label}>
            <input type="checkbox" checked={shown.includes(label)} onChange={() => toggle(label)} /> <bdi>{label}</bdi>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
