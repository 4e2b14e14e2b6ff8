import { Random } from '../../src/index.ts';

/** Draws from an urn, with plain replacement and with added balls of the drawn colour. */
export interface UrnsDrawn {
  readonly colours: number;
  /** The colour of each draw: with replacement, and from a Pólya urn. */
  readonly multinomial: readonly number[];
  readonly polya: readonly number[];
  /** Over many repetitions: the share in which the first colour was drawn k times. */
  readonly counts: readonly { readonly k: number; readonly multinomial: number; readonly polya: number }[];
  readonly repetitions: number;
}

const REPETITIONS = 4_000;

/** Draws balls: `balls` of every colour at first, and `added` more of the drawn colour after each draw. */
export function drawUrns(colours: number, balls: number, added: number, draws: number, seed: number): UrnsDrawn {
  const random = new Random(seed);
  const shown = (more: number) => drawOnce(random, colours, balls, more, draws);
  const [multinomial, polya] = [shown(0), shown(added)];
  const tally = (more: number) => {
    const counts = new Float64Array(draws + 1);
    for (let r = 0; r < REPETITIONS; r++) {
      counts[drawOnce(random, colours, balls, more, draws).filter((colour) => colour === 0).length]++;
    }
    return counts;
  };
  const [plain, bursty] = [tally(0), tally(added)];
  const counts = Array.from(plain, (rows, k) => ({
    k,
    multinomial: rows / REPETITIONS,
    polya: bursty[k] / REPETITIONS,
  }));
  return { colours, multinomial, polya, counts, repetitions: REPETITIONS };
}

function drawOnce(random: Random, colours: number, balls: number, added: number, draws: number): number[] {
  const urn = new Float64Array(colours).fill(balls);
  return Array.from({ length: draws }, () => {
    let left = random.uniform() * urn.reduce((sum, own) => sum + own, 0);
    let colour = 0;
    while (colour < colours - 1 && left >= urn[colour]) left -= urn[colour++];
    urn[colour] += added;
    return colour;
  });
}
