/**
 * Are the kernels worth what they are? Words found in WebAssembly over those found by the plain twin, and words counted from a
 * file on one thread over `wc -w` on the same file. `npx tsx bench/kernels.ts`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { analyzerOptions } from '../src/node/fit-text-file.ts';
import { RangeCounter } from '../src/node/word-ranges.ts';
import { ByteKernel } from '../src/text/tokens.ts';
import { WasmKernel } from '../src/text/wasm-kernel.ts';
import { plainWords } from '../src/text/words.ts';
import '../src/estimators/with-kernels.ts';
import { asLines, corpusOf } from './corpus.ts';
import { cost, report } from './measure.ts';
import { costsOf } from './processes.ts';

const { name, train } = corpusOf();
const bytes = train.map(({ text }) => new TextEncoder().encode(text));

/** All documents through a kernel that learns their words. */
function scanAll(Kernel: typeof ByteKernel | typeof WasmKernel): void {
  const foreign = (piece: string) => plainWords(piece.toLowerCase());
  const kernel = new Kernel({ lowercase: true, wholeDocuments: false, foreign });
  const damaged = () => {
    throw new Error('not UTF-8');
  };
  for (const document of bytes) kernel.scan(document, document.length, true, damaged);
}

const folder = mkdtempSync(join(tmpdir(), 'polya-kernels-'));
try {
  const path = join(folder, 'train.jsonl');
  const lines = asLines(train);
  writeFileSync(path, lines);
  const vectorizer = new CountVectorizer();
  const plan = { text: 'text', label: 'label', presence: false, analyzer: analyzerOptions(vectorizer) };
  const count = () => new RangeCounter(plan).add({ path, from: 0, to: Buffer.byteLength(lines) });
  const { words } = await costsOf({ words: ['wc', '-w', path] }, { env: { LC_ALL: 'C' } });
  report(
    'Kernels',
    [
      {
        work: 'find words: WebAssembly over TypeScript',
        ours: cost(() => scanAll(WasmKernel)),
        peer: cost(() => scanAll(ByteKernel)),
        must: 1.2,
      },
      { work: 'count words of a file on one thread, over wc -w', ours: cost(count), peer: words },
    ],
    { corpus: name, megabytes: Number((Buffer.byteLength(lines) / 1e6).toFixed(1)) },
  );
} finally {
  rmSync(folder, { recursive: true });
}
