import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { lab } from '../client.ts';
import { saveRows } from '../data/rows.tsx';
import { labelledHere, labelRow, skipRow, targetNow, undo } from '../edits.ts';
import { isTyping } from '../keyboard.ts';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { Empty } from '../parts/empty.tsx';
import { Marked } from '../parts/marked.tsx';
import { route, show } from '../route.ts';
import { ServedRequests } from '../server/requests.tsx';
import { acts, opened, profile, refused, run, runs, skipped, work } from '../state.ts';
import { chance, percent, texts, whole } from '../texts/index.ts';
import { train } from '../train.ts';
import type { Labelling, Queue, Waiting } from '../worker/labelling.ts';

const QUEUES: readonly Queue[] = ['uncertain', 'random', 'disagreement', 'doubted'];

/** The Label screen: one row at a time. Every label is an edit of the data, and the models are updated at once. */
export default function Label(): JSX.Element {
  const state = useSignal<Labelling | undefined>(undefined);
  const shown = run.value?.bytes ? run.value : undefined;
  const target = targetNow();
  const unlabelled = (profile.value?.target?.missing ?? 0) > 0;
  const given = labelledHere(target);
  const queue = (route.value.view.queue as Queue | undefined) ?? (unlabelled ? 'uncertain' : 'doubted');
  useEffect(() => {
    if (!opened.value || target === '') return;
    lab.ask('label', [shown?.id, target, queue, [...skipped.value, ...given]]).then((found) => {
      state.value = found;
      answered.value = -1;
    }, refused);
  }, [shown?.id, target, queue, acts.value, opened.value?.sha256]);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => keyed(event, state.value?.next);
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  if (!opened.value || target === '') {
    return (
      <>
        <Empty what={opened.value ? 'run' : 'data'} />
        <ServedRequests />
      </>
    );
  }
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
        {state.value && <Standing state={state.value} given={given.length} />}
      </div>
      {state.value?.next ? (
        <One waiting={state.value.next} />
      ) : (
        <p class={state.value ? '' : 'soft'}>{state.value ? nothing : '…'}</p>
      )}
      <Done />
      <ServedRequests />
    </>
  );
}

/** What to do with the new labels. */
function Done(): JSX.Element {
  const { label: say } = texts.value;
  const classes = profile.value?.target?.classes.length ?? 0;
  return (
    <p class="row">
      <button type="button" disabled={acts.value.length === 0} onClick={() => undo().catch(refused)}>
        {say.undo} (u)
      </button>
      <button type="button" data-merged onClick={() => saveRows().catch(refused)}>
        {say.download}
      </button>
      <button type="button" disabled={classes < 2 || work.value !== undefined} onClick={() => train()}>
        {say.train}
      </button>
      <span class="soft">{say.kept}</span>
    </p>
  );
}

/** The row labelled last, until the next one is shown; keys pressed in between are ignored. */
const answered = signal(-1);

function answer(place: number, label: string): void {
  if (answered.value === place) return;
  answered.value = place;
  labelRow(place, label).catch(refused);
}

function skip(place: number): void {
  if (answered.value === place) return;
  answered.value = place;
  skipRow(place);
}

function keyed(event: KeyboardEvent, next: Waiting | undefined): void {
  const { target, key } = event;
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (key === 'u') undo().catch(refused);
  if (!next) return;
  const guess = /^[1-9]$/.test(key) ? next.guesses[Number(key) - 1] : undefined;
  if (guess) answer(next.place, guess.label);
  if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) return; // these elements handle the keys themselves
  if (key === 'Enter' && next.guesses[0]?.probability !== undefined) {
    event.preventDefault();
    answer(next.place, next.guesses[0].label);
  }
  if (key === ' ') {
    event.preventDefault();
    skip(next.place);
  }
}

function Standing({ state: { left, accuracy, tests }, given }: { state: Labelling; given: number }): JSX.Element {
  const { label: say } = texts.value;
  return (
    <p class="soft" aria-live="polite" data-given={given}>
      {[
        say.given(whole(given)),
        say.left(whole(left)),
        ...(accuracy === undefined ? [] : [say.accuracy(percent(accuracy), whole(tests))]),
      ].join(' · ')}
    </p>
  );
}

function One({ waiting }: { waiting: Waiting }): JSX.Element {
  const { label: say } = texts.value;
  const { place, cells, guesses, has } = waiting;
  const isMarked = cells.some(({ marks }) => marks.length > 0);
  const sorted = guesses.map(({ label }) => label).sort(); // classes have the same colours on all screens
  const colourIn = (label: string | undefined) => colourOf(sorted.indexOf(label ?? ''));
  const colours = [colourIn(guesses[0]?.label), colourIn(guesses[1]?.label)] as const;
  return (
    <section class="card" data-place={place}>
      <dl class="facts">
        {cells.map(({ name, value, marks }) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd dir="auto">{value === '' ? '∅' : <Marked text={value} marks={marks} colours={colours} />}</dd>
          </div>
        ))}
      </dl>
      {has !== undefined && <p>{has === guesses[0]?.label ? say.agrees(has) : say.has(has)}</p>}
      <h2>{say.choose}</h2>
      <p class="row">
        {guesses.slice(0, 50).map(({ label, probability }, k) => (
          <button
            key={label}
            type="button"
            class={k === 0 && probability !== undefined ? 'main' : ''}
            data-guess={label}
            onClick={() => answer(place, label)}
          >
            {k < 9 && <kbd>{k + 1}</kbd>}{' '}
            <bdi class={k < 2 && isMarked ? 'evidence' : ''} style={{ textDecorationColor: colourIn(label) }}>
              {label}
            </bdi>{' '}
            {probability !== undefined && <span class="chance">{chance(probability)}</span>}
            {k === 0 && probability !== undefined && <kbd>↵</kbd>}
          </button>
        ))}
        <button type="button" onClick={() => skip(place)}>
          {say.skip}
        </button>
      </p>
      <NewClass place={place} />
    </section>
  );
}

/** The field for a new class. */
function NewClass({ place }: { place: number }): JSX.Element {
  const { label: say } = texts.value;
  const name = useSignal('');
  const add = () => {
    const label = name.value.trim();
    if (label === '') return;
    name.value = '';
    answer(place, label);
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label class="field">
        <span>{say.newClass}</span>
        <input
          type="text"
          maxLength={200}
          value={name.value}
          data-new-class
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={name.value.trim() === ''}>
        {say.add}
      </button>
    </form>
  );
}
