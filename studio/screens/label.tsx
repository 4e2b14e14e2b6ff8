import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { lab } from '../client.ts';
import { Choice } from '../parts/choice.tsx';
import { asCsv, download } from '../parts/download.ts';
import { Empty } from '../parts/empty.tsx';
import { route, show } from '../route.ts';
import { opened, profile, refused, run, runs } from '../state.ts';
import { chance, percent, texts, whole } from '../texts/index.ts';
import type { Labelling, Queue, Waiting } from '../worker/labelling.ts';

const QUEUES: readonly Queue[] = ['uncertain', 'random', 'disagreement', 'doubted'];

type Step = { readonly do: 'look' | 'undo' | 'skip' | 'answer'; readonly place?: number; readonly label?: string };

/** One row at a time; the model learns each answer at once. */
export default function Label(): JSX.Element {
  const shown = run.value;
  const state = useSignal<Labelling | undefined>(undefined);
  const unlabelled = (profile.value?.target?.missing ?? 0) > 0;
  const queue = (route.value.view.queue as Queue | undefined) ?? (unlabelled ? 'uncertain' : 'doubted');
  const id = shown?.bytes ? shown.id : undefined;
  const step = (given: Step) => {
    if (id === undefined) return;
    lab.ask('label', [id, queue, given]).then((found) => (state.value = found), refused);
  };
  useEffect(() => step({ do: 'look' }), [id, queue]);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => keyed(event, state.value, step);
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, [id, queue]);
  if (!shown?.bytes) return <Empty what={opened.value ? 'run' : 'data'} />;
  const { label: say } = texts.value;
  const nothing = queue === 'disagreement' && runs.value.length < 2 ? say.alone : say.none;
  return (
    <>
      <div class="row">
        <Choice
          label={say.queue}
          value={queue}
          options={QUEUES.map((name) => [name, say.queues[name]] as const)}
          onChange={(name) => show({ queue: name })}
        />
        {state.value && <Standing state={state.value} />}
      </div>
      {state.value?.next ? (
        <One waiting={state.value.next} step={step} />
      ) : (
        <p class={state.value ? '' : 'soft'}>{state.value ? nothing : '…'}</p>
      )}
      <Given state={state.value} target={shown.settings.target} onUndo={() => step({ do: 'undo' })} />
    </>
  );
}

/** What to do with the labels that were given. */
function Given({
  state,
  target,
  onUndo,
}: {
  state: Labelling | undefined;
  target: string;
  onUndo: () => void;
}): JSX.Element {
  const { label: say } = texts.value;
  const none = !state?.given.length;
  return (
    <p class="row">
      <button type="button" disabled={none} onClick={onUndo}>
        {say.undo} (u)
      </button>
      <button type="button" disabled={none} onClick={() => state && save(state, target)}>
        {say.download}
      </button>
    </p>
  );
}

function keyed(event: KeyboardEvent, state: Labelling | undefined, step: (given: Step) => void): void {
  const field = event.target instanceof HTMLElement && /^(input|select|textarea)$/i.test(event.target.tagName);
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = state?.next;
  if (event.key === 'u') step({ do: 'undo' });
  if (!next) return;
  const guess = /^[1-9]$/.test(event.key) ? next.guesses[Number(event.key) - 1] : undefined;
  if (guess) step({ do: 'answer', place: next.place, label: guess.label });
  if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) {
    event.preventDefault();
    step({ do: 'skip', place: next.place });
  }
}

function save({ given }: Labelling, target: string): void {
  const rows = given.map(({ place, label }) => [place + 1, label] as const);
  download('labels.csv', asCsv({ heads: ['row', target], rows }), 'text/csv');
}

function Standing({ state: { left, given, accuracy, tests } }: { state: Labelling }): JSX.Element {
  const { label: say } = texts.value;
  return (
    <p class="soft" aria-live="polite">
      {[
        say.given(whole(given.length)),
        say.left(whole(left)),
        ...(accuracy === undefined ? [] : [say.accuracy(percent(accuracy), whole(tests))]),
      ].join(' · ')}
    </p>
  );
}

function One({ waiting, step }: { waiting: Waiting; step: (given: Step) => void }): JSX.Element {
  const { label: say } = texts.value;
  const { place, cells, guesses, has } = waiting;
  return (
    <section class="card">
      <dl class="facts">
        {cells.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd dir="auto">{value || '∅'}</dd>
          </div>
        ))}
      </dl>
      {has !== undefined && <p>{say.has(has)}</p>}
      <h2>{say.choose}</h2>
      <p class="row">
        {guesses.slice(0, 50).map(({ label, probability }, k) => (
          <button key={label} type="button" onClick={() => step({ do: 'answer', place, label })}>
            {k < 9 && <kbd>{k + 1}</kbd>} <bdi>{label}</bdi> <span class="soft">{chance(probability)}</span>
          </button>
        ))}
        <button type="button" onClick={() => step({ do: 'skip', place })}>
          {say.skip}
        </button>
      </p>
    </section>
  );
}
