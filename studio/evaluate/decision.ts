import type { Operating, ThresholdRule } from '../protocol.ts';
import { route, show, viewNumber } from '../route.ts';

/** The class that curves are drawn for: the one in the address, else the first. */
export const shownClass = (operating: readonly Operating[]): Operating | undefined =>
  operating.find(({ label }) => label === route.value.view.class) ?? operating[0];

/** The threshold in the address with its class; undefined where the most probable class is given. */
export function thresholdRule(operating: readonly Operating[]): ThresholdRule | undefined {
  const shown = shownClass(operating);
  if (!shown || route.value.view.threshold === undefined) return undefined;
  return { label: shown.label, threshold: viewNumber('threshold', 0.5) };
}

/** Gives the most probable class again. */
export const dropThreshold = (): void => show({ threshold: undefined });
