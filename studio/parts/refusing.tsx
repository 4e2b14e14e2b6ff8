import type { JSX } from 'preact';
import { texts } from '../texts/index.ts';
import type { Asked } from './answers.ts';

/** What stands where an answer will be: dots while it comes, or why it does not. */
export function Refusing({ asked }: { asked: Asked<unknown> }): JSX.Element {
  const result = asked.refusal.value;
  return result ? (
    <p class="card" role="status">
      <bdi>{texts.value.library.refusal(result.code, result.sentence)}</bdi> <code>{result.code}</code>
    </p>
  ) : (
    <p class="soft">…</p>
  );
}
