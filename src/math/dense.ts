import { denseBytes } from './dense-bytes.ts';
import { kernelMaker } from './kernels.ts';

/** What kernels/dense.ts exports. Numbers are places in its memory unless their name says otherwise. */
export interface DenseExports {
  readonly memory: WebAssembly.Memory;
  moments(
    rows: number,
    features: number,
    x: number,
    classes: number,
    w: number,
    n: number,
    m: number,
    shift: number,
    s1: number,
    s2: number,
  ): void;
  scatter(
    rows: number,
    features: number,
    x: number,
    cells: number,
    triangles: number,
    w: number,
    shift: number,
    s1: number,
    s2: number,
    d: number,
  ): void;
  bells(
    rows: number,
    features: number,
    classes: number,
    x: number,
    mean: number,
    scale: number,
    start: number,
    out: number,
  ): void;
  images(
    rows: number,
    features: number,
    directions: number,
    triangular: boolean,
    x: number,
    origin: number,
    a: number,
    d: number,
    z: number,
  ): void;
  squares(rows: number, directions: number, rank: number, z: number, out: number): void;
  planes(
    rows: number,
    features: number,
    classes: number,
    x: number,
    origin: number,
    weights: number,
    start: number,
    reach: number,
    unit: number,
    least: number,
    d: number,
    out: number,
    margins: number,
  ): void;
  /** Whether every number is finite and of no larger magnitude than `limit`. */
  within(count: number, x: number, limit: number): number;
  decide(rows: number, width: number, classes: number, scores: number, margins: number, out: number): void;
  linear(
    rows: number,
    classes: number,
    ends: number,
    indices: number,
    values: number,
    weights: number,
    start: number,
    out: number,
  ): void;
}

/** So many cells of rows are handed to a kernel at once: they stay near the processor. */
export const CELLS_AT_ONCE = 8192;

const newKernels = kernelMaker<DenseExports>(denseBytes);
let exports: DenseExports | null | undefined;

/** Kernels with a memory of their own, or null where WebAssembly or its vectors are missing or forbidden. */
export const newDenseKernels = (): DenseExports | null => newKernels() ?? null;

/** The kernels for dense rows that all share, or null as above; compiled when first asked for. */
export function denseKernels(): DenseExports | null {
  if (exports === undefined) exports = newDenseKernels();
  return exports;
}

/** What the memory of the kernels begins with is theirs. */
const START = 1024;

/**
 * Regions of the memory for arrays of these lengths, as views; what lay there before is overwritten. Undefined where there is no
 * such memory. Nothing is kept between two calls of `lay`.
 */
export function lay(kernels: DenseExports, ...lengths: readonly number[]): readonly Float64Array[] | undefined {
  const { memory } = kernels;
  const wanted = START + 8 * lengths.reduce((sum, length) => sum + length, 0);
  if (wanted > memory.buffer.byteLength) {
    try {
      memory.grow(Math.ceil((wanted - memory.buffer.byteLength) / 65_536));
    } catch {
      return undefined;
    }
  }
  let at = START;
  return lengths.map((length) => {
    const view = new Float64Array(memory.buffer, at, length);
    at += 8 * length;
    return view;
  });
}
