import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { WordScore } from '../../src/workbench.ts';
import { Choice } from '../parts/choice.tsx';
import { type Cell, Table } from '../parts/table.tsx';
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { chooseRows } from '../rows/filter.ts';
import { work } from '../state.ts';
import { texts, three, whole } from '../texts/index.ts';
import { LeftOut } from '../train/left-out.tsx';
import { trainAgain } from '../train.ts';
import type { WordsResult } from '../worker/words.ts';

const SORTS = ['information', 'chi2', 'logOdds', 'rows'] as const;
const MOST_SHOWN = 60;

/** The pinned words, kept in the address. */
const pinned = (): readonly string[] => (route.value.view.pin ?? '').split(' ').filter(Boolean);

function togglePin(word: string): void {
  const pins = pinned();
  const next = pins.includes(word) ? pins.filter((own) => own !== word) : [...pins, word];
  show({ pin: next.length > 0 ? next.join(' ') : undefined });
}

/** The table of words by information: sort, search, pin to the top, or leave out and retrain. */
export function Ranking({ run, result: { ranking, classes, column } }: { run: Run; result: WordsResult }): JSX.Element {
  const { understand: say } = texts.value;
  const sort = useSignal<(typeof SORTS)[number]>('information');
  const search = useSignal('');
  const pins = pinned();
  const sorted = [...ranking].sort((a, b) => b[sort.value] - a[sort.value]);
  const own = classes.find((label) => label === route.value.view.class);
  const wanted = sorted
    .filter(({ word, label }) => !pins.includes(word) && (own === undefined || label === own))
    .filter(({ word }) => word.includes(search.value.trim().toLowerCase()));
  const shown = [...sorted.filter(({ word }) => pins.includes(word)), ...wanted].slice(0, MOST_SHOWN);
  return (
    <section>
      <h2>{say.ranking}</h2>
      <p class="soft">{say.rankingReading}</p>
      <Finding {...{ sort, search, classes }} own={own ?? ''} />
      <LeftOut again />
      <Table
        label={say.ranking}
        heads={[say.pin, ...say.rankingHeads, ...(run.learns ? [say.leaveOut] : [])]}
        rows={shown.map((score) => [...lineOf(score, pins, column), ...(run.learns ? [remover(run, score.word)] : [])])}
      />
    </section>
  );
}

/** The search, class and sort order. */
function Finding({
  sort,
  search,
  classes,
  own,
}: {
  sort: Signal<(typeof SORTS)[number]>;
  search: Signal<string>;
  classes: readonly string[];
  own: string;
}): JSX.Element {
  const { understand: say } = texts.value;
  return (
    <div class="row">
      <label class="field">
        <span>{say.search}</span>
        <input type="search" value={search.value} onInput={(event) => (search.value = event.currentTarget.value)} />
      </label>
      <Choice
        label={say.forClass}
        value={own}
        options={[['', say.everyClass], ...classes.map((label) => [label, label] as const)]}
        onChange={(label) => show({ class: label || undefined })}
      />
      <Choice
        label={say.sort}
        value={sort.value}
        options={SORTS.map((name) => [name, say.sorts[name]] as const)}
        onChange={(name) => (sort.value = name as (typeof SORTS)[number])}
      />
    </div>
  );
}

const lineOf = (score: WordScore, pins: readonly string[], column: string): Cell[] => {
  const { word, label, information, chi2, logOdds, low, high, rows } = score;
  const interval = `${low.toFixed(2)} – ${high.toFixed(2)}`;
  return [
    pinner(word, pins),
    finder(word, column),
    label,
    three(information),
    chi2.toFixed(1),
    logOdds.toFixed(2),
    interval,
    whole(rows),
  ];
};

/** Lists the rows that contain a word. */
const finder = (word: string, column: string): Cell => ({
  text: word,
  shown: (
    <button
      type="button"
      class="ghost"
      data-find={word}
      aria-label={texts.value.rows.withWord(word)}
      onClick={() => chooseRows({ kind: 'word', column, word })}
    >
      <bdi>{word}</bdi>
    </button>
  ),
});

/** Pins a word to the top. */
function pinner(word: string, pins: readonly string[]): Cell {
  const on = pins.includes(word);
  const shown = (
    <button
      type="button"
      class="ghost"
      aria-pressed={on}
      aria-label={texts.value.understand.pinWord(word)}
      onClick={() => togglePin(word)}
    >
      {on ? '★' : '☆'}
    </button>
  );
  return { text: on ? '★' : '', shown };
}

/** Retrains without a word. */
function remover(run: Run, word: string): Cell {
  const shown = (
    <button
      type="button"
      class="ghost"
      disabled={work.value !== undefined}
      data-leave-out={word}
      aria-label={texts.value.understand.leaveOutWord(word)}
      onClick={() => trainAgain({ ...run.settings, without: [...run.settings.without, word] })}
    >
      ×
    </button>
  );
  return { text: '', shown };
}
