import type { ParameterPosterior } from '../core/distributions.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';

/** What is known of one parameter, and which one it is. */
export interface LocatedPosterior extends ParameterPosterior {
  readonly class: Label;
  /** The name of the feature, or its number where features have no names. */
  readonly feature: string | number;
  readonly level?: Level;
}

/** Where a parameter stands. */
interface Place {
  readonly class: Label;
  readonly feature: string | number;
  readonly level?: Level;
}

/** What is known of every parameter of a model, class by class, feature by feature and, where there are any, level by level. */
export function everyPosterior(
  {
    classes,
    names,
    stats,
  }: { classes: readonly Label[]; names: readonly string[] | undefined; stats: { features: number } },
  ask: (place: Place & { level: Level }) => ParameterPosterior,
  levels?: readonly (readonly Level[])[],
): LocatedPosterior[] {
  const places = classes.flatMap((label) =>
    Array.from({ length: stats.features }, (_, j): Place => ({ class: label, feature: names?.[j] ?? j })),
  );
  const cells = levels
    ? places.flatMap((place, k) => levels[k % stats.features].map((level): Place => ({ ...place, level })))
    : places;
  return cells.map((place) => ({ ...place, ...ask(place as Place & { level: Level }) }));
}
