import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import type { Run } from '../protocol.ts';
import { work } from '../state.ts';
import { texts } from '../texts/index.ts';
import { trainAgain } from '../train.ts';

/** The most training rows times classes: beyond, the comparison would keep the other pictures waiting. */
const MOST_WORK = 60_000;
/** Points of accuracy behind which a readable model is still offered. */
const MOST_BEHIND = 3;

/** Beside an ensemble: how far behind its best single naive Bayes model is, which can be read and drawn, and a button to use that. */
export function Offer({ run }: { run: Run }): JSX.Element | null {
  const asked = useAnswer(
    () =>
      run.model === 'auto' && run.bytes && run.trainRows * run.classes.length <= MOST_WORK
        ? lab.ask('single', [run.id])
        : undefined,
    [run.id, run.bytes],
  );
  const found = asked.value.value;
  if (!found) return null;
  const behind = 100 * (found.accuracy[1] - found.accuracy[0]);
  if (behind > MOST_BEHIND) return null;
  const { offer: say } = texts.value;
  const name = texts.value.library.summary(found.summary);
  return (
    <section class="card" data-offer={found.model}>
      <p>
        <bdi>{behind > 0 ? say.behind(name, behind.toFixed(1)) : say.asGood(name)}</bdi>
      </p>
      <button
        type="button"
        disabled={work.value !== undefined}
        onClick={() => trainAgain({ ...run.settings, model: found.model })}
      >
        {say.use}
      </button>
    </section>
  );
}
