import { denseBytes } from './dense-bytes.ts';
import { type Kernels, plainKernels } from './kernel-bodies.ts';
import { kernelMaker } from './kernel-maker.ts';

/** Kernels with their work arrays. */
export interface Workspace {
  readonly kernels: Kernels;
  /** Arrays of the requested lengths; their content is undefined. */
  readonly arrays: readonly Float64Array[];
}

interface Exports extends Record<keyof Kernels, (...places: number[]) => void> {
  readonly memory: WebAssembly.Memory;
}

/** An instance of the kernels in WebAssembly with its own memory. */
interface Instance {
  readonly kernels: Kernels;
  readonly memory: WebAssembly.Memory;
}

const newExports = kernelMaker<Exports>(denseBytes);
let shared: Instance | null | undefined;

/** Kernels take arrays; WebAssembly takes addresses in its memory. */
function instantiate(): Instance | null {
  const exports = newExports();
  if (!exports) return null;
  const call =
    (name: keyof Kernels) =>
    (...values: readonly (number | Float64Array | Uint32Array)[]): void =>
      exports[name](...values.map((value) => (typeof value === 'number' ? value : value.byteOffset)));
  const kernels: Kernels = {
    moments: call('moments'),
    scatter: call('scatter'),
    affine: call('affine'),
    normal: call('normal'),
    linear: call('linear'),
  };
  return { kernels, memory: exports.memory };
}

/** The memory of an instance begins with its own data. */
const START = 1024;

function lay({ kernels, memory }: Instance, lengths: readonly number[]): Workspace | undefined {
  const wanted = START + 8 * lengths.reduce((sum, length) => sum + length, 0);
  if (wanted > memory.buffer.byteLength) {
    try {
      memory.grow(Math.ceil((wanted - memory.buffer.byteLength) / 65_536));
    } catch {
      return undefined;
    }
  }
  let at = START;
  const arrays = lengths.map((length) => {
    const view = new Float64Array(memory.buffer, at, length);
    at += 8 * length;
    return view;
  });
  return { kernels, arrays };
}

/**
 * Kernels with arrays of these lengths: in WebAssembly if it is available and has enough memory, otherwise in
 * TypeScript. The arrays are valid until the next call.
 */
export function workspace(...lengths: readonly number[]): Workspace {
  if (shared === undefined) shared = instantiate();
  const laid = shared && lay(shared, lengths);
  return laid || { kernels: plainKernels, arrays: lengths.map((length) => new Float64Array(length)) };
}

/** The same with arrays that are valid as long as the workspace; undefined without WebAssembly. */
export function lastingWorkspace(...lengths: readonly number[]): Workspace | undefined {
  const own = instantiate();
  return own ? lay(own, lengths) : undefined;
}

/** The memory of an array of numbers as 32-bit codes: twice as many. */
export function codesIn({ buffer, byteOffset, length }: Float64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

/** The number of cells passed to a kernel at once, chosen to stay in the processor's cache. */
const CELLS_AT_ONCE = 8192;

/** The number of rows with this many cells passed to a kernel at once: a multiple of eight. */
export const rowsAtOnce = (cells: number): number => Math.max(8, Math.floor(CELLS_AT_ONCE / Math.max(1, cells)) & ~7);

/** A kernel that maps each dense row to some columns, with its parameters by column. */
export interface RowMap {
  readonly kernel: 'affine' | 'normal';
  readonly features: number;
  readonly columns: number;
  /** `origin`, `a` and `start` of `affine`; `mean`, `scale` and `start` of `normal`. */
  readonly parameters: readonly [Float64Array, Float64Array, Float64Array];
}

/** Maps rows block by block; `visit` gets the index of the first row of a block, its rows, and out[i * columns + c]. */
export function mapRows(
  { kernel, features, columns, parameters }: RowMap,
  rows: number,
  x: Float64Array,
  visit: (from: number, rows: number, out: Float64Array) => void,
): void {
  const block = Math.min(rowsAtOnce(Math.max(features, columns)), (rows + 7) & ~7);
  const lengths = parameters.map(({ length }) => length);
  const { kernels, arrays } = workspace(...lengths, block * features, 8 * features, block * columns);
  const [first, second, start, cells, d, out] = arrays;
  for (const [k, array] of parameters.entries()) arrays[k].set(array);
  for (let from = 0; from < rows; from += block) {
    const some = Math.min(block, rows - from);
    cells.set(x.subarray(from * features, (from + some) * features));
    kernels[kernel](some, features, columns, cells, first, second, start, d, out);
    visit(from, some, out);
  }
}
