import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Bars } from '../parts/bars.tsx';
import { Chart } from '../parts/chart.tsx';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { chance, texts } from '../texts/index.ts';
import { typed } from '../typed.ts';
import type { Answer, ModelFacts } from '../worker/asking.ts';
import { MarkedText } from './marked-text.tsx';
import { rivals, waterfallSpec } from './waterfall.ts';

/** The prediction, its probabilities, and the terms that decided it. */
export function Answered({
  answer,
  facts,
  onLearn,
}: {
  answer: Answer & { readonly milliseconds: number };
  facts: ModelFacts;
  onLearn: (label: string) => void;
}): JSX.Element {
  const { try: say } = texts.value;
  const [best, rival] = rivals(answer);
  const top = [...answer.probabilities].sort((a, b) => b.probability - a.probability).slice(0, 8);
  const words = facts.columns.filter(({ kind }) => kind === 'text').map(({ name }) => name);
  const [text] = words;
  const spec = useMemo(() => waterfallSpec(answer, new Set(words)), [answer, texts.value]);
  return (
    <>
      <section class="card" aria-live="polite">
        <p class="big">
          {texts.value.named(say.answer, '')}
          <b data-answer>{answer.abstained ? say.unsure : <bdi>{answer.label}</bdi>}</b>
        </p>
        <Bars
          label={texts.value.understand.total}
          bars={top.map(({ label, probability }) => ({
            ...{ name: label, share: probability, shown: chance(probability) },
            fill: colourOf(answer.classes.indexOf(label)),
          }))}
        />
        <p class="soft" data-milliseconds={answer.milliseconds}>
          {answer.flip ? say.flip(answer.flip.value, answer.flip.label) : say.noFlip}
          {answer.milliseconds > 0 && ` · ${say.milliseconds(answer.milliseconds.toFixed(1))}`}
        </p>
      </section>
      {text !== undefined && (typed.value[text] ?? '') !== '' && (
        <MarkedText text={typed.value[text]} answer={answer} best={best} rival={rival} />
      )}
      {answer.terms.length > 0 && <Chart spec={spec} wide />}
      {facts.learns && <Correction answer={answer} onLearn={onLearn} />}
    </>
  );
}

function Correction({ answer, onLearn }: { answer: Answer; onLearn: (label: string) => void }): JSX.Element {
  const others = answer.classes.filter((label) => label !== answer.label);
  const chosen = useSignal(others[0] ?? '');
  return (
    <p class="row">
      <Choice
        label={texts.value.try.wrong}
        value={others.includes(chosen.value) ? chosen.value : (others[0] ?? '')}
        options={others.map((label) => [label, label] as const)}
        onChange={(label) => (chosen.value = label)}
      />
      <button type="button" onClick={() => onLearn(others.includes(chosen.value) ? chosen.value : others[0])}>
        {texts.value.try.learn}
      </button>
    </p>
  );
}
