import type { AnyKind } from './estimate.ts';

/** The modules of counting classifiers by the name that model files use, each loaded when a model needs it. */
export const kindLoaders: Readonly<Record<string, () => Promise<AnyKind>>> = {
  AveragedOneDependenceNB: async () => (await import('./averaged-one-dependence.ts')).averagedOneDependenceKind,
  BernoulliNB: async () => (await import('./bernoulli.ts')).bernoulliKind,
  CategoricalNB: async () => (await import('./categorical.ts')).categoricalKind,
  ComplementNB: async () => (await import('./complement.ts')).complementKind,
  DirichletMultinomialNB: async () => (await import('./dirichlet-multinomial.ts')).dirichletMultinomialKind,
  DiscriminativeMultinomialNB: async () =>
    (await import('./discriminative-multinomial.ts')).discriminativeMultinomialKind,
  GaussianNB: async () => (await import('./gaussian.ts')).gaussianKind,
  KDependenceNB: async () => (await import('./k-dependence.ts')).kDependenceKind,
  KernelNB: async () => (await import('./kernel.ts')).kernelKind,
  LinearDiscriminantAnalysis: async () => (await import('./linear-discriminant.ts')).linearDiscriminantKind,
  MixedNB: async () => (await import('./mixed.ts')).mixedKind,
  MultinomialNB: async () => (await import('./multinomial.ts')).multinomialKind,
  PoissonNB: async () => (await import('./poisson.ts')).poissonKind,
  QuadraticDiscriminantAnalysis: async () => (await import('./quadratic-discriminant.ts')).quadraticDiscriminantKind,
  RegularizedDiscriminantAnalysis: async () =>
    (await import('./regularized-discriminant.ts')).regularizedDiscriminantKind,
  RobinsonFisherFilter: async () => (await import('./robinson-fisher.ts')).robinsonFisherKind,
  TreeAugmentedNB: async () => (await import('./tree-augmented.ts')).treeAugmentedKind,
};
