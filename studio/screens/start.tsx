import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { openData, openFile } from '../open.ts';
import { recent } from '../state.ts';
import { texts } from '../texts/index.ts';

/** Where a file comes in. */
export function Start(): JSX.Element {
  const { start } = texts.value;
  return (
    <div class="start">
      <h2>{start.title}</h2>
      <p class="soft">{start.about}</p>
      <DropZone />
      <div class="columns">
        <Samples />
        <Paste />
      </div>
      {recent.value.length > 0 && (
        <section>
          <h3>{start.recent}</h3>
          <ul class="plain">
            {recent.value.map((name) => (
              <li key={name}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function DropZone(): JSX.Element {
  const over = useSignal(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) void openFile(file);
  };
  return (
    <label
      class={over.value ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => (over.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <b>{texts.value.start.drop}</b>
      <span class="soft">{texts.value.start.kinds}</span>
      <span class="pick">{texts.value.start.choose}</span>
      <input
        type="file"
        class="hidden"
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

function Samples(): JSX.Element {
  const { start } = texts.value;
  return (
    <section class="card">
      <h3>{start.samples}</h3>
      <ul class="plain samples">
        {(['sms', 'reviews', 'iris', 'titanic'] as const).map((name) => (
          <li key={name}>
            <button type="button" data-sample={name} onClick={() => openData({ kind: 'sample', name })}>
              <b>{start.sampleNames[name][0]}</b> <small>{start.sampleNames[name][1]}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Paste(): JSX.Element {
  const text = useSignal('');
  const { start } = texts.value;
  return (
    <section class="card">
      <label class="field">
        <span>{start.paste}</span>
        <textarea rows={8} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <button
        type="button"
        disabled={text.value.trim() === ''}
        onClick={() => openData({ kind: 'paste', text: text.value })}
      >
        {start.open}
      </button>
    </section>
  );
}
