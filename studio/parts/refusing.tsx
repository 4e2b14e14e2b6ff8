import type { JSX } from 'preact';
import { texts } from '../texts/index.ts';
import type { Asked } from './answers.ts';

/** What stands where an answer will be: dots while it comes, or why it does not. */
export function Refusing({ asked }: { asked: Asked<unknown> }): JSX.Element {
  const told = asked.refusal.value;
  return told ? (
    <p class="card" role="status">
      <bdi>{texts.value.told.refusal(told.code, told.sentence)}</bdi> <code>{told.code}</code>
    </p>
  ) : (
    <p class="soft">…</p>
  );
}
