import type { State } from '../../core/artifact.ts';
import type { DatePart } from '../../data/cell-date.ts';
import type { CellFormat } from '../../data/cell-format.ts';
import type { Label } from '../../data/labels.ts';
import { type Dictionary, levelsIn } from '../../data/levels.ts';
import { logShares } from '../../math/logs.ts';
import type { CellGroup, Fallback, LevelInput, PlanDate, PlanScore } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { dictionariesOf, estimatorJoint, posteriorOf, priorOf, takesLevels } from './estimators.ts';
import { type Inside, revive } from './inside.ts';
import { levelWords } from './level-words.ts';
import { mixedJoint } from './mixed.ts';
import { countsOf, type PartScore } from './pools.ts';
import { levelsOf, numberInput } from './sources.ts';

/** A column that a learner of records reads. */
interface ReadColumn {
  readonly name: string;
  readonly reading: 'text' | 'number' | 'count' | 'flag' | 'level' | 'bin';
  readonly cuts?: readonly number[];
  readonly fill?: number;
  readonly format?: CellFormat;
  readonly part?: DatePart;
  readonly from?: string;
}

type Priors = 'empirical' | 'uniform' | readonly (readonly [label: Label, share: number])[];

/** Families for which a blank number is zero events. */
const ZERO_FAMILIES = new Set(['multinomial', 'complement', 'urn']);

/** Families whose score of a row without cells is not the class prior, and families for which that holds for texts, since absent words count. */
const OTHER_FAMILIES = new Set(['complement', 'aode']);
const ABSENCE_FAMILIES = new Set(['bernoulli', 'poisson']);

/** One family over the columns of records, from its state; `placeOf` gives the position of a column in the table. */
export function learnerScore(builder: PlanBuilder, state: State, placeOf: (name: string) => number): PartScore {
  const { columns, priors } = state.params as unknown as { columns: readonly ReadColumn[]; priors: Priors };
  const steps = state.steps ?? [];
  const estimator = revive(steps[steps.length - 1]);
  const read = new LearnerCells(builder, estimator, columns, { steps, placeOf });
  const joint = read.joint();
  const wanted = logPriorOf(priors, estimator.classes);
  const of = wanted ? underPrior(estimator, joint, wanted) : posteriorOf(estimator, joint);
  const cells = read.cells();
  const prior = wanted ?? countedPrior(estimator, state);
  const texts = columns.some(({ reading }) => reading === 'text');
  const { name } = estimator.model;
  const other = OTHER_FAMILIES.has(name) || (texts && ABSENCE_FAMILIES.has(name));
  return { of: other ? { op: 'blank', of, cells, prior } : of, cells, prior };
}

/** ln p(c | x) under another prior than the counted one. */
function underPrior(estimator: Inside, joint: PlanScore, wanted: Float64Array): PlanScore {
  const own = priorOf(estimator);
  const start = wanted.map((log, c) => (log === -Infinity || own[c] === -Infinity ? log : log - own[c]));
  const of: PlanScore = { op: 'add', start, parts: [{ of: joint, less: null }] };
  return { op: 'posterior', of, prior: wanted, impossible: 'prior', sum: 'together' };
}

/** ln p(c) as counted; a slim file has shares instead of counts. */
function countedPrior(estimator: Inside, { learned, steps = [] }: State): Float64Array {
  const { classShares } = learned as { classShares?: number[] };
  if (classShares) return logShares(Float64Array.from(classShares));
  if (steps.at(-1)?.learned.slim === true) return priorOf(estimator);
  return logShares((estimator as unknown as { classCount: Float64Array }).classCount);
}

/** ln p(c) as requested; undefined if it is the counted one. */
function logPriorOf(priors: Priors, classes: readonly Label[]): Float64Array | undefined {
  if (priors === 'empirical') return undefined;
  const share = priors === 'uniform' ? undefined : new Map(priors);
  return logShares(Float64Array.from(classes, (label) => (share ? (share.get(label) ?? 0) : 1)));
}

/** How a learner reads cells, as vectors of its estimator. */
class LearnerCells {
  private readonly builder: PlanBuilder;
  private readonly estimator: Inside;
  private readonly columns: ReadonlyMap<string, ReadColumn>;
  private readonly texts: ReadonlyMap<string, State>;
  private readonly placeOf: (name: string) => number;
  private readonly counted = new Map<string, number>();

  constructor(
    builder: PlanBuilder,
    estimator: Inside,
    columns: readonly ReadColumn[],
    { steps, placeOf }: { steps: readonly State[]; placeOf: (name: string) => number },
  ) {
    this.builder = builder;
    this.estimator = estimator;
    this.columns = new Map(columns.map((column) => [column.name, column]));
    const texts = columns.filter(({ reading }) => reading === 'text');
    this.texts = new Map(texts.map(({ name }, b) => [name, steps[b]]));
    this.placeOf = placeOf;
  }

