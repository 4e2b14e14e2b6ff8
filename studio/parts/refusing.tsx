import type { JSX } from 'preact';
import { texts } from '../texts/index.ts';
import type { Asked } from './answers.ts';

/** The placeholder for an answer: dots while it is pending, or the error. */
export function Refusing({ asked }: { asked: Asked<unknown> }): JSX.Element {
  const result = asked.refusal.value;
  return result ? (
    <p class="card" role="status">
      <bdi>{texts.value.library.refusal(result)}</bdi> <code title={result.sentence}>{result.code}</code>
    </p>
  ) : (
    <p class="soft">…</p>
  );
}
