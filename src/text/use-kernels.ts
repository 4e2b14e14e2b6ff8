import { useScorer } from '../core/linear.ts';
import { scoreFast } from '../core/linear-fast.ts';
import { fastRows, fastScores } from './fast-rows.ts';
import { kernelChoice } from './kernel-choice.ts';
import { wasmKernelOf } from './wasm-kernel.ts';

/** Reads and scores many texts in WebAssembly from now on, where there is any: the same answers, up to three times as fast. */
export function useKernels(): void {
  kernelChoice.kernelOf = wasmKernelOf;
  kernelChoice.rowsOf = fastRows;
  kernelChoice.scoresOf = fastScores;
  useScorer(scoreFast);
}
