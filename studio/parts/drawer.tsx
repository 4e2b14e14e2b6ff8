import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { repeat } from '../repeat.ts';
import { route } from '../route.ts';
import { firstRow, model, opened, profile, run, runs, settings } from '../state.ts';
import { texts } from '../texts/index.ts';
import { typed } from '../typed.ts';

/** The drawer with the lines that repeat what is on screen in a terminal, a program or a request. */
export function Drawer({ onClose }: { onClose: () => void }): JSX.Element {
  const { drawer } = texts.value;
  const example = firstRow(model.value?.facts.columns.map(({ name }) => name) ?? []);
  const shown = { ...route.value, runs: runs.value };
  const lines = repeat(opened.value, profile.value, run.value, settings.value, typed.value, example, shown);
  return (
    <aside class="drawer" aria-label={drawer.title}>
      <h2>{drawer.title}</h2>
      {opened.value ? (
        (['cli', 'typescript', 'curl'] as const).map((form) => (
          <Lines key={form} title={drawer[form]} name={form} text={lines[form]} />
        ))
      ) : (
        <p>{drawer.nothing}</p>
      )}
      <p class="row">
        <Copy text={location.href} title={drawer.link} />
        <button type="button" onClick={onClose}>
          {drawer.close}
        </button>
      </p>
    </aside>
  );
}

function Lines({ title, name, text }: { title: string; name: string; text: string }): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      <pre data-copy={name}>{text}</pre>
      <Copy text={text} title={texts.value.named(texts.value.drawer.copy, title)} />
    </section>
  );
}

function Copy({ text, title }: { text: string; title: string }): JSX.Element {
  const done = useSignal(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    done.value = true;
  };
  return (
    <button type="button" class="small" onClick={() => copy().catch(() => undefined)}>
      {done.value ? texts.value.drawer.copied : title}
    </button>
  );
}
