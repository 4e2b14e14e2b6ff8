import { averagedOneDependenceKind } from './averaged-one-dependence.ts';
import { bernoulliKind } from './bernoulli.ts';
import { categoricalKind } from './categorical.ts';
import { complementKind } from './complement.ts';
import { dirichletMultinomialKind } from './dirichlet-multinomial.ts';
import { discriminativeMultinomialKind } from './discriminative-multinomial.ts';
import type { AnyKind } from './estimate.ts';
import { gaussianKind } from './gaussian.ts';
import { kDependenceKind } from './k-dependence.ts';
import { kernelKind } from './kernel.ts';
import { linearDiscriminantKind } from './linear-discriminant.ts';
import { mixedKind } from './mixed.ts';
import { multinomialKind } from './multinomial.ts';
import { poissonKind } from './poisson.ts';
import { quadraticDiscriminantKind } from './quadratic-discriminant.ts';
import { regularizedDiscriminantKind } from './regularized-discriminant.ts';
import { robinsonFisherKind } from './robinson-fisher.ts';
import { treeAugmentedKind } from './tree-augmented.ts';

/** Every counting classifier by the name that model files use. */
export const kinds: Readonly<Record<string, AnyKind>> = {
  AveragedOneDependenceNB: averagedOneDependenceKind,
  BernoulliNB: bernoulliKind,
  CategoricalNB: categoricalKind,
  ComplementNB: complementKind,
  DirichletMultinomialNB: dirichletMultinomialKind,
  DiscriminativeMultinomialNB: discriminativeMultinomialKind,
  GaussianNB: gaussianKind,
  KDependenceNB: kDependenceKind,
  KernelNB: kernelKind,
  LinearDiscriminantAnalysis: linearDiscriminantKind,
  MixedNB: mixedKind,
  MultinomialNB: multinomialKind,
  PoissonNB: poissonKind,
  QuadraticDiscriminantAnalysis: quadraticDiscriminantKind,
  RegularizedDiscriminantAnalysis: regularizedDiscriminantKind,
  RobinsonFisherFilter: robinsonFisherKind,
  TreeAugmentedNB: treeAugmentedKind,
};
