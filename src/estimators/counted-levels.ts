import { compareLabels } from '../data/labels.ts';
import type { LevelCounts } from '../data/level-counter.ts';
import { compareCodePoints } from '../data/order.ts';
import { refuse } from '../errors.ts';
import type { CategoricalNB } from './categorical-nb.ts';
import { restore } from './restore.ts';

/** A classifier with the parameters of this one that has learned the counts of named columns. */
export function learnedLevels(
  classifier: CategoricalNB,
  names: readonly string[],
  { labels, columns }: LevelCounts,
): CategoricalNB {
  const classes = [...labels.keys()].sort((a, b) => compareLabels(labels[a], labels[b]));
  const n = new Float64Array(classes.length);
  const sorted = columns.map(({ levels, counts }) => {
    const order = [...levels.keys()].sort((a, b) => compareCodePoints(levels[a], levels[b]));
    return { order, levels: order.map((v) => levels[v]), counts };
  });
  const width = sorted.reduce((sum, { levels }) => sum + levels.length, 0);
  const h = new Float64Array(classes.length * width);
  let offset = 0;
  for (const [j, { order, counts }] of sorted.entries()) {
    for (const [c, own] of classes.entries()) {
      for (let v = 0; v < order.length; v++) {
        const count = counts[order[v] * labels.length + own];
        h[c * width + offset + v] = count;
        if (j === 0) n[c] += count; // every row has a text in every column
      }
    }
    offset += order.length;
  }
  return restore(classifier.clone(), {
    kind: classifier.kind,
    params: {},
    learned: {
      classes: classes.map((c) => labels[c]),
      closed: false,
      features: names.length,
      levels: sorted.map(({ levels }) => levels.length),
      names: [...names],
      schema: sorted.map(({ levels }) => levels),
    },
    arrays: {
      'stats.n': { shape: [classes.length], data: n },
      'stats.h': { shape: [classes.length, width], data: h },
    },
  });
}

/** The option by which a classifier has to see the rows themselves. */
function rowsFor(classifier: CategoricalNB): string | undefined {
  const { alpha, reproducible, minCategories } = classifier.getParams();
  if (alpha === 'auto') return 'alpha';
  return reproducible ? 'reproducible' : minCategories !== null ? 'minCategories' : undefined;
}

/** Whether counts are all that a classifier has to see. */
export const isCountableLevels = (classifier: CategoricalNB): boolean => rowsFor(classifier) === undefined;

/** Refuses a classifier that has to see the rows themselves. */
export function requireCountableLevels(classifier: CategoricalNB): void {
  const name = rowsFor(classifier);
  if (name) refuse('E_PARAM', `${name} needs the rows themselves: fit on rows in memory, or leave it out`, { name });
}
