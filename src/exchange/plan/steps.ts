import type { State } from '../../core/artifact.ts';
import { learnedColumns, planSteps, readRoutes } from '../../estimators/column-steps.ts';
import { damaged, readColumns, readLearned } from '../../estimators/learned.ts';
import { readBins } from '../../estimators/saved-bins.ts';
import { type Category, groupRare, isMissing } from '../../features/encode.ts';
import { markBest, markPercentile } from '../../features/select.ts';
import type { Fallback } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { cannotCarry } from './inside.ts';
import { type Levels, levelsFrom, numbersFrom, type RowSource, type Source, withNames } from './sources.ts';
import { vectorized, weighedBy } from './text.ts';

/** Where a transformer reads, and whether the step behind it takes missing numbers. */
interface Context {
  readonly builder: PlanBuilder;
  readonly source: Source;
  readonly missing: boolean;
}

type Transform = (step: State, context: Context) => number;

const vectorizer: Transform = (step, { builder, source }) => vectorized(builder, step, source);

/** For each transformer the function that adds its vectors and returns the number of the last. */
const transformers: Readonly<Record<string, Transform>> = {
  CountVectorizer: vectorizer,
  TfidfVectorizer: vectorizer,
  HashingVectorizer: vectorizer,
  TfidfTransformer: weighted,
  SelectKBest: selected,
  SelectPercentile: selected,
  KBinsDiscretizer: binned,
  MdlpDiscretizer: binned,
  OrdinalEncoder: (step, context) => coded(step, context, ordinalCodes(step)),
  OneHotEncoder(step, context) {
    const { levels, widths } = hotCodes(step);
    return context.builder.vector({ op: 'onehot', from: coded(step, context, levels), widths });
  },
  ColumnTransformer: joined,
  Pipeline: chained,
};

/** The vector that a transformer makes of a source; `missing` says whether the step behind it takes missing numbers. */
export function transformed(step: State, context: Context): number {
  const make = Object.hasOwn(transformers, step.kind) ? transformers[step.kind] : undefined;
  return make ? make(step, context) : cannotCarry(`the step ${step.kind}`, 'no export supports it');
}

function chained({ steps = [] }: State, { builder, source, missing }: Context): number {
  let at = source;
  for (const step of steps) at = { vector: transformed(step, { builder, source: at, missing }) };
  return 'vector' in at ? at.vector : cannotCarry('a pipeline without steps', 'it makes no numbers');
}

function weighted(step: State, { builder, source }: Context): number {
  const counts = () => numbersFrom(builder, source, step.arrays.df.data.length, { nonNegative: true });
  return weighedBy(builder, step, 'vector' in source ? source.vector : counts());
}

function selected(step: State, { builder, source, missing }: Context): number {
  const { scores, names, features } = scoresOf(step, builder);
  const from = numbersFrom(builder, withNames(source, names), features, { missing });
  const { k, percentile } = step.params as { k: number | 'all'; percentile: number };
  const kept = step.kind === 'SelectKBest' ? markBest(scores, k) : markPercentile(scores, percentile);
  return builder.vector({ op: 'pick', from, columns: Uint32Array.from(kept.keys()).filter((j) => kept[j]) });
}

/** The scores of the features of a selector, computed from its counts unless they were saved. */
function scoresOf(state: State, builder: PlanBuilder) {
  const saved = state.arrays.scores;
  if (saved) return { ...readColumns(state, 'slim'), scores: Float64Array.from(saved.data) };
  const { scorers, splitScores } = builder.ranking;
  const scorer = scorers[state.params.scoreFunc as keyof typeof scorers] ?? damaged('it does not say how it scores');
  const { names, counts } = readLearned(scorer.statistic as never, state);
  return { names, features: counts.shape.features, scores: splitScores(scorer.score(counts.read() as never)).scores };
}

function binned(step: State, { builder, source }: Context): number {
  const { encode, missing } = step.params;
  const { names, edges } = readBins(step);
  const gaps = missing === 'bin';
  const from = numbersFrom(builder, withNames(source, names), edges.length, { missing: gaps });
  const cuts = edges.map((list) => list.slice(1, -1));
  const codes = builder.vector({ op: 'bin', from, cuts, missing: gaps ? 'last' : 'missing' });
  if (encode === 'ordinal') return codes;
  const widths = Int32Array.from(cuts, (list) => list.length + (gaps ? 2 : 1));
  return builder.vector({ op: 'onehot', from: codes, widths });
}

