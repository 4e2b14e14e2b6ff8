import { effect, signal, useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { droppedFiles } from '../dropped.ts';
import { remember, remembered } from '../memory.ts';
import { openData, openFiles, openRecent } from '../open.ts';
import { download } from '../parts/download.ts';
import { FileButton } from '../parts/file-button.tsx';
import { forgetProject, type ProjectFacts, project, projectFile, recent } from '../project.ts';
import type { NamedFile } from '../protocol.ts';
import { opened, refused } from '../state.ts';
import { language, texts, whole } from '../texts/index.ts';
import { idle } from '../warm.ts';

/** The Start screen: opens files, samples and projects. */
export function Start(): JSX.Element {
  const { start } = texts.value;
  return (
    <div class="start">
      <h2>{start.title}</h2>
      <p class="soft">{start.about}</p>
      <DropZone />
      <LiveExample />
      <div class="columns">
        <Samples />
        <Paste />
      </div>
      <Projects />
    </div>
  );
}

const visited = signal(remembered('visited', false));

effect(() => {
  if (!opened.value || visited.peek()) return;
  visited.value = true;
  remember('visited', true);
});

/** The live example: on a first visit at once, later on request. */
function LiveExample(): JSX.Element {
  const view = useSignal<ComponentType | undefined>(undefined);
  const load = () => import('../live/live.tsx').then(({ default: found }) => (view.value = found), refused);
  useEffect(() => {
    if (!visited.peek()) idle().then(load);
  }, []);
  const Live = view.value;
  if (Live) return <Live />;
  return visited.value ? (
    <p>
      <button type="button" data-live-show onClick={load}>
        {texts.value.live.show}
      </button>
    </p>
  ) : (
    <section class="live">
      <p class="soft">…</p>
    </section>
  );
}

/** The recent projects, and saving the open one to a file. */
function Projects(): JSX.Element | null {
  const { start } = texts.value;
  const saveAll = async () => {
    const name = opened.value!.name.replace(/\.[^.]*$/, '');
    download(`${name}.polya-project`, await projectFile(), 'application/octet-stream');
  };
  if (recent.value.length === 0) return null;
  return (
    <section>
      <h3>{start.recent}</h3>
      <ul class="plain projects">
        {recent.value.map((own) => (
          <ProjectLine key={own.id} own={own} />
        ))}
      </ul>
      {opened.value && (
        <p class="row">
          <button type="button" data-save-project onClick={() => saveAll().catch(refused)}>
            {start.saveProject}
          </button>
          <span class="soft">{start.saveProjectAbout}</span>
        </p>
      )}
    </section>
  );
}

function ProjectLine({ own }: { own: ProjectFacts }): JSX.Element {
  const { start } = texts.value;
  const when = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }).format(own.at);
  return (
    <li class="row">
      <button
        type="button"
        data-project={own.id}
        aria-current={own.id === project.value ? 'true' : undefined}
        onClick={() => openRecent(own.id).catch(refused)}
      >
        <b>
          <bdi>{own.name}</bdi>
        </b>{' '}
        <small>{start.projectFacts(whole(own.rows), whole(own.runs), whole(own.edits), when)}</small>
      </button>
      <button
        type="button"
        class="small"
        disabled={own.id === project.value}
        aria-label={texts.value.named(start.forget, own.name)}
        onClick={() => forgetProject(own.id).catch(refused)}
      >
        {start.forget}
      </button>
    </li>
  );
}

function DropZone(): JSX.Element {
  const over = useSignal(false);
  const take = (files: readonly NamedFile[]) => {
    if (files.length > 0) openFiles(files).catch(refused);
  };
  return (
    <section
      class={over.value ? 'drop over' : 'drop'}
      aria-label={texts.value.start.drop}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => (over.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        droppedFiles(event.dataTransfer).then(take, refused);
      }}
    >
      <b>{texts.value.start.drop}</b>
      <span class="soft">{texts.value.start.kinds}</span>
      <span class="row">
        <FileButton title={texts.value.start.choose} many mark="files" onPick={take} />
        <FileButton title={texts.value.start.chooseFolder} many folder mark="folder" onPick={take} />
      </span>
    </section>
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
