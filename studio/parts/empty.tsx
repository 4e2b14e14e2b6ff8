import type { JSX } from 'preact';
import { openData } from '../open.ts';
import { address } from '../route.ts';
import { texts } from '../texts/index.ts';

/** The empty state of a screen: why it is empty, and what to do. */
export function Empty({ what }: { what: 'data' | 'run' | 'model' }): JSX.Element {
  const { empty } = texts.value;
  return (
    <section class="card empty">
      <p>{empty[what]}</p>
      <p class="row">
        <button type="button" class="main" onClick={() => openData({ kind: 'sample', name: 'sms' })}>
          {empty.sample}
        </button>
        <a href={address(what === 'data' ? 'start' : 'train')}>{what === 'data' ? empty.toStart : empty.toTrain}</a>
      </p>
    </section>
  );
}
