import type { JSX } from 'preact';
import { refused, stopped, work } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import { stop } from '../train.ts';

/** The current task, its progress, and a button to stop it; or, after a stop, what became of it. */
export function Progress(): JSX.Element | null {
  const now = work.value;
  const { phases, stopping } = texts.value;
  if (!now) return stopped.value === 'nothing' ? <p role="status">{stopping.nothing}</p> : null;
  const isFinishing = stopped.value === 'finishing';
  const title = phases[now.phase];
  return (
    <section class="progress" aria-live="off">
      <span>{title}</span>
      <progress value={now.share} max={1} aria-label={title} />
      <span class="soft what">
        <bdi>{now.what}</bdi> {now.left !== undefined && texts.value.left(whole(Math.max(1, Math.ceil(now.left))))}
      </span>
      <button type="button" data-stop onClick={() => stop().catch(refused)}>
        {isFinishing ? stopping.discard : stopping.stop}
      </button>
      <span role="status">{isFinishing && stopping.finishing}</span>
    </section>
  );
}
