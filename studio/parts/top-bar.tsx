import { effect, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { remember, remembered } from '../memory.ts';
import { saved } from '../project.ts';
import { model, opened, refused, run } from '../state.ts';
import { type Language, language, languages, texts } from '../texts/index.ts';
import { beginTour } from '../tour.ts';
import { colourOf } from './colours.ts';

type Theme = 'auto' | 'light' | 'dark';

const theme = signal<Theme>(remembered<Theme>('theme', 'auto'));

effect(() => {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  remember('theme', theme.value);
});

/** Data, model and run, and the switches of the page. */
export function TopBar({
  onCopy,
  onKeys,
  drawer,
}: {
  onCopy: () => void;
  onKeys: () => void;
  drawer: boolean;
}): JSX.Element {
  const { bar } = texts.value;
  const summary = run.value?.summary ?? model.value?.facts.summary;
  return (
    <header class="bar" data-saved={saved.value}>
      <b class="brand">
        <Mark /> Pólya
      </b>
      <span class="where">
        <b>
          <bdi>{opened.value?.name ?? bar.noData}</bdi>
        </b>{' '}
        · <bdi>{summary === undefined ? bar.noModel : texts.value.library.summary(summary)}</bdi>
        {run.value?.name && (
          <>
            {' · '}
            <bdi>{run.value.name}</bdi>
          </>
        )}
        {run.value && ` · ${bar.run} ${run.value.id}`}
      </span>
      <span class="switches">
        <button type="button" aria-expanded={drawer} onClick={onCopy}>
          {bar.copy}
        </button>
        <button type="button" onClick={() => beginTour().catch(refused)}>
          {texts.value.tour.title}
        </button>
        <button type="button" onClick={onKeys} title="?">
          {bar.help}
        </button>
        <Switches />
      </span>
    </header>
  );
}

/** Three balls of an urn, in the colours of the classes. */
function Mark(): JSX.Element {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M4 5 V14 A7 6 0 0 0 18 14 V5" fill="none" stroke="currentColor" stroke-width="1.6" />
      <circle cx="8.3" cy="14.6" r="2.5" fill={colourOf(0)} />
      <circle cx="13.7" cy="14.6" r="2.5" fill={colourOf(1)} />
      <circle cx="11" cy="9.9" r="2.5" fill={colourOf(2)} />
    </svg>
  );
}

/** Light or dark, and the language. */
function Switches(): JSX.Element {
  const { bar } = texts.value;
  return (
    <>
      <select
        aria-label={bar.theme}
        value={theme.value}
        onChange={(event) => (theme.value = event.currentTarget.value as Theme)}
      >
        {(['auto', 'light', 'dark'] as const).map((name) => (
          <option key={name} value={name} selected={name === theme.value}>
            {bar.themes[name]}
          </option>
        ))}
      </select>
      <select
        aria-label={bar.language}
        value={language.value}
        onChange={(event) => (language.value = event.currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([tag, title]) => (
          <option key={tag} value={tag} lang={tag} selected={tag === language.value}>
            {title}
          </option>
        ))}
      </select>
    </>
  );
}
