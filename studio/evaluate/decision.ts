import { lab } from '../client.ts';
import { type Asked, useAnswer } from '../parts/answers.ts';
import type { Evaluated, Operating, Run, ThresholdRule } from '../protocol.ts';
import { route, show, viewNumber } from '../route.ts';

/** The class that curves are drawn for: the one in the address, else the first that has them. */
export function shownClass({ operating, evaluation }: Evaluated): string | undefined {
  const { class: asked = '' } = route.value.view;
  return evaluation.confusion.labels.includes(asked) ? asked : operating[0]?.label;
}

/** The threshold in the address with its class; undefined where the most probable class is given. */
export function thresholdRule(evaluated: Evaluated): ThresholdRule | undefined {
  const label = shownClass(evaluated);
  if (label === undefined || route.value.view.threshold === undefined) return undefined;
  return { label, threshold: viewNumber('threshold', 0.5) };
}

/** The curves of a class; those of classes beyond the first are computed when they are asked for. */
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

/** Gives the most probable class again. */
export const dropThreshold = (): void => show({ threshold: undefined });
