import { type Insight, wordCells } from '../core/insight.ts';
import type { Form, Model, Terms } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { tellingBy } from '../core/telling.ts';
import { type Rows, type Shape, toSparse } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { drawCategory } from '../math/draws.ts';
import { lgamma } from '../math/gamma.ts';
import { logGammaRatio } from '../math/gamma-ratio.ts';
import type { Generator } from '../math/generator.ts';
import { type Bursts, bursts } from '../stats/bursts.ts';
import { documentOf, logDraws } from './urn-draws.ts';
import { bagsOf, type Counts, fitUrn, lengthsOf, type UrnFit, type UrnFitOptions } from './urn-fit.ts';

const FORMS: readonly UrnFit['form'][] = ['dcm', 'edcm', 'multinomial'];

/** The urns, how each was fitted, and the lengths of the documents of all classes one after another. */
const urnForm: Form<Urns, { readonly complement: boolean }> = {
  arrays: {
    logPrior: ['log', 'classes'],
    alpha: ['weight', 'classes', 'features'],
    precision: ['scale', 'classes'],
    form: ['place', 'classes'],
    fitted: ['weight', 'classes'],
    iterations: ['weight', 'classes'],
    converged: ['share', 'classes'],
    sizes: ['place', 'classes'],
    lengths: ['weight', 'any'],
    weights: ['weight', 'any'],
  },
  pack: ({ logPrior, alpha, precision, fits, lengths }) => ({
    logPrior,
    alpha,
    precision,
    form: Float64Array.from(fits, ({ form }) => FORMS.indexOf(form)),
    fitted: Float64Array.from(fits, (fit) => fit.precision),
    iterations: Float64Array.from(fits, (fit) => fit.iterations),
    converged: Float64Array.from(fits, (fit) => Number(fit.converged)),
    sizes: Float64Array.from(lengths, ({ values }) => values.length),
    lengths: Float64Array.from(lengths.flatMap(({ values }) => [...values])),
    weights: Float64Array.from(lengths.flatMap(({ weights }) => [...weights])),
  }),
  unpack(packed, { classes, features }, { complement }) {
    const { logPrior, alpha, precision, form, fitted, iterations, converged, sizes } = packed;
    let at = 0;
    const lengths = Array.from(sizes, (size) => {
      const [from, to] = [at, (at += size)];
      return { values: packed.lengths.slice(from, to), weights: packed.weights.slice(from, to) };
    });
    const whole = at === packed.lengths.length && at === packed.weights.length && !sizes.includes(-1);
    if (!whole || form.some((kind) => FORMS[kind] === undefined)) return undefined;
    const fits = Array.from(form, (kind, c) => {
      return { form: FORMS[kind], precision: fitted[c], iterations: iterations[c], converged: converged[c] === 1 };
    });
    const own = function (this: Urns) {
      return complement ? refuseOwn() : this;
    };
    return { classes, features, logPrior, alpha, precision, fits, complement, lengths, own };
  },
};

const refuseOwn = (): never =>
  refuse('E_CONFLICT', 'this model was saved slim, with the urns of complements alone: load the full file instead', {
    slim: true,
  });

/** The parameters of one urn per class. */
export interface Urns extends Shape {
  readonly logPrior: Float64Array;
  readonly alpha: Float64Array; // class-major, smoothed
  readonly precision: Float64Array; // s[c] = Σⱼ α[c,j]
  /** How each urn was fitted, before smoothing. */
  readonly fits: readonly Omit<UrnFit, 'alpha'>[];
  /** Whether each urn is fitted to all classes but its own. */
  readonly complement: boolean;
  /** The lengths of the documents of each class. */
  readonly lengths: readonly Counts[];
  /** The urns of the classes themselves; for a complement they are fitted on demand. */
  own(): Urns;
}

/** How urns are estimated. */
export interface UrnOptions extends UrnFitOptions, UrnSmoothing {
  readonly complement: boolean;
  readonly classPrior?: ClassPrior;
}

