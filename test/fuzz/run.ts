/**
 * Feeds mutants of model files of every kind to the reader for ten minutes by default, and prints the outcomes: `npm
 * run fuzz:models -- 2 17` for two minutes from seed 17. A file that escapes is written to `escaped.polya` in the
 * temporary folder.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as polya from '../../src/index.ts';
import { Random } from '../../src/math/random.ts';
import { sampleModels } from '../fixtures/models/models.ts';
import { Escape, feed, mutantOf, newOutcomes } from './feed.ts';

const [minutes = 10, seed = 1] = process.argv.slice(2).map(Number);
const files = sampleModels(polya).flatMap((sample) =>
  [{}, { slim: true }, { slim: true, float32: true }].map((options) => ({
    sample,
    bytes: sample.model.toBytes(options),
  })),
);
const random = new Random(seed);
const outcomes = newOutcomes();
const end = performance.now() + minutes * 60_000;
try {
  while (performance.now() < end) {
    const { sample, bytes } = files[random.integer(files.length)];
    let mutant = mutantOf(random, bytes);
    for (let k = 0; k < 20 && performance.now() < end; k++) {
      feed(mutant, sample, outcomes);
      mutant = mutantOf(random, bytes);
    }
  }
} catch (error) {
  if (error instanceof Escape) writeFileSync(join(tmpdir(), 'escaped.polya'), error.bytes);
  throw error;
}
console.log({ seed, minutes, ...outcomes, memory: `${Math.round(process.resourceUsage().maxRSS / 1024)} MB` });
