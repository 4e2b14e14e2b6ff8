import type { Shape } from '../../data/batch.ts';
import { type Dictionary, levelsIn } from '../../data/levels.ts';
import type { AddScore, PlanInput } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { jointOf } from './families.ts';
import { cannotCarry, type Inside } from './inside.ts';
import { levelsOf, numberInput, type Source } from './sources.ts';

/** A column of a MixedNB. */
export interface MixedColumn {
  readonly name: string | null;
  readonly family: string;
  readonly width?: number;
  readonly levels?: readonly Dictionary[];
}

interface Block {
  readonly name: string;
  readonly params: Shape;
  readonly flat: Float64Array;
}

/** The vector of the columns of one block, with `width` features. */
export type BlockCells = (
  columns: readonly { readonly column: MixedColumn; readonly k: number }[],
  width: number,
) => number;

/** ln p(c) + Σ ln p(x_b | c) over the blocks of a MixedNB: single columns of one family together, wide ones each alone. */
export function mixedJoint(estimator: Inside, cellsOf: BlockCells): AddScore {
  const { logPrior, blocks } = estimator.parameters() as unknown as {
    logPrior: Float64Array;
    blocks: readonly Block[];
  };
  const columns = estimator.learned.schema as unknown as readonly MixedColumn[];
  const parts = blocks.map(({ name, params, flat }) => {
    const cells = columnsOf(columns, name).map((k) => ({ column: columns[k], k }));
    const [{ column }] = cells;
    const vector = cellsOf(cells, params.features);
    return { of: jointOf(column.family, params, vector, column.family !== 'multinomial'), less: flat };
  });
  return { op: 'add', start: logPrior, parts };
}

/** The cells of blocks in rows as a MixedNB takes them. */
export function mixedCells(builder: PlanBuilder, estimator: Inside, source: Source): BlockCells {
  if ('vector' in source) return (columns, width) => pickedCells(builder, source.vector, columns, width);
  const unknown = String(estimator.params.unknown);
  return (columns) => {
    if (columns.some(({ column }) => column.name !== null)) builder.named = true;
    return builder.read(columns.flatMap(({ column, k }) => inputsOf(builder, column, k, unknown)));
  };
}

/** The cells of a block of numbers among those of the step before. */
function pickedCells(builder: PlanBuilder, from: number, ...[columns, width]: Parameters<BlockCells>): number {
  if (columns.some(({ column }) => column.levels || column.width !== undefined)) {
    cannotCarry('a MixedNB behind other steps', 'only its columns of numbers need no rows');
  }
  if (width === builder.width(from)) return from;
  return builder.vector({ op: 'pick', from, columns: Uint32Array.from(columns, ({ k }) => k) });
}

/** The columns of a block: its name is the family, followed by the number of the column if that is wide. */
function columnsOf(columns: readonly MixedColumn[], block: string): number[] {
  const family = block.replace(/[0-9]+$/, '');
  if (block !== family) return [Number(block.slice(family.length))];
  return [...columns.keys()].filter((k) => columns[k].family === family && columns[k].width === undefined);
}

function inputsOf(
  builder: PlanBuilder,
  { name, family, width, levels = [] }: MixedColumn,
  k: number,
  unknown: string,
): PlanInput[] {
  const at = { name: name ?? `x${k}`, column: k };
  if (family === 'categorical') {
    return levels.map((dictionary, element) => ({
      kind: 'level',
      ...at,
      ...levelsOf(dictionary, levelsIn(dictionary), unknown, 'missing'),
      ...(width !== undefined && { element }),
    }));
  }
  const [least, most] = builder.cellRange(family);
  const number = numberInput(at, {
    width: width ?? 1,
    list: width !== undefined,
    least,
    most,
    bits: family === 'bernoulli',
    missing: family === 'multinomial' ? 0 : 'missing',
  });
  return [number];
}
