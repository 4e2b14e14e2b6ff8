import type { JSX } from 'preact';
import { refused, work } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import { stop } from '../train.ts';

/** The current task, its progress, and a button to stop it. */
export function Progress(): JSX.Element | null {
  const now = work.value;
  if (!now) return null;
  const title = texts.value.phases[now.phase];
  return (
    <section class="progress" aria-live="off">
      <span>{title}</span>
      <progress value={now.share} max={1} aria-label={title} />
      <span class="soft what">
        <bdi>{now.what}</bdi> {now.left !== undefined && texts.value.left(whole(Math.max(1, Math.ceil(now.left))))}
      </span>
      <button type="button" onClick={() => stop().catch(refused)}>
        {texts.value.stop}
      </button>
    </section>
  );
}
