import type { ComponentChildren, JSX } from 'preact';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { work } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';
import { trainAgain } from '../train.ts';

/** Whether the best single naive Bayes model is shown instead of the ensemble. */
export const isSingle = (): boolean => route.value.view.single === '1';

/** A picture of one naive Bayes model. If the run is an ensemble, a button shows its best single model. */
export function OneModel({ run, children }: { run: Run; children: ComponentChildren }): JSX.Element {
  const { understand: say } = texts.value;
  if (isSingle()) {
    return (
      <>
        <Beside run={run} />
        {children}
      </>
    );
  }
  if (run.model !== 'auto') return <>{children}</>;
  return (
    <section class="card">
      <p>{say.ensemble}</p>
      <button type="button" class="main" data-single onClick={() => show({ single: '1' })}>
        {say.showSingle}
      </button>
    </section>
  );
}

/** The single model and its comparison with the ensemble. */
function Beside({ run }: { run: Run }): JSX.Element {
  const { understand: say } = texts.value;
  const asked = useAnswer(() => lab.ask('single', [run.id]), [run.id]);
  const result = asked.value.value;
  if (!result) return <Refusing asked={asked} />;
  const { accuracy, logLoss, rows, model, summary } = result;
  return (
    <section class="card">
      <p data-beside={model}>
        <bdi>{texts.value.library.summary(summary)}</bdi>.{' '}
        {say.beside(percent(accuracy[0]), percent(accuracy[1]), three(logLoss[0]), three(logLoss[1]), whole(rows))}
      </p>
      <p class="row">
        <button
          type="button"
          disabled={work.value !== undefined}
          onClick={() => {
            show({ single: undefined });
            trainAgain({ ...run.settings, model });
          }}
        >
          {say.trainSingle}
        </button>
        <button type="button" onClick={() => show({ single: undefined })}>
          {say.closeSingle}
        </button>
      </p>
    </section>
  );
}

/** Explains why the model has no such picture, with a button for a single model that has one. */
export function NoPicture({ asked }: { asked: Parameters<typeof Refusing>[0]['asked'] }): JSX.Element {
  const { understand: say } = texts.value;
  if (asked.refusal.value?.code !== 'E_CONFLICT' || isSingle()) return <Refusing asked={asked} />;
  return (
    <section class="card">
      <p>{say.noSum}</p>
      <button type="button" class="main" data-single onClick={() => show({ single: '1' })}>
        {say.showSingle}
      </button>
    </section>
  );
}