  /** The cells of a row: every other column as a number that is missing where the cell is, and every text. */
  cells(): CellGroup[] {
    const plain = [...this.columns.values()].filter(({ reading }) => reading !== 'text');
    const inputs = plain.map((column) => this.presence(column));
    const numbers = inputs.length > 0 ? [this.builder.vector({ op: 'inputs', inputs, width: inputs.length })] : [];
    return [
      ...(numbers.length > 0 ? [{ vectors: numbers, text: false }] : []),
      ...[...this.texts].map(([name, state]) => ({ vectors: [this.text(name, state)], text: true })),
    ];
  }

  /** A column as a number that is missing where the cell is. */
  private presence(column: ReadColumn): number {
    const { reading, format = {} } = column;
    const at = this.place(column);
    if (reading === 'level') {
      const words = at.date ? {} : levelWords(format, []);
      const level = { kind: 'level', ...at, levels: [], match: 'trimmed', missing: 'missing', unknown: 0 } as const;
      return this.builder.input({ ...level, ...words });
    }
    return this.number(column, 'missing');
  }

  /** A column of numbers; `missing` replaces missing cells. */
  private number(column: ReadColumn, missing: Fallback) {
    const { reading, format = {} } = column;
    const own = {
      least: reading === 'count' ? 0 : -Number.MAX_VALUE,
      bits: reading === 'flag',
      missing,
      lenient: true,
      ...(format.numbers && { spelling: format.numbers }),
    };
    return this.builder.input(numberInput(this.place(column), own));
  }

  /** The cell that a column reads, and the part of its date. */
  private place({ name, from = name, part, format = {} }: ReadColumn): {
    name: string;
    column: number;
    date?: PlanDate;
  } {
    const date: PlanDate | undefined = part && { order: format.dates ?? 'day-first', part };
    return { name: from, column: this.placeOf(from), ...(date && { date }) };
  }

  /** The scores of the estimator. */
  joint(): PlanScore {
    const { builder, estimator, texts } = this;
    if (estimator.model.name === 'mixed') return this.mixed();
    const names = estimator.fitted().names ?? [];
    if (texts.size > 0) return estimatorJoint(builder, estimator, { vector: this.words() });
    const { levels } = estimator.fitted().counts.shape;
    const dictionaries = takesLevels(estimator) ? dictionariesOf(estimator.fitted().schema) : [];
    const inputs = names.map((name, j) => this.input(name, dictionaries[j], levels?.[j]));
    return estimatorJoint(builder, estimator, { vector: this.cut(names, inputs) });
  }

  /** The words of all texts side by side. */
  private words(): number {
    const from = [...this.texts].map(([name, state]) => this.text(name, state));
    const width = from.reduce((sum, vector) => sum + this.builder.width(vector), 0);
    return from.length === 1 ? from[0] : this.builder.vector({ op: 'join', from, width });
  }

  /** The counts of the words of a text, which is read once. */
  private text(name: string, state: State): number {
    const before = this.counted.get(name);
    if (before !== undefined) return before;
    const input = this.builder.input({ kind: 'text', name, column: this.placeOf(name), lenient: true });
    const counts = countsOf(this.builder, state, input);
    this.counted.set(name, counts);
    return counts;
  }

  private mixed(): PlanScore {
    return mixedJoint(this.estimator, (block) => {
      const names = block.map(({ column }) => column.name ?? '');
      const state = this.texts.get(names[0]);
      if (state) return this.text(names[0], state);
      const inputs = block.map(({ column }) => {
        const [dictionary] = column.levels ?? [];
        return this.input(column.name ?? '', dictionary, dictionary === undefined ? undefined : levelsIn(dictionary));
      });
      return this.cut(names, inputs);
    });
  }

  /** The inputs as one vector; numbers that are bins are cut. */
  private cut(names: readonly string[], inputs: readonly number[]): number {
    const width = inputs.length;
    const from = this.builder.vector({ op: 'inputs', inputs, width });
    const cuts = names.map((name) => {
      const { reading, cuts: own } = this.columns.get(name) as ReadColumn;
      return reading === 'bin' ? Float64Array.from(own ?? []) : null;
    });
    if (cuts.every((own) => own === null)) return from;
    return this.builder.vector({ op: 'bin', from, cuts, missing: 'missing', width });
  }

  private input(name: string, dictionary: Dictionary | undefined, levels: number | undefined): number {
    const column = this.columns.get(name) as ReadColumn;
    const { reading, fill, format = {} } = column;
    const at = this.place(column);
    if (reading === 'level') {
      const unknown = String(this.estimator.getParams().unknown);
      const own = levelsOf(dictionary ?? null, levels ?? 0, unknown, 'missing');
      const words = at.date || typeof own.levels === 'number' ? {} : levelWords(format, own.levels);
      const level: LevelInput = { kind: 'level', ...at, ...own, match: 'trimmed', ...words };
      return this.builder.input(level);
    }
    return this.number(column, fill ?? (ZERO_FAMILIES.has(this.estimator.model.name) ? 0 : 'missing'));
  }
}
