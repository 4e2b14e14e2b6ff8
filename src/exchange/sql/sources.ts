import type { CellGroup, Plan, PlanTerm, PlanVector } from '../plan.ts';
import type { Columns } from './columns.ts';
import { inputCells } from './inputs.ts';
import { type Cell, greatestOf, type Sheet, sumOf } from './sheet.ts';
import { termCells } from './terms.ts';
import type { TextChain, TextParts, TextStep } from './text.ts';
import { changedCells } from './vectors.ts';
import { cannotSay } from './words.ts';

/** A vector inside the engine: columns side by side, the terms of a text as rows, or several of these one after the other. */
type SqlVector = { readonly cells: readonly Cell[] } | TextChain | { readonly joined: readonly SqlVector[] };

const TEXT_STEPS = new Set(['weigh', 'root-share', 'pick', 'above']);

/** The vectors of a plan, made when a term asks for them. */
export class SqlVectors {
  private readonly sheet: Sheet;
  private readonly plan: Plan;
  private readonly columns: Columns;
  private readonly parts: TextParts;
  private readonly made = new Map<number, SqlVector>();

  constructor(sheet: Sheet, plan: Plan, columns: Columns, parts: TextParts) {
    this.sheet = sheet;
    this.plan = plan;
    this.columns = columns;
    this.parts = parts;
  }

  /** What a term adds to the score of each class; null where it makes the class impossible. */
  term(term: PlanTerm, classes: number): (readonly Cell[] | null)[] {
    return this.termOver(term, this.vector(term.vector), classes);
  }

  /** How many cells of a row are present. Terms of texts have to be added up before. */
  present(groups: readonly CellGroup[]): Cell {
    const { sheet } = this;
    const marks = groups.flatMap(({ vectors, text }) => {
      const own = vectors.map((k) => this.vector(k));
      if (!text) return own.flatMap((vector) => ('cells' in vector ? vector.cells.map((x) => markOf(sheet, x)) : []));
      const known = own
        .flatMap((vector) => this.chainsOf(vector))
        .map(({ counts }) => sheet.keep(this.parts.present(counts)));
      return [sheet.keep(greatestOf(sheet, known))];
    });
    return sheet.keep(sumOf(sheet, marks));
  }

  private chainsOf(vector: SqlVector): TextChain[] {
    if ('counts' in vector) return [vector];
    return 'joined' in vector ? vector.joined.flatMap((part) => this.chainsOf(part)) : [];
  }

  private termOver(term: PlanTerm, vector: SqlVector, classes: number): (readonly Cell[] | null)[] {
    if ('cells' in vector) return termCells(this.sheet, term, vector.cells, classes);
    const weights =
      term.op === 'linear' ? term.weights : term.op === 'poisson' && !term.exposures ? term.cells : undefined;
    if (!weights) return cannotSay(`the term '${term.op}' over a text`, 'only sums of weights are added up there');
    if ('counts' in vector) return this.text(vector, weights, classes).map((cell) => [cell]);
    let from = 0;
    const parts = vector.joined.map((part) => {
      const own = weights.subarray(from * classes, (from + widthOf(part)) * classes);
      from += widthOf(part);
      return this.termOver({ op: 'linear', vector: 0, weights: own }, part, classes);
    });
    return Array.from({ length: classes }, (_, c) => parts.flatMap((part) => part[c] ?? []));
  }

  private text(chain: TextChain, weights: Float64Array, classes: number): Cell[] {
    const input = this.plan.inputs[chain.counts.input];
    const text = this.columns.of(input.name);
    if (input.kind === 'text' && !input.lenient)
      this.sheet.require({ ...text, simple: false, text: `(${text.text} IS NOT NULL)` });
    return this.parts.add(chain, weights, classes, text);
  }

  private vector(k: number): SqlVector {
    const before = this.made.get(k);
    if (before) return before;
    const vector = this.make(this.plan.vectors[k]);
    this.made.set(k, vector);
    return vector;
  }

  private make(vector: PlanVector): SqlVector {
    if (vector.op === 'inputs') {
      return { cells: vector.inputs.flatMap((i) => inputCells(this.sheet, this.plan.inputs[i], this.columns.of)) };
    }
    if (vector.op === 'terms') return { counts: vector, steps: [] };
    if (vector.op === 'join') {
      const joined = vector.from.map((k) => this.vector(k));
      return joined.every((part) => 'cells' in part) ? { cells: joined.flatMap((part) => part.cells) } : { joined };
    }
    const from = this.vector(vector.from);
    if ('cells' in from) return { cells: changedCells(this.sheet, vector, from.cells) };
    if ('joined' in from)
      return cannotSay(`the step '${vector.op}' over texts and other columns together`, 'they are added up apart');
    if (!TEXT_STEPS.has(vector.op))
      return cannotSay(`the step '${vector.op}' over a text`, 'its terms are rows, not columns');
    return { counts: from.counts, steps: [...from.steps, vector as TextStep] };
  }
}

/** 1 where a number is there, else 0. */
function markOf(sheet: Sheet, x: Cell): Cell {
  if (!x.nullable) return sheet.cell`${1}`;
  return { ...sheet.keep(sheet.cell`CASE WHEN ${x} IS NULL THEN ${0} ELSE ${1} END`), nullable: false };
}

/** How many numbers a vector has. */
function widthOf(vector: SqlVector): number {
  if ('cells' in vector) return vector.cells.length;
  if ('joined' in vector) return vector.joined.reduce((sum, part) => sum + widthOf(part), 0);
  return vector.steps.at(-1)?.width ?? vector.counts.width;
}
