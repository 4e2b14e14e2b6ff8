import type { Model } from '../core/model.ts';
import { type Rows, type Shape, type SparseRows, toSparse } from '../data/batch.ts';
import { lowerGamma, upperGamma } from '../math/incomplete-gamma.ts';
import { type Sums, sums } from '../stats/sums.ts';

/** The options of the estimate. */
export interface RobinsonFisherOptions {
  /** s: how many messages the assumption about an unknown token is worth. */
  readonly strength: number;
  /** x: the assumed probability that a message with an unknown token is spam. */
  readonly assumed: number;
  /** Tokens closer to ½ than this are ignored. */
  readonly minDeviation: number;
  /** At most this many tokens of a message are used, the most informative ones. */
  readonly tokens: number;
}

/** The score of each token. The last class is the one to filter, usually called spam, the other ham. */
export interface Tokens extends Shape {
  readonly spam: Float64Array; // f[j]
  readonly ham: Float64Array; // 1 − f[j]
  readonly rates: Float64Array; // the share of rows of class c that have token j, class-major
  readonly minDeviation: number;
  readonly most: number;
}

/** The combined score of the tokens of one message. */
export interface TokenEvidence {
  /** I = (1 + S − H)/2: 1 for spam, 0 for ham. */
  readonly indicator: number;
  /** 1 − I, without cancellation. */
  readonly complement: number;
  /** The evidence for spam and for ham, each from 0 to 1. Both may be high. */
  readonly spam: number;
  readonly ham: number;
  /** The tokens used, as positions in the row. */
  readonly heard: readonly number[];
}

/** f of a token, and 1 − f by its own sum, since one of the two is tiny for the tokens that matter. */
function scoreToken({ strength, assumed }: RobinsonFisherOptions, spam: number, ham: number, rows: number) {
  const share = spam + ham === 0 ? 0 : spam / (spam + ham);
  const other = spam + ham === 0 ? 0 : ham / (spam + ham);
  return [
    (strength * assumed + rows * share) / (strength + rows),
    (strength * (1 - assumed) + rows * other) / (strength + rows),
  ];
}

/**
 * Robinson's token probabilities, combined by Fisher's method, as bogofilter and SpamAssassin do. For a token in b of B spam messages and g
 * of G ham messages
 *
 *   p = (b/B) / (b/B + g/G),   n = b + g,   f = (s x + n p)/(s + n)                               (1)
 *
 * Were the m tokens of a message independent and their f uniform, −2 Σ ln f would be χ² distributed with 2m degrees of freedom. The degree
 * to which that fails is the evidence:
 *
 *   S = P(χ²₂ₘ < −2 Σ ln(1 − f)),   H = P(χ²₂ₘ < −2 Σ ln f),   I = (1 + S − H)/2                  (2)
 *
 * I stands for p(spam | x); it is ½ for a message without informative tokens, whatever the class shares. Robinson, A Statistical Approach
 * to the Spam Problem (Linux Journal, 2003).
 */
export const robinsonFisher: Model<Sums, Tokens, RobinsonFisherOptions> = {
  name: 'robinson-fisher',
  statistic: sums,
  form: {
    arrays: {
      spam: ['share', 'features'],
      ham: ['share', 'features'],
      rates: ['share', 'classes', 'features'],
      minDeviation: ['share'],
      most: ['scale'],
    },
  },

  estimate({ classes, features, n, s }, options) {
    const spam = new Float64Array(features);
    const ham = new Float64Array(features);
    const rates = s.map((rows, cell) => (rows === 0 ? 0 : Math.min(1, rows / n[Math.floor(cell / features)])));
    const [spamClass, hamClass] = [(classes - 1) * features, 0];
    for (let j = 0; j < features; j++) {
      const alone = classes === 1;
      const rows = s[spamClass + j] + (alone ? 0 : s[hamClass + j]);
      [spam[j], ham[j]] = scoreToken(options, rates[spamClass + j], alone ? 0 : rates[hamClass + j], rows);
    }
    return { classes, features, spam, ham, rates, minDeviation: options.minDeviation, most: options.tokens };
  },

  /** out[i,c] = ln p(c | xᵢ), by (2). */
  score(tokens, rows, out) {
    const cells = toSparse(rows);
    for (let i = 0; i < rows.rows; i++) {
      const { indicator, complement } = combineTokens(tokens, cells, i);
      if (tokens.classes === 1) out[i] = 0;
      else out.set([Math.log(complement), Math.log(indicator)], i * 2);
    }
  },

  logPrior: ({ classes }) => new Float64Array(classes).fill(-Math.log(classes)),

  /** Fisher's combination is not a sum over tokens, so none of them has a term; see `combineTokens`. */
  terms(tokens, rows, i) {
    const score = new Float64Array(tokens.classes);
    robinsonFisher.score(tokens, oneRow(rows, i), score);
    const prior = robinsonFisher.logPrior(tokens);
    return {
      features: new Uint32Array(0),
      terms: new Float64Array(0),
      rest: score.map((value, c) => value - prior[c]),
    };
  },

  /** Each token is present as often as it was in the messages of the class. */
  sample({ features, rates }, c, random, row) {
    for (let j = 0; j < features; j++) row[j] = random.uniform() < rates[c * features + j] ? 1 : 0;
  },
};

function oneRow(rows: Rows, i: number): SparseRows {
  const { features, indptr, indices, values } = toSparse(rows);
  return { rows: 1, features, indptr: indptr.slice(i, i + 2), indices, values };
}

/** Combines the tokens of a row by (2). */
export function combineTokens({ spam, ham, minDeviation, most }: Tokens, rows: SparseRows, i: number): TokenEvidence {
  const deviation = (k: number) => Math.abs(spam[rows.indices[k]] - ham[rows.indices[k]]) / 2;
  let heard: number[] = [];
  for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++) if (deviation(k) >= minDeviation) heard.push(k);
  if (heard.length > most) {
    heard = heard.sort((a, b) => deviation(b) - deviation(a) || a - b).slice(0, most);
    heard.sort((a, b) => a - b);
  }
  let [againstHam, againstSpam] = [0, 0];
  for (const k of heard) {
    againstSpam -= Math.log(spam[rows.indices[k]]);
    againstHam -= Math.log(ham[rows.indices[k]]);
  }
  if (heard.length === 0) return { indicator: 0.5, complement: 0.5, spam: 0, ham: 0, heard };
  // χ² with 2m degrees of freedom below 2t is the incomplete gamma function P(m, t)
  const [s, h] = [lowerGamma(heard.length, againstHam), lowerGamma(heard.length, againstSpam)];
  return {
    indicator: (s + upperGamma(heard.length, againstSpam)) / 2,
    complement: (h + upperGamma(heard.length, againstHam)) / 2,
    spam: s,
    ham: h,
    heard,
  };
}
