import type { State } from '../../core/artifact.ts';
import type { DatePart } from '../../data/cell-date.ts';
import type { CellFormat } from '../../data/cell-format.ts';
import type { Label } from '../../data/labels.ts';
import { type Dictionary, levelsIn } from '../../data/levels.ts';
import { logShares } from '../../math/logs.ts';
import type { Fallback, PlanDate, PlanInput, PlanScore } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { dictionariesOf, estimatorJoint, posteriorOf, priorOf, takesLevels } from './estimators.ts';
import type { Inside } from './inside.ts';
import { mixedJoint } from './mixed.ts';
import { countsOf, type PartScore } from './pools.ts';
import { type Levels, levelsOf, levelWords, numberInput } from './sources.ts';

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
  const estimator = builder.open(steps[steps.length - 1]);
  const [named, plain] = [true, false].map((text) => columns.filter(({ reading }) => (reading === 'text') === text));
  const texts = new Map(
    named.map(({ name }, b) => {
      const input = builder.input({ kind: 'text', name, column: placeOf(name), lenient: true });
      return [name, countsOf(builder, steps[b], input)] as const;
    }),
  );
  const read = readerOf(estimator, columns, placeOf);
  const joint = jointScore(builder, estimator, texts, read);
  const wanted = logPriorOf(priors, estimator.learned.classes);
  const of = wanted ? underPrior(estimator, joint, wanted) : posteriorOf(estimator, joint);
  const numbers = plain.length > 0 ? [{ vectors: [builder.read(plain.map(read.presence))], text: false }] : [];
  const cells = [...numbers, ...Array.from(texts.values(), (vector) => ({ vectors: [vector], text: true }))];
  const prior = wanted ?? countedPrior(estimator, state);
  const { name } = estimator.model;
  const other = OTHER_FAMILIES.has(name) || (texts.size > 0 && ABSENCE_FAMILIES.has(name));
  return { of: other ? { op: 'blank', of, cells, prior } : of, cells, prior };
}

/** The scores of the estimator of a learner, whose texts are counted in these vectors. */
function jointScore(
  builder: PlanBuilder,
  estimator: Inside,
  texts: ReadonlyMap<string, number>,
  read: Reader,
): PlanScore {
  if (estimator.model.name === 'mixed') {
    return mixedJoint(estimator, (block) => {
      const names = block.map(({ column }) => column.name ?? '');
      const dictionaries = block.map(({ column }) => column.levels?.[0]);
      const levels = dictionaries.map((own) => (own === undefined ? undefined : levelsIn(own)));
      return texts.get(names[0]) ?? read.cells(builder, names, dictionaries, levels);
    });
  }
  if (texts.size > 0) return estimatorJoint(builder, estimator, { vector: builder.joined([...texts.values()]) });
  const { names = [], counts, schema } = estimator.learned;
  const dictionaries = takesLevels(estimator) ? dictionariesOf(schema) : [];
  const vector = read.cells(builder, names, dictionaries, counts.shape.levels ?? []);
  return estimatorJoint(builder, estimator, { vector });
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
  return logShares(estimator.learned.counts.classWeights());
}

/** ln p(c) as requested; undefined if it is the counted one. */
function logPriorOf(priors: Priors, classes: readonly Label[]): Float64Array | undefined {
  if (priors === 'empirical') return undefined;
  const share = priors === 'uniform' ? undefined : new Map(priors);
  return logShares(Float64Array.from(classes, (label) => (share ? (share.get(label) ?? 0) : 1)));
}

/** How a learner reads the cells of its columns. */
interface Reader {
  /** A column as a number that is missing where the cell is. */
  presence(column: ReadColumn): PlanInput;
  /** The numbers of columns as one vector, of which bins are cut. */
  cells(
    builder: PlanBuilder,
    names: readonly string[],
    dictionaries: readonly (Dictionary | undefined)[],
    levels: ArrayLike<number | undefined>,
  ): number;
}

function readerOf(estimator: Inside, columns: readonly ReadColumn[], placeOf: (name: string) => number): Reader {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const at = ({ name, from = name, part, format = {} }: ReadColumn) => {
    const date: PlanDate | undefined = part && { order: format.dates ?? 'day-first', part };
    return { name: from, column: placeOf(from), ...(date && { date }) };
  };
  const number = (column: ReadColumn, missing: Fallback) =>
    numberInput(at(column), {
      least: column.reading === 'count' ? 0 : -Number.MAX_VALUE,
      bits: column.reading === 'flag',
      missing,
      lenient: true,
      ...(column.format?.numbers && { spelling: column.format.numbers }),
    });
  const level = (column: ReadColumn, own: Pick<Levels, 'levels' | 'missing' | 'unknown'>): PlanInput => {
    const plain = column.part || typeof own.levels === 'number';
    const words = plain ? {} : levelWords(column.format ?? {}, own.levels as readonly string[]);
    return { kind: 'level', ...at(column), ...own, match: 'trimmed', ...words };
  };
  const gap = ZERO_FAMILIES.has(estimator.model.name) ? 0 : 'missing';
  return {
    presence: (column) =>
      column.reading === 'level'
        ? level(column, { levels: [], missing: 'missing', unknown: 0 })
        : number(column, 'missing'),
    cells(builder, names, dictionaries, levels) {
      const own = names.map((name) => byName.get(name) as ReadColumn);
      const unknown = String(estimator.params.unknown);
      const inputs = own.map((column, j) =>
        column.reading === 'level'
          ? level(column, levelsOf(dictionaries[j] ?? null, levels[j] ?? 0, unknown, 'missing'))
          : number(column, column.fill ?? gap),
      );
      const from = builder.read(inputs);
      const cuts = own.map((column) => (column.reading === 'bin' ? Float64Array.from(column.cuts ?? []) : null));
      return cuts.every((own) => own === null) ? from : builder.vector({ op: 'bin', from, cuts, missing: 'missing' });
    },
  };
}
