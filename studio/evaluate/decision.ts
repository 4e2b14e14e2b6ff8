import { lab } from '../client.ts';
import { type Asked, useAnswer } from '../parts/answers.ts';
import type { Evaluated, Operating, Run, ThresholdRule } from '../protocol.ts';
import { route, show, viewNumber } from '../route.ts';

/** The class whose curves are shown: the one in the address, else the first that has curves. */
export function shownClass({ operating, evaluation }: Evaluated): string | undefined {
  const { class: asked = '' } = route.value.view;
  return evaluation.confusion.labels.includes(asked) ? asked : operating[0]?.label;
}

/** The threshold in the address with its class; undefined if the most probable class is predicted. */
export function thresholdRule(evaluated: Evaluated): ThresholdRule | undefined {
  const label = shownClass(evaluated);
  if (label === undefined || route.value.view.threshold === undefined) return undefined;
  return { label, threshold: viewNumber('threshold', 0.5) };
}

/** The curves of a class. Only the first classes have them precomputed; the others are computed on demand. */
export function useOperating(
  { id }: Run,
  { operating }: Evaluated,
  label: string,
): { shown: Operating | undefined; asked: Asked<Operating> } {
  const known = operating.find((own) => own.label === label);
  const asked = useAnswer(() => (known ? undefined : lab.ask('operating', [id, label])), [id, label]);
  const answered = asked.value.value?.label === label ? asked.value.value : undefined;
  return { shown: known ?? answered, asked };
}

/** Goes back to predicting the most probable class. */
export const dropThreshold = (): void => show({ threshold: undefined });
