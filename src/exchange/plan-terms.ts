/**
 * What a vector x adds to the score of each class c. Tables are class-major (cell c · J + j of J numbers) unless they say
 * otherwise. A missing number (NaN) adds nothing, unless the term says otherwise.
 */
export type PlanTerm =
  | LinearTerm
  | CoinTerm
  | TableTerm
  | BellTerm
  | PoissonTerm
  | KernelTerm
  | PlaneTerm
  | QuadricTerm
  | ShiftTerm
  | UrnTerm
  | TreeTerm
  | AodeTerm
  | ContextTerm;

/** For every op of a term, what is made of it with some more arguments. */
export type EachTerm<Args extends readonly unknown[], Out> = {
  readonly [Op in PlanTerm['op']]: (term: Extract<PlanTerm, { readonly op: Op }>, ...args: Args) => Out;
};

interface OfVector {
  /** The place of the vector among the vectors of the plan. */
  readonly vector: number;
}

/** Σ x[j] weights[j · C + c] over x[j] ≠ 0, feature-major; 0 · ∞ is 0. Multinomial, complement, Bernoulli, text. */
export interface LinearTerm extends OfVector {
  readonly op: 'linear';
  readonly weights: Float64Array;
}

/**
 * Bernoulli where some coin always shows heads or cells may be missing: Σ logOdds over x[j] ≠ 0, whose sum for a row of zeros is
 * in the start already. A missing toss adds ln(1 + e^logOdds) instead. Coins of logOdds = Infinity are left out of the sum; while
 * fewer than certain[c] of them are heads or missing, the class is impossible (−Infinity).
 */
export interface CoinTerm extends OfVector {
  readonly op: 'coins';
  readonly logOdds: Float64Array;
  readonly certain: Float64Array;
}

/** Σ faces[(offsets[j] + x[j]) · C + c]: each feature is a level; the last face of each feature is a level on no list. */
export interface TableTerm extends OfVector {
  readonly op: 'table';
  /** How many levels each feature has, the face of unknown levels not among them. */
  readonly levels: Int32Array;
  /** Where the faces of each feature begin: Σ (levels + 1) before it. */
  readonly offsets: Int32Array;
  readonly faces: Float64Array;
}

/**
 * Σ logPeak − ½ (x − mean)² / variance, Gaussian; where df is finite Student's logPeak − ½ (df + 1) ln(1 + (x − mean)² / variance / df).
 */
export interface BellTerm extends OfVector {
  readonly op: 'bells';
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly df: Float64Array;
  readonly logPeak: Float64Array;
}

/**
 * Poisson: Σ over x[j] ≠ 0 of x ln λ − ln x!, feature-major; what a row of zeros scores, −Σ λ, is in the start already, and a missing
 * cell takes its −λ back. With exposures B, negative binomial with A = cells: ln Γ(A + x)/Γ(A) − x ln(1 + B) − ln x!, where a row of
 * zeros has −A ln(1 + 1/B). Where A or B is 0 an event is impossible.
 */
export interface PoissonTerm extends OfVector {
  readonly op: 'poisson';
  readonly cells: Float64Array; // ln λ or A, at j · C + c
  readonly exposures: Float64Array | null; // B at j · C + c
}

/** Σ ln (1/total) Σₚ weights[p] N(x; points[p], bandwidth²). */
export interface KernelTerm extends OfVector {
  readonly op: 'kernels';
  readonly kernels: readonly (PlanKernel | null)[];
}

/** The kernels of one feature in one class. */
export interface PlanKernel {
  readonly points: Float64Array;
  readonly weights: Float64Array;
  readonly bandwidth: number;
  readonly total: number;
}

/**
 * Gaussians of rows in which cells are missing. The term is the only one of its sum, which is then start[c] + ln N(x; means[c],
 * covariances[c]) over the cells that are present, up to what all classes share. Cells are taken one after the other; one that those
 * before it determine (its variance given them is at most 2⁻⁴⁰ of its own) adds nothing. There is one covariance for all classes or one
 * for each.
 */
export interface Marginals {
  readonly means: Float64Array; // class-major
  readonly covariances: readonly (Float64Array | null)[];
  readonly start: Float64Array;
  /** What the start of the sum, for complete rows, has more than this one. */
  readonly logPeak: Float64Array;
}

/**
 * Linear discriminant: Σₖ m[c,k] (z[k] − ½ m[c,k]) with z = rows · (x − origin), `rank` rows, m = centres (c · rank + k). With
 * `marginals` cells may be missing.
 */
export interface PlaneTerm extends OfVector {
  readonly op: 'planes';
  readonly rank: number;
  readonly rows: Float64Array;
  readonly origin: Float64Array;
  readonly centres: Float64Array;
  readonly marginals: Marginals | null;
}

