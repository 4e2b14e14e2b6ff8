import { PolyaError } from '../../errors.ts';
import { cores, type Piece, runPool, type WorkMaker } from '../../node/pool.ts';
import { blockWorker } from '../block-worker-file.ts';
import type { Context } from '../context.ts';
import type { RowSource } from '../data.ts';
import { type Hints, Problem } from '../problem.ts';
import { type LearnFound, type LearnSetup, type LearnTotal, LearnWork } from './learn-work.ts';
import { type PredictFound, type PredictSetup, PredictWork } from './predict-work.ts';
import { type ScoreFound, type ScoreSetup, ScoreWork } from './score-work.ts';

/** What each work is given and gives. */
interface Kinds {
  learn: { setup: LearnSetup; found: LearnFound; total: LearnTotal };
  predict: { setup: PredictSetup; found: PredictFound; total: undefined };
  score: { setup: ScoreSetup; found: ScoreFound; total: undefined };
}

/** What threads do with the pieces of data, by name. */
export const works: {
  readonly [N in keyof Kinds]: WorkMaker<Kinds[N]['setup'], Kinds[N]['found'], Kinds[N]['total']>;
} = {
  learn: (setup) => new LearnWork(setup),
  predict: (setup) => new PredictWork(setup),
  score: (setup) => new ScoreWork(setup),
};

/** Runs a work over pieces of data on every core, and reports errors with the file. */
export function run<Name extends keyof Kinds>(
  context: Context,
  source: RowSource,
  pieces: AsyncIterable<Piece>,
  name: Name,
  setup: Kinds[Name]['setup'],
  options: {
    readonly lanes?: number | undefined;
    readonly sent?: () => Kinds[Name]['setup'];
    /** Makes the work of this thread, if something of it is already here. */
    readonly make?: WorkMaker<Kinds[Name]['setup'], Kinds[Name]['found'], Kinds[Name]['total']>;
    /** The size of all pieces, where they are not the whole source. */
    readonly bytes?: number | undefined;
    readonly onFound?: (found: Kinds[Name]['found'], piece: Piece) => void | Promise<void>;
  },
): Promise<Kinds[Name]['total'][]> {
  const { threads } = context.options;
  return runPool<Kinds[Name]['setup'], Kinds[Name]['found'], Kinds[Name]['total']>(pieces, {
    make: works[name],
    ...options,
    worker: blockWorker,
    name,
    setup,
    threads: threads ?? cores(),
    bytes: threads === undefined ? (options.bytes ?? source.bytesTotal) : undefined,
    refuse: (error, piece) => source.refuse(problemFrom(error), piece.file),
  });
}

/** A problem that comes from another thread has its hints, but is a plain refusal. */
function problemFrom(error: unknown): unknown {
  if (!(error instanceof PolyaError) || error instanceof Problem || !('hints' in error)) return error;
  return new Problem(error.code, error.message, error.hints as Hints);
}
