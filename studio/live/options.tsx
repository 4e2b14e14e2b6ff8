import type { JSX } from 'preact';
import { Choice, Slider } from '../parts/choice.tsx';
import { percent, texts, whole } from '../texts/index.ts';
import type { LiveAsked } from '../worker/live.ts';
import { measures } from './samples.ts';

/** Pseudo-counts of the smoothing slider. */
const ALPHAS: readonly number[] = [0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

type Change = (part: Partial<LiveAsked>) => void;

/** The options of the live page, each as a control that retrains at once. */
export function Options({ asked, onChange }: { asked: LiveAsked; onChange: Change }): JSX.Element {
  const { live: say, train } = texts.value;
  const { share, holdout, seed } = asked;
  return (
    <div class="fields">
      {asked.columns.length === 1 ? (
        <TextOptions asked={asked} onChange={onChange} />
      ) : (
        <NumberOptions asked={asked} onChange={onChange} />
      )}
      <Slider
        label={say.share}
        {...{ min: 0.02, max: 1, step: 0.02, value: share, shown: percent(share) }}
        onInput={(own) => onChange({ share: own })}
      />
      <Slider
        label={train.holdout}
        {...{ min: 0.1, max: 0.5, step: 0.05, value: holdout, shown: percent(holdout) }}
        onInput={(own) => onChange({ holdout: Math.round(own * 100) / 100 })}
      />
      <Slider
        label={train.seed}
        {...{ min: 1, max: 20, step: 1, value: seed, shown: whole(seed) }}
        onInput={(own) => onChange({ seed: own })}
      />
    </div>
  );
}

function TextOptions({ asked: { alpha, ngrams }, onChange }: { asked: LiveAsked; onChange: Change }): JSX.Element {
  const { train } = texts.value;
  return (
    <>
      <Slider
        label={train.smoothing}
        {...{ min: 0, max: ALPHAS.length - 1, step: 1, value: ALPHAS.indexOf(alpha) }}
        shown={String(alpha)}
        onInput={(own) => onChange({ alpha: ALPHAS[own] })}
      />
      <Slider
        label={train.words}
        {...{ min: 1, max: 3, step: 1, value: ngrams }}
        shown={ngrams === 1 ? '1' : `1–${ngrams}`}
        onInput={(own) => onChange({ ngrams: own })}
      />
    </>
  );
}

function NumberOptions({ asked, onChange }: { asked: LiveAsked; onChange: Change }): JSX.Element {
  const { boundary } = texts.value;
  const [x, y = measures[0]] = asked.columns;
  const share = { min: 0, max: 1, step: 0.02 };
  const others = (taken: string) => measures.filter((own) => own !== taken).map((own) => [own, own] as const);
  return (
    <>
      <Choice label={boundary.x} value={x} options={others(y)} onChange={(own) => onChange({ columns: [own, y] })} />
      <Choice label={boundary.y} value={y} options={others(x)} onChange={(own) => onChange({ columns: [x, own] })} />
      <Slider
        label={boundary.lambda}
        {...{ ...share, value: asked.lambda, shown: asked.lambda.toFixed(2) }}
        onInput={(lambda) => onChange({ lambda })}
      />
      <Slider
        label={boundary.gamma}
        {...{ ...share, value: asked.gamma, shown: asked.gamma.toFixed(2) }}
        onInput={(gamma) => onChange({ gamma })}
      />
    </>
  );
}
