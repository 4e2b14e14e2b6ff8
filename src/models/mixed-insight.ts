import type { CellBlock, Insight } from '../core/insight.ts';
import type { Model } from '../core/model.ts';
import { priorDraws } from '../core/posterior-draws.ts';
import type { Rows } from '../data/batch.ts';
import type { Blocks } from '../stats/blocks.ts';
import type { MixedOptions, Mixture } from './mixed.ts';

// biome-ignore lint/suspicious/noExplicitAny: each family has its own statistic, parameters and options
type FamilyOf = (block: string) => Model<any, any, any>;

/** Where a feature stands: in which block, and at which place in it. */
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

/** In a table a truth is one of two levels, and every value but the count of a word can be missing. */
function cellsOf(family: string, own: CellBlock): Pick<CellBlock, 'kind' | 'gone'> {
  if (family === 'multinomial') return own;
  return { kind: family === 'bernoulli' ? 'levels' : own.kind, gone: 'missing' };
}

/** What columns of different kinds tell of themselves: each what its family tells. */
export function mixedInsight(familyOf: FamilyOf): Insight<Blocks, Mixture, MixedOptions> {
  const ask = (mixture: Mixture, j: number) => {
    const { block, place } = seatOf(mixture, j);
    return { family: familyOf(block.name), params: block.params, place };
  };
  return {
    cells: ({ blocks }) =>
      blocks.flatMap(({ name, places, params }) => {
        const family = familyOf(name);
        return (family.cells?.(params) ?? []).map((own) => ({ ...cellsOf(family.name, own), part: name, places }));
      }),

    /** Each family weighs the other classes by the prior of the whole. */
    telling({ classes, features, logPrior, blocks }, { parts }, options) {
      const out = new Float64Array(classes * features);
      for (const { name, params, places } of blocks) {
        const told = familyOf(name).telling?.({ ...params, logPrior }, parts[name], options.blocks[name].options);
        if (!told) continue;
        for (let c = 0; c < classes; c++) {
          for (const [k, at] of places.entries()) out[c * features + at] = told[c * places.length + k];
        }
      }
      return out;
    },

    tellingLevel(mixture, c, j) {
      const { family, params, place } = ask(mixture, j);
      const { logPrior } = mixture;
      return family.tellingLevel?.({ ...params, logPrior }, c, place) ?? Number.NaN;
    },

    points(mixture, j) {
      const { family, params, place } = ask(mixture, j);
      return family.points?.(params, place) ?? new Float64Array(0);
    },

    contribution(mixture, j, value, out) {
      const { family, params, place } = ask(mixture, j);
      family.contribution?.(params, place, value, out);
    },

    drawScores(stats, { classPrior, blocks }, rows) {
      const drawPrior = priorDraws(stats.n, classPrior);
      const parts = Object.entries(stats.parts).map(([name, part]) => {
        const options = { ...blocks[name].options, classPrior: 'uniform' };
        return familyOf(name).drawScores?.(part, options, rows.parts?.[name] as Rows);
      });
      const flat = Math.log(stats.classes);
      return (i) => {
        const draws = parts.map((part) => part?.(i));
        const own = new Float64Array(stats.classes);
        return (random, out) => {
          drawPrior(random, out);
          for (const draw of draws) {
            draw?.(random, own);
            for (let c = 0; c < own.length; c++) out[c] += own[c] + flat;
          }
        };
      };
    },
  };
}