/**
 * Pólya's urn, the Dirichlet-compound multinomial: every drawn word is put back with another copy of it, so that words occur in bursts.
 *
 *   p(x | c) = n!/Πⱼ xⱼ! · Γ(s)/Γ(n + s) · Πⱼ Γ(xⱼ + αⱼ)/Γ(αⱼ),   s = Σⱼ αⱼ,  n = Σⱼ xⱼ           (1)
 *   q(x | c) = n!        · Γ(s)/Γ(n + s) · Π{j: xⱼ > 0} βⱼ/xⱼ                                     (2)
 *
 * (2), EDCM, is (1) for small α. The coefficient is part of the score: it cancels in posteriors, and without it ln p(x) would be that of
 * one order of the words. With `complement` a class is scored by how improbable the words are under all other classes: ln p(c) − ln p(x |
 * not c); the normalising sum is then not a probability of the row. Madsen, Kauchak & Elkan, Modeling Word Burstiness Using the Dirichlet
 * Distribution (2005); Elkan, Clustering Documents with an Exponential-Family Approximation of the DCM Distribution (2006).
 */
export const urn: Model<Bursts, Urns, UrnOptions> = {
  name: 'urn',
  statistic: bursts,
  form: urnForm,

  estimate(stats, options) {
    const { classes, features, n } = stats;
    const { complement, classPrior } = options;
    const bags = bagsOf(stats, complement);
    const alpha = new Float64Array(classes * features);
    const fits = bags.map((bag, c) => {
      const { alpha: byKind, ...fit } = fitUrn(bag, options);
      bag.words.forEach((j, k) => {
        alpha[c * features + j] = byKind[bag.kindOf[k]];
      });
      return fit;
    });
    const precision = smoothUrns(alpha, fits, features, options);
    const logPrior = logClassPrior(n, classPrior);
    const urns = { classes, features, logPrior, alpha, precision, fits, complement, lengths: lengthsOf(stats) };
    let own: Urns | undefined;
    return {
      ...urns,
      own() {
        own ??= complement ? urn.estimate(stats, { ...options, complement: false }) : this;
        return own;
      },
    };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1) or (2), or ln p(c) − ln p(xᵢ | not c). */
  score(urns, rows, out) {
    const { classes, features, logPrior, alpha, precision, complement, fits } = urns;
    const { indptr, indices, values } = toSparse(rows);
    for (let i = 0; i < rows.rows; i++) {
      const [from, to] = [indptr[i], indptr[i + 1]];
      const { n, logOrders, logEdcm } = documentOf(values, from, to);
      for (let c = 0; c < classes; c++) {
        const edcm = fits[c].form === 'edcm';
        let sum = (edcm ? logEdcm : logOrders) - logGammaRatio(precision[c], n);
        for (let k = from; k < to; k++) sum += logDraws(alpha[c * features + indices[k]], values[k], edcm);
        out[i * classes + c] = complement ? logPrior[c] - sum : logPrior[c] + sum;
      }
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  terms(urns, rows, i) {
    return termsOf(urns, rows, i);
  },

  sample(urns, c, random, row) {
    drawDocument(urns.own(), c, random, row);
  },
};

/** Insights into urns. */
export const urnInsight: Insight<Bursts, Urns, UrnOptions> = {
  cells: () => wordCells,

  /** By the mean distributions of the urns, α / s. */
  telling(urns) {
    const { classes, features, logPrior, alpha, precision } = urns.own();
    const share = (c: number, j: number) => alpha[c * features + j] / precision[c];
    return tellingBy({ classes, features }, logPrior, share);
  },
};

function termsOf(urns: Urns, rows: Rows, i: number): Terms {
  const { classes, features, alpha, precision, fits, complement } = urns;
  const { indptr, indices, values } = toSparse(rows);
  const [from, to] = [indptr[i], indptr[i + 1]];
  const sign = complement ? -1 : 1;
  const terms = new Float64Array((to - from) * classes);
  const rest = new Float64Array(classes);
  const { n } = documentOf(values, from, to);
  for (let c = 0; c < classes; c++) {
    const edcm = fits[c].form === 'edcm';
    rest[c] = sign * (lgamma(n + 1) - logGammaRatio(precision[c], n));
    for (let k = from; k < to; k++) {
      const repeats = edcm ? Math.log(values[k]) : lgamma(values[k] + 1);
      terms[(k - from) * classes + c] = sign * (logDraws(alpha[c * features + indices[k]], values[k], edcm) - repeats);
    }
  }
  return { features: indices.slice(from, to), terms, rest };
}

/** The longest document that is drawn word by word. */
const LONGEST = 1e6;

/** Draws a length from those of the class, then words: a new one with odds s : k, else a copy of one of the k drawn so far. */
function drawDocument(
  { alpha, features, precision, lengths }: Urns,
  c: number,
  random: Generator,
  row: Float64Array,
): void {
  row.fill(0);
  const { values, weights } = lengths[c];
  if (values.length === 0) return;
  const length = Math.round(values[drawCategory(random, weights)]);
  if (length > LONGEST) refuse('E_LIMIT', `a document of ${length} words is too long to be drawn`, { limit: LONGEST });
  const urnOfClass = alpha.subarray(c * features, (c + 1) * features);
  const drawn = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    const fresh = random.uniform() * (precision[c] + k) < precision[c];
    drawn[k] = fresh ? drawCategory(random, urnOfClass) : drawn[Math.floor(random.uniform() * k)];
    row[drawn[k]]++;
  }
}

/** The smoothing of an urn for words that its documents do not contain. */
interface UrnSmoothing {
  /** How: see `smoothUrns`. */
  readonly smoothing: 'background' | 'floor' | 'add';
  /** The amount of smoothing. */
  readonly epsilon: number;
  /** The precision of an urn about which nothing is known. */
  readonly cap: number;
}

/** The share of the background that is uniform, for words that no class has. */
const EVEN = 1e-3;

/**
 * Smooths every urn in place and returns the new s[c] = Σⱼ α[c,j]:
 *
 *   background   α ← (1 − ε) α + ε s b,  b the mean of α/s over the classes, a thousandth of it spread evenly
 *   floor        α ← ε · (the smallest α > 0 of the class)  where α = 0
 *   add          α ← α + ε
 *
 * An urn without any word uses the background as a multinomial, since it shows no burstiness.
 */
function smoothUrns(
  alpha: Float64Array,
  fits: readonly Omit<UrnFit, 'alpha'>[],
  features: number,
  { smoothing, epsilon, cap }: UrnSmoothing,
): Float64Array {
  const urns = fits.map((_, c) => alpha.subarray(c * features, (c + 1) * features));
  const background = backgroundOf(urns, fits, features);
  urns.forEach((urn, c) => {
    const s = fits[c].precision;
    if (s === 0) urn.set(background.map((share) => cap * share));
    else if (smoothing === 'background') {
      for (let j = 0; j < features; j++) urn[j] = (1 - epsilon) * urn[j] + epsilon * s * background[j];
    } else if (smoothing === 'floor') {
      const least = urn.reduce((low, a) => (a > 0 && a < low ? a : low), Infinity);
      for (let j = 0; j < features; j++) if (urn[j] === 0) urn[j] = epsilon * least;
    } else for (let j = 0; j < features; j++) urn[j] += epsilon;
  });
  return Float64Array.from(urns, (urn) => urn.reduce((sum, a) => sum + a, 0));
}

/** The mean of α/s over the urns that have words, with a little of everything. */
function backgroundOf(
  urns: readonly Float64Array[],
  fits: readonly Omit<UrnFit, 'alpha'>[],
  features: number,
): Float64Array {
  const known = urns.filter((_, c) => fits[c].precision > 0).length;
  const background = new Float64Array(features).fill((known > 0 ? EVEN : 1) / features);
  urns.forEach((urn, c) => {
    const { precision } = fits[c];
    if (precision === 0) return;
    for (let j = 0; j < features; j++) background[j] += ((1 - EVEN) * urn[j]) / precision / known;
  });
  return background;
}
