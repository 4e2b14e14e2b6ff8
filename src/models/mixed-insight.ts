import { type CellBlock, type Insight, realCells } from '../core/insight.ts';
import { logPriorWithout } from '../core/leave-one-out.ts';
import { priorDraws } from '../core/posterior-draws.ts';
import { logClassPrior } from '../core/prior.ts';
import { emptyTelling } from '../core/telling.ts';
import { type Batch, partOfBatch, type Rows } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import type { Blocks } from '../stats/blocks.ts';
import { bernoulliInsight } from './bernoulli-insight.ts';
import { categoricalInsight } from './categorical-insight.ts';
import { columnInsight } from './column-insight.ts';
import type { ColumnModel } from './column-model.ts';
import { gaussianInsight } from './gaussian-insight.ts';
import { leaveOneOutBySubtraction } from './held-out.ts';
import { kernelInsight } from './kernel.ts';
import { addTerms, familyOf, type MixedOptions, type Mixture } from './mixed.ts';
import { multinomialInsight } from './multinomial-insight.ts';
import { poissonInsight } from './poisson-insight.ts';

// biome-ignore lint/suspicious/noExplicitAny: each family has its own statistic, parameters and options
type AnyInsight = Insight<any, any, any>;

const insights: Readonly<Record<string, AnyInsight>> = {
  bernoulli: bernoulliInsight,
  categorical: categoricalInsight,
  gaussian: gaussianInsight,
  kernel: kernelInsight,
  multinomial: multinomialInsight,
  poisson: poissonInsight,
};

/** The insights of the family of a block. */
function insightOf(block: string): AnyInsight {
  const model = familyOf(block);
  if (Object.hasOwn(insights, model.name)) return insights[model.name];
  return 'distribution' in model ? columnInsight(model as ColumnModel) : { cells: () => realCells };
}

/** The position of a feature: its block, and its index in it. */
interface Seat {
  readonly block: Mixture['blocks'][number];
  readonly place: number;
}

const seats = new WeakMap<Mixture, Seat[]>();

/** Finds a feature in its block. */
function seatOf(mixture: Mixture, j: number): Seat {
  let known = seats.get(mixture);
  if (!known) {
    known = [];
    for (const block of mixture.blocks) for (const [place, at] of block.places.entries()) known[at] = { block, place };
    seats.set(mixture, known);
  }
  return known[j];
}

/** In a table a boolean is one of two levels, and every value but the count of a word can be missing. */
function cellsOf(family: string, own: CellBlock): Pick<CellBlock, 'kind' | 'gone'> {
  if (family === 'multinomial') return own;
  return { kind: family === 'bernoulli' ? 'levels' : own.kind, gone: 'missing' };
}

/** The insights of the block of feature j. */
const ask = (mixture: Mixture, j: number) => {
  const { block, place } = seatOf(mixture, j);
  return { insight: insightOf(block.name), params: block.params, place };
};

/** Insights into mixed columns: those of each family. */
export const mixedInsight: Insight<Blocks, Mixture, MixedOptions> = {
  cells: ({ blocks }) =>
    blocks.flatMap(({ name, places, params }) => {
      const own = insightOf(name).cells?.(params) ?? [];
      return own.map((block) => ({ ...cellsOf(familyOf(name).name, block), part: name, places }));
    }),

  /** Each family weighs the other classes by the prior of the whole. */
  telling({ classes, features, logPrior, blocks }, { parts }, options) {
    const telling = emptyTelling({ classes, features });
    for (const { name, params, places } of blocks) {
      const insight = insightOf(name).telling?.({ ...params, logPrior }, parts[name], options.blocks[name].options);
      if (!insight) continue;
      for (let c = 0; c < classes; c++) {
        for (const [k, at] of places.entries()) {
          telling.nats[c * features + at] = insight.nats[c * places.length + k];
          telling.logOdds[c * features + at] = insight.logOdds[c * places.length + k];
        }
      }
    }
    return telling;
  },

  tellingLevel(mixture, c, j) {
    const { insight, params, place } = ask(mixture, j);
    const { logPrior } = mixture;
    return insight.tellingLevel?.({ ...params, logPrior }, c, place) ?? Number.NaN;
  },

  typicalValue(mixture, c, j) {
    const { insight, params, place } = ask(mixture, j);
    return insight.typicalValue?.(params, c, place) ?? Number.NaN;
  },

  points(mixture, j) {
    const { insight, params, place } = ask(mixture, j);
    return insight.points?.(params, place) ?? new Float64Array(0);
  },

  contribution(mixture, j, value, out) {
    const { insight, params, place } = ask(mixture, j);
    insight.contribution?.(params, place, value, out);
  },

  drawScores(stats, { classPrior, blocks }, rows) {
    const drawPrior = priorDraws(stats.n, classPrior);
    const parts = Object.entries(stats.parts).map(([name, part]) => {
      const { name: family } = familyOf(name);
      const { drawScores } = insightOf(name);
      if (!drawScores) {
        const sentence = `columns of the family ${family}: the distribution of their parameters is not known`;
        refuse('E_CONFLICT', sentence, { family });
      }
      const options = { ...blocks[name].options, classPrior: 'uniform' };
      return drawScores(part, options, rows.parts?.[name] as Rows);
    });
    const flat = Math.log(stats.classes);
    return (i) => {
      const draws = parts.map((part) => part(i));
      const own = new Float64Array(stats.classes);
      return (random, out) => {
        drawPrior(random, out);
        for (const draw of draws) {
          draw(random, own);
          for (let c = 0; c < own.length; c++) out[c] += own[c] + flat;
        }
      };
    };
  },

  /** Exact, since leave-one-out is exact in every family and the prior counts once. */
  leaveOneOut(stats, options, batch, out) {
    const { classes, y, w } = batch;
    for (let i = 0; i < batch.rows; i++) out.set(logPriorWithout(stats.n, y[i], w[i], options.classPrior), i * classes);
    for (const [name, part] of Object.entries(stats.parts)) {
      const own = new Float64Array(out.length);
      const flat = { ...options.blocks[name].options, classPrior: 'uniform' };
      const heldOut = insightOf(name).leaveOneOut ?? leaveOneOutBySubtraction;
      heldOut(part, flat, partOfBatch(batch, name) as Batch, own, familyOf(name));
      addTerms(out, own, logClassPrior(stats.n, 'uniform'));
    }
  },
};
