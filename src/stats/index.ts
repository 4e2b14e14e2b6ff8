import type { Statistic } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { bursts } from './bursts.ts';
import { contexts } from './contexts.ts';
import { histogram } from './histogram.ts';
import { moments } from './moments.ts';
import { pairs } from './pairs.ts';
import { quartic } from './quartic.ts';
import { gappedScatter, scatter } from './scatter.ts';
import { sums } from './sums.ts';
import { values } from './values.ts';

/** Every statistic by name: the registry for the law tests. */
export const statistics: Readonly<Record<string, Statistic<Shape>>> = {
  sums,
  histogram,
  moments,
  scatter,
  gappedScatter,
  pairs,
  quartic,
  values,
  bursts,
  contexts,
} as unknown as Readonly<Record<string, Statistic<Shape>>>;
