import type { Model } from '../core/model.ts';
import { aode } from './aode.ts';
import { bernoulli } from './bernoulli.ts';
import { categorical } from './categorical.ts';
import { complement } from './complement.ts';
import { discriminative } from './discriminative.ts';
import { gaussian } from './gaussian.ts';
import { kdb } from './kdb.ts';
import { kernel } from './kernel.ts';
import { linearDiscriminant } from './linear-discriminant.ts';
import { mixed } from './mixed.ts';
import { multinomial } from './multinomial.ts';
import { poisson } from './poisson.ts';
import { quadraticDiscriminant } from './quadratic-discriminant.ts';
import { robinsonFisher } from './robinson-fisher.ts';
import { tree } from './tree.ts';
import { urn } from './urn.ts';

// biome-ignore lint/suspicious/noExplicitAny: each model has its own statistic, parameters and options
type AnyModel = Model<any, any, any>;

/** Every model by name: the one registry. */
export const models: Readonly<Record<string, AnyModel>> = {
  aode,
  bernoulli,
  categorical,
  complement,
  discriminative,
  gaussian,
  kdb,
  kernel,
  'linear-discriminant': linearDiscriminant(null),
  mixed,
  multinomial,
  poisson,
  'quadratic-discriminant': quadraticDiscriminant(null),
  'robinson-fisher': robinsonFisher,
  tree,
  urn,
};