function coded(step: State, { builder, source }: Context, levels: readonly Levels[]): number {
  const own = withNames(source, readColumns(step, 'columns').names);
  if ('vector' in own) return cannotCarry(`an ${step.kind} behind another step`, 'it codes the cells of rows');
  return levelsFrom(builder, own, levels);
}

/** The columns of every step side by side. */
function joined(step: State, { builder, source, missing }: Context): number {
  const { routes, remainder } = readRoutes(step, step.steps ?? []);
  const learned = learnedColumns(step);
  const { names } = learned;
  const row = withNames(source, names);
  if ('vector' in row || row.columns) {
    return cannotCarry('a ColumnTransformer behind another step', 'it takes the columns of rows');
  }
  const from = planSteps(routes, remainder, learned)
    .filter(({ action, columns }) => action !== 'drop' && columns.length > 0)
    .map(({ action, columns }) => {
      const part: RowSource = { names: row.names, columns: names ? inKeyOrder(columns, names) : columns };
      if (typeof action === 'string') return numbersFrom(builder, { ...part, columns }, columns.length, { missing });
      return transformed(action, { builder, source: part, missing });
    });
  return builder.joined(from);
}

/** A step gets named columns in the order of object keys, in which names like "7" come first. */
function inKeyOrder(columns: readonly number[], names: readonly string[]): number[] {
  const keys = Object.create(null) as Record<string, number>;
  for (const j of columns) keys[names[j]] = j;
  return Object.keys(keys).map((name) => keys[name]);
}

/** A feature of a saved encoder: its categories, and the places of those that are infrequent. */
interface Coded {
  readonly values: readonly Category[];
  readonly rare: readonly number[];
}

const codedIn = ({ learned }: State) => learned.columns as unknown as readonly Coded[];

/** A saved code of a cell: 'nan' is a missing number. */
const fallbackOf = (code: unknown): Fallback => (Number.isFinite(code) ? (code as number) : 'missing');

/** Categories with their codes, what a missing cell becomes if one was seen, and what unknown categories become. */
function levelsOf(values: readonly Category[], codes: ArrayLike<number>, gap: Fallback, unknown: Fallback): Levels {
  const present = [...values.keys()].filter((v) => !isMissing(values[v]));
  return {
    levels: present.map((v) => values[v] as string | number | boolean),
    codes: Float64Array.from(present, (v) => codes[v]),
    match: 'exact',
    missing: present.length < values.length ? gap : unknown,
    unknown,
  };
}

/** How the columns of an OrdinalEncoder are read. */
function ordinalCodes(encoder: State): Levels[] {
  const { handleUnknown, unknownValue, encodedMissingValue } = encoder.params;
  const unknown = handleUnknown === 'error' ? 'refuse' : fallbackOf(unknownValue);
  return codedIn(encoder).map(({ values, rare }) => {
    const present = values.filter((value) => !isMissing(value)).length;
    return levelsOf(values, groupRare(present, rare), fallbackOf(encodedMissingValue), unknown);
  });
}

/** How the columns of a OneHotEncoder are read, as places among their columns of 0 and 1, and how many those are. */
function hotCodes(encoder: State): { levels: Levels[]; widths: Int32Array } {
  const { handleUnknown, drop = null } = encoder.params as { handleUnknown: string; drop?: Drop };
  const columns = codedIn(encoder);
  const widths = new Int32Array(columns.length);
  const levels = columns.map(({ values, rare }, j) => {
    const places = groupRare(values.length, rare);
    const size = values.length - rare.length + (rare.length > 0 ? 1 : 0);
    const dropped = drop === null ? -1 : droppedOf(values, places, size, drop, j);
    const shift = (place: number) => (place === dropped ? -1 : dropped >= 0 && place > dropped ? place - 1 : place);
    widths[j] = size - (dropped >= 0 ? 1 : 0);
    const strange = handleUnknown !== 'ignore' && rare.length > 0 ? shift(size - 1) : -1;
    const codes = Array.from(places, shift);
    return levelsOf(values, codes, codes[values.findIndex(isMissing)], handleUnknown === 'error' ? 'refuse' : strange);
  });
  return { levels, widths };
}

type Drop = 'first' | 'if_binary' | readonly Category[] | null;

/** The place of the column that is left out; −1 if every category has one. */
function droppedOf(
  values: readonly Category[],
  places: ArrayLike<number>,
  size: number,
  drop: NonNullable<Drop>,
  j: number,
): number {
  if (drop === 'first' || (drop === 'if_binary' && size === 2)) return 0;
  if (drop === 'if_binary') return -1;
  return places[values.findIndex((own) => own === drop[j] || (isMissing(own) && isMissing(drop[j])))];
}