/**
 * −½ ‖z‖², with z = rows[c] · (x − means[c]) − centres[c], for each class its own form or one for all. A class without a form is
 * impossible. A square that overflows is −Infinity. With `marginals` cells may be missing.
 */
export interface QuadricTerm extends OfVector {
  readonly op: 'quadrics';
  readonly forms: readonly (Quadric | null)[];
  readonly marginals: Marginals | null;
}

/** z = rows · (x − mean) − centre; `rank` rows. */
export interface Quadric {
  readonly rank: number;
  readonly rows: Float64Array;
  readonly mean: Float64Array;
  readonly centre: Float64Array | null;
}

/** Σ x[j] weights[j] − constant, the same for all classes: scores of discriminants before calibration. */
export interface ShiftTerm extends OfVector {
  readonly op: 'shift';
  readonly weights: Float64Array;
  readonly constant: number;
}

/**
 * Pólya's urn, with n = Σ x: ln n! − Σ ln x[j]! − ln Γ(s + n)/Γ(s) + Σ ln Γ(α + x)/Γ(α) over x[j] ≠ 0; with edcm[c] = 1,
 * ln n! − Σ ln x[j] − ln Γ(s + n)/Γ(s) + Σ ln α. With `complement` it is subtracted.
 */
export interface UrnTerm extends OfVector {
  readonly op: 'urns';
  readonly alpha: Float64Array;
  readonly precision: Float64Array; // s, one for each class
  readonly edcm: Uint8Array;
  readonly complement: boolean;
}

/**
 * Tree of levels: Σ dice[j][(c (K + 1) + u)(Kⱼ + 1) + v] with v = x[j], u = x[parent], K levels of the parent; u = 0 and K = 0 for a
 * root (parent −1). Levels on no list share the last place. Missing cells are summed over along the tree.
 */
export interface TreeTerm extends OfVector {
  readonly op: 'tree';
  readonly levels: Int32Array;
  readonly parents: Int32Array;
  readonly order: Int32Array; // every parent before its children
  readonly dice: readonly Float64Array[];
}

/**
 * Averaged one-dependence: ln Σᵢ W[i] exp(joint[c,i] + Σ{j ≠ i} given[c,i,j]) over the features i whose level was seen at least
 * `minimumFrequency` times (and at all), with W = weights normalised over them, or all alike where they sum to 0. A feature that is
 * missing is a parent where some level of it qualifies, and its exponential is summed over all of its levels. Where no
 * feature qualifies, logPrior[c] + Σ alone. Levels are numbered over all features, L in all; −1 is a level on no list.
 */
export interface AodeTerm extends OfVector {
  readonly op: 'aode';
  readonly levels: Int32Array;
  readonly logPrior: Float64Array;
  readonly frequency: Float64Array;
  readonly weights: Float64Array;
  readonly minimumFrequency: number;
  readonly logJoint: Float64Array; // c · L + u
  readonly logGiven: Float64Array; // (c · L + u) · L + v
  readonly logUnseen: Float64Array; // (c · L + u) · J + j
  readonly logAlone: Float64Array; // c · L + v
  readonly logUnseenAlone: Float64Array; // c · J + j
}

/**
 * Levels in the context of others: Σ ln p(x[j] | c, parents of j) over the features that are present. For a feature, p is 1 / K at first.
 * Depth d knows the contexts of the first d parents that were counted. As long as that of the row is among them, p becomes the share of
 * the value in it, or, where the value was not counted there, m p / (N + m) for every class with a weight N in the context. The first
 * context that is not known ends the walk, so that a level on no list or a missing parent does.
 *
 * Missing features that present ones depend on, directly or through others that are missing, are summed over: all combinations of their
 * levels, of as many of these features, from the first, as have no more than `mostCombinations`.
 */
export interface ContextTerm extends OfVector {
  readonly op: 'contexts';
  readonly levels: Int32Array;
  /** The features that count, parents first. */
  readonly features: readonly ContextFeature[];
  readonly mostCombinations: number;
}

/** A feature, and its tables for none, one, … of its parents. */
export interface ContextFeature {
  readonly feature: number;
  readonly parents: Int32Array;
  readonly depths: readonly ContextDepth[];
}

/** What was counted in the contexts of the first d parents. */
export interface ContextDepth {
  /** m. */
  readonly concentration: number;
  /** Every context: the place of the context above it · levels of parent d + its level. Without parents there is one, 0. */
  readonly contexts: Float64Array;
  /** N of every context and class, at context · C + c; 0 where the class was not counted in it. */
  readonly weights: Float64Array;
  /** Every value that was counted: the place of its context · levels of the feature + its level. */
  readonly values: Float64Array;
  /** p of every value and class, at value · C + c. */
  readonly shares: Float64Array;
}
